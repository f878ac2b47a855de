//! The table of synthetic dumps: complete, the same for any number of threads, with few kinds.
#![allow(clippy::unwrap_used, reason = "a test that can't run has to say so")]

use bigtpu_chip::{Engine, Slot};
use bigtpu_measure::{Activity, Addresses, CommandKind, CommandTable};
use bigtpu_synth::{Options, Style, write};
use bigtpu_timeline::{Dump, Profile};

fn with_profile(chip: &str, mode: u8, style: Style, look: impl FnOnce(&Profile<'_>)) {
    let mut options = Options::of_chip(chip).unwrap();
    (options.mode, options.launches, options.style) = (mode, 12, style);
    let dir = tempfile::tempdir().unwrap();
    write(&options, dir.path()).unwrap();
    let dump = Dump::open(dir.path()).unwrap();
    look(&Profile::build(&dump, &bigtpu_timeline::BuildOptions::default()));
}

fn table_with(threads: usize, profile: &Profile<'_>) -> CommandTable {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| CommandTable::decode(profile))
}

#[test]
fn every_event_has_a_kind_that_is_its_command() {
    for (chip, mode, style) in [
        ("aks", 2, Style::Op),
        ("aksv", 2, Style::Graph),
        ("bm1688", 2, Style::Op),
        ("cv84x6", 2, Style::Op),
        ("aks", 1, Style::Op),
        ("aks", 0, Style::Op),
    ] {
        with_profile(chip, mode, style, |profile| {
            let table = table_with(1, profile);
            assert_eq!(table, table_with(4, profile), "{chip} {mode}");
            for (track, commands) in profile.tracks().zip(table.tracks(profile)) {
                assert_eq!(commands.len(), track.events.len());
                for i in 0..track.events.len() {
                    let kind = commands.kind(i).unwrap();
                    assert_eq!(kind.engine, track.engine_id.engine);
                    let command = profile.command(track, i);
                    assert_eq!(kind.code, command.map(|c| c.code), "{chip} {mode} event {i}");
                    let Some(command) = command else { continue };
                    let dependence = commands.dependence(i).map(|d| u64::from(d.field()));
                    let has = command.register.has(Slot::IdDep);
                    assert_eq!(dependence, has.then(|| command.get(Slot::IdDep)));
                    let syncs = matches!(kind.activity, Activity::Send | Activity::Wait);
                    assert_eq!(commands.message(i).is_some(), syncs);
                    if kind.engine != Engine::Tiu && kind.activity.is_work() {
                        let both = Addresses::read(profile.chip.family, &command);
                        assert!(both.source | both.destination > 0, "{chip} {mode} event {i}");
                    }
                }
            }
        });
    }
}

#[test]
fn kinds_are_few_and_distinct() {
    with_profile("aks", 2, Style::Op, |profile| {
        let table = CommandTable::decode(profile);
        let events = profile.event_count();
        assert!(table.kinds.len() * 4 < events, "{} kinds of {events} events", table.kinds.len());
        let matmuls: Vec<&CommandKind> =
            table.kinds.iter().filter(|k| k.function_type == "sMM2").collect();
        assert!(!matmuls.is_empty() && matmuls.iter().all(|k| k.work().alg_ops > 1));
    });
}

/// Words of CV84X6's front end hold generator indices, those of AKSV the codes of the hardware.
#[test]
fn sends_and_waits_of_an_rvt_front_end_are_no_work() {
    for chip in ["aksv", "cv84x6"] {
        with_profile(chip, 1, Style::Rvt, |profile| {
            let table = CommandTable::decode(profile);
            for commands in table.tracks(profile) {
                let engine = commands.engine_id.engine;
                let count = |activity: Activity| {
                    commands.event_kinds().filter(|kind| kind.activity == activity).count()
                };
                // TIU and GDMA end each of the 12 launches with a send and a wait.
                let syncs = if engine == Engine::Sdma { 0 } else { 12 };
                let counts = [Activity::Send, Activity::Wait, Activity::Control].map(count);
                assert_eq!(counts, [syncs, syncs, 0], "{chip} {engine:?}");
            }
        });
    }
}
