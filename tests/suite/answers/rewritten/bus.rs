//! Whether computation and transfers of CV184X slow each other where they run side by side.

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::CommandTable;
use bigtpu_timeline::{BuildOptions, Dump, Profile};

use crate::support::case::real_dump;

/// Below and above these shares of its time a command runs alone, and beside another engine's.
const ALONE: f64 = 0.1;
const BESIDE: f64 = 0.9;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The share of a time in which any of the spans runs: those of an engine do not overlap.
fn share((start, end): (i64, i64), spans: &[(i64, i64)]) -> f64 {
    let common = |(from, to): &(i64, i64)| (end.min(*to) - start.max(*from)).max(0);
    spans.iter().map(common).sum::<i64>() as f64 / (end - start).max(1) as f64
}

#[test]
fn computation_and_transfers_of_cv184x_do_not_slow_each_other() {
    let dump = Dump::open(&real_dump("bmprofile_data-1_cv184x")).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let table = CommandTable::decode(&profile);
    let spans = |engine| -> Vec<(i64, i64)> {
        let tracks = table.all_commands(&profile);
        let own = tracks.filter(|commands| commands.track.engine_id.engine == engine);
        own.flat_map(|commands| {
            commands.iter().map(|one| (one.start(), one.end())).collect::<Vec<_>>()
        })
        .collect()
    };
    let [tiu, gdma] = [Engine::Tiu, Engine::Gdma].map(spans);
    // Measured and expected ns of commands alone, and beside transfers; GB/s of large loads alone, and beside computation.
    let mut times = [(0, 0.0, 0.0); 2];
    let mut rates: [Vec<f64>; 2] = Default::default();
    for commands in table.all_commands(&profile) {
        for command in commands.iter() {
            let time = (command.start(), command.end());
            let ns = (time.1 - time.0) as f64;
            let is_tiu = command.kind.engine == Engine::Tiu;
            let beside = share(time, if is_tiu { &gdma } else { &tiu });
            let side = match beside {
                beside if beside < ALONE => 0,
                beside if beside > BESIDE => 1,
                _ => continue,
            };
            let way = command.kind.direction();
            let is_load = way.is_some_and(|way| way.from == Memory::Ddr && way.to == Memory::Lmem);
            if is_tiu {
                let expected = command.kind.expected_ns(profile.clocks.tiu_mhz as f64);
                let Some(expected) = expected.filter(|ns| *ns > 200.0) else { continue };
                let (count, measured, all) = times[side];
                times[side] = (count + 1, measured + ns, all + expected);
            } else if is_load && command.bytes() >= 16384 {
                rates[side].push(command.bytes() as f64 / ns);
            }
        }
    }
    for (count, measured, expected) in times {
        assert!(count > 30 && (measured / expected - 1.0).abs() < 0.005, "{times:?}");
    }
    assert!(rates.iter().all(|rates| rates.len() > 15));
    let [alone, beside] = rates.map(median);
    // The bus moves 8 bytes in a cycle of 1 ns.
    assert!(alone > 7.5 && beside > 7.5 && alone < 8.0 && beside < 8.0, "{alone} {beside} GB/s");
}
