//! Shorter ways to what commands show give what the longer ones do, in dumps of all chips and modes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::Path;

use bigtpu_measure::{AddressReader, Bandwidth, ByteCounts, CommandTable, Shown, TrackCommands};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

fn with_each(check: impl Fn(&str, &Profile<'_>, &CommandTable)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let real = std::fs::read_dir(root.join("real")).unwrap();
    let made = std::fs::read_dir(root).unwrap();
    let mut dumps = 0;
    for entry in real.chain(made) {
        let path = entry.unwrap().path();
        let inner = path.join("dump");
        let Ok(dump) = Dump::open(if inner.is_dir() { &inner } else { &path }) else { continue };
        let profile = Profile::build(&dump, &BuildOptions::default());
        check(&path.display().to_string(), &profile, &CommandTable::decode(&profile));
        dumps += 1;
    }
    assert!(dumps > 30, "{dumps}");
}

#[test]
fn transfers_and_addresses_are_those_of_records_and_bits() {
    with_each(|name, profile, table| {
        for commands in table.all_commands(profile) {
            let mut addresses = AddressReader::new(profile, commands.track);
            let counts: Vec<ByteCounts> =
                table.kinds.iter().map(|kind| ByteCounts::read(profile, kind)).collect();
            commands.each_transfer(0..commands.len(), &counts, |event, kind, shown| {
                let of_event = commands.get(event).unwrap();
                assert_eq!(&table.kinds[kind as usize], of_event.kind, "{name} {event}");
                let expected = commands.shown_transfer(event, of_event.kind);
                assert_eq!(shown, expected, "{name} {event}");
            });
            for command in commands.iter() {
                let transfer = command.transfer();
                let shown = Shown {
                    bytes: transfer.traffic.bytes,
                    ddr_gbps: transfer.ddr_gbps().unwrap_or(0.0),
                    l2_gbps: transfer.l2_gbps().unwrap_or(0.0),
                };
                let index = command.index;
                assert_eq!(commands.shown_transfer(index, command.kind), shown, "{name} {index}");
                assert_eq!(addresses.get(index), command.addresses(), "{name} {index}");
            }
        }
    });
}

/// The steps of the sum of all transfers, in units of 0.0001 GB/s, from when each begins and ends.
fn summed(engines: &[TrackCommands<'_, '_>]) -> Vec<(i64, [i64; 2])> {
    let mut changes = BTreeMap::<i64, [i64; 2]>::new();
    for command in engines.iter().flat_map(|commands| commands.iter()) {
        if !command.kind.activity.is_work() || command.start() >= command.end() {
            continue;
        }
        let transfer = command.transfer();
        let gbps = [transfer.ddr_gbps(), transfer.l2_gbps()];
        let units = gbps.map(|gbps| (gbps.unwrap_or(0.0) * 1e4).round() as i64);
        for (at, sign) in [(command.start(), 1), (command.end(), -1)] {
            let change = changes.entry(at).or_default();
            *change = [change[0] + sign * units[0], change[1] + sign * units[1]];
        }
    }
    let mut now = [0, 0];
    let sum = |(at, change): (i64, [i64; 2])| {
        now = [now[0] + change[0], now[1] + change[1]];
        (change != [0, 0]).then_some((at, now))
    };
    changes.into_iter().filter_map(sum).collect()
}

#[test]
fn bandwidths_are_sums_of_transfers() {
    with_each(|name, profile, table| {
        let units = |gbps: f64| (gbps * 1e4).round() as i64;
        let check = |steps: Bandwidth<'_, '_>, engines: &[TrackCommands<'_, '_>]| {
            let steps: Vec<_> = steps
                .map(|step| (step.time, [units(step.ddr_gbps), units(step.l2_gbps)]))
                .collect();
            assert_eq!(steps, summed(engines), "{name}");
        };
        for core in &profile.cores {
            let [_, gdma, sdma] = &core.tracks;
            let engines = [gdma, sdma].map(|track| table.commands(profile, track).unwrap());
            check(Bandwidth::compute(profile, table, core), &engines);
        }
        for port in &profile.ports {
            let engine = table.commands(profile, port).unwrap();
            check(Bandwidth::of_port(profile, table, port), &[engine]);
        }
    });
}
