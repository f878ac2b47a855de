//! Kernels among the launches of a static model.

use std::fs;
use std::path::Path;

use bigtpu_format::{BlockKind, blocks};
use bigtpu_synth::{Options as Synth, Style, generate, kernel_names};
use bigtpu_timeline::{
    BuildOptions, CompletenessVerdict, Dump, EngineEvents, Profile, Quality, Severity,
};

use crate::support::{harm, seen, with_block};

/// A model whose last quarter of launches are kernels of the same commands.
fn write(chip: &str, mode: u8, launches: u64, dir: &Path) {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.seed) = (Style::Bmodel, mode, 7);
    (options.launches, options.cores, options.repeat) = (launches, 2, 4);
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.join(name), bytes).unwrap();
    }
}

/// The kernels of an engine's launches in order; `None` of one of the model.
fn kernels<'p>(profile: &'p Profile<'_>, track: &EngineEvents<'_>) -> Vec<Option<&'p str>> {
    let events = &track.events;
    let mut kernels = Vec::new();
    let mut last = i64::MAX;
    for i in 0..events.len() {
        let kernel = profile.kernel(profile.tag(track, i));
        let id = events.id.get(i).unwrap();
        match kernels.last() {
            Some(of_launch) if id > last => assert_eq!(*of_launch, kernel, "one launch"),
            _ => kernels.push(kernel),
        }
        last = id;
        assert!(events.binding[i].is_bound(), "{:?} {i}", track.engine_id);
    }
    kernels
}

/// On some lengths of a run another division of the sections fits an engine as well, or pairs more of them.
#[test]
fn kernels_among_a_models_launches_keep_their_names() {
    let names: Vec<&str> = kernel_names().collect();
    for (chip, mode) in [("AKS", 2), ("AKSV", 1), ("BM1688", 2), ("CV84X6", 1)] {
        for launches in [4, 10, 13, 14, 15, 29] {
            let dir = tempfile::tempdir().unwrap();
            write(chip, mode, launches, dir.path());
            let dump = Dump::open(dir.path()).unwrap();
            let profile = Profile::build(&dump, &BuildOptions::default());
            let notes = &profile.ledger.notes;
            let is_grave = |severity| severity >= Severity::Warning;
            assert!(
                !notes.iter().any(|note| is_grave(note.severity)),
                "{chip} {launches}: {notes:?}"
            );
            for track in profile.tracks().filter(|track| !track.events.is_empty()) {
                let found = kernels(&profile, track);
                // Each engine has no commands in some launches.
                let is_shown = |number: &u64| found.len() as u64 == launches || number % 11 == 5;
                let of_model = launches - launches / 4;
                let expected: Vec<Option<&str>> = (0..launches)
                    .filter(is_shown)
                    .map(|number| {
                        (number >= of_model).then(|| names[number as usize % names.len()])
                    })
                    .collect();
                assert_eq!(found, expected, "{chip} {launches} {:?}", track.engine_id);
            }
        }
    }
}

/// The kernels are the model's first launches again: nothing says which launches are which.
#[test]
fn launches_that_fit_a_model_and_kernels_are_told() {
    let dir = tempfile::tempdir().unwrap();
    write("BM1688", 2, 57, dir.path());
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let completeness = &profile.ledger.completeness;
    assert_eq!(completeness.verdict(), CompletenessVerdict::Unverified);
    let said = completeness.said().text;
    assert!(said.contains("44 of 57 launches may be the model's"), "{said}");
    let (mut sure, mut doubtful) = (0, 0);
    for track in profile.tracks() {
        for i in 0..track.events.len() {
            match track.events.quality(i) {
                Some(Quality::Doubtful) => doubtful += 1,
                Some(Quality::Sure) => sure += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(sure > 0 && doubtful > sure, "{sure} {doubtful}");
}

/// Damage that changes a section's length costs itself, and the launches keep their names.
#[test]
fn damage_among_kernels_and_a_model_costs_itself() {
    let dir = tempfile::tempdir().unwrap();
    for (chip, tiu, dma) in [("AKS", 16, 64), ("AKSV", 16, 64), ("BM1688", 32, 256)] {
        write(chip, 2, 13, dir.path());
        let path = dir.path().join("cdmlib0_0.profile");
        let sound = fs::read(&path).unwrap();
        let (expected, ..) = seen(dir.path());
        for (kind, size) in [(BlockKind::MonitorTiu, tiu), (BlockKind::MonitorGdma, dma)] {
            let records =
                blocks(&sound).blocks.iter().find(|b| b.kind == kind).unwrap().content.len();
            for what in ["lost", "id", "doubled", "exchanged", "ten lost", "torn", "zeroed"] {
                for at in (5..records / size - 12).step_by(9) {
                    let damaged = with_block(&sound, kind, |content| harm(what, content, at, size));
                    fs::write(&path, damaged).unwrap();
                    let (found, _, is_told) = seen(dir.path());
                    let name = format!("{chip} {kind:?} {what} {at}");
                    assert!(is_told, "{name}");
                    let is_other = |(key, (what, _)): &(&_, &(String, bool))| {
                        expected.get(*key).is_some_and(|(expected, _)| expected != what)
                    };
                    let others = found.iter().filter(is_other);
                    let wrong = others.clone().filter(|(_, (_, is_sure))| *is_sure).count();
                    let most = if matches!(what, "ten lost" | "torn" | "zeroed") { 20 } else { 2 };
                    let others = others.count();
                    assert!(wrong == 0 && others <= most, "{name}: {others}, {wrong} of them sure");
                }
            }
        }
        fs::write(&path, &sound).unwrap();
    }
}

/// Ten records lost in a row over a launch's end: what is left of two launches looks like another launch's, or goes on as one.
#[test]
fn records_lost_over_the_end_of_a_launch_name_no_other_launch() {
    let dir = tempfile::tempdir().unwrap();
    for (chip, tiu, dma) in [("AKS", 16, 64), ("BM1688", 32, 256)] {
        for launches in [13, 15] {
            write(chip, 2, launches, dir.path());
            let path = dir.path().join("cdmlib0_0.profile");
            let sound = fs::read(&path).unwrap();
            let (expected, ..) = seen(dir.path());
            for (kind, size) in [(BlockKind::MonitorTiu, tiu), (BlockKind::MonitorGdma, dma)] {
                for at in 142..156 {
                    let damaged =
                        with_block(&sound, kind, |content| harm("ten lost", content, at, size));
                    fs::write(&path, damaged).unwrap();
                    let (found, _, is_told) = seen(dir.path());
                    let is_other = |(key, (what, _)): &(&_, &(String, bool))| {
                        expected.get(*key).is_some_and(|(expected, _)| expected != what)
                    };
                    let others = found.iter().filter(is_other);
                    let wrong = others.clone().filter(|(_, (_, is_sure))| *is_sure).count();
                    let name = format!("{chip} {launches} {kind:?} {at}");
                    assert!(is_told && wrong == 0 && others.count() <= 20, "{name}: {wrong}");
                }
            }
            fs::write(&path, &sound).unwrap();
        }
    }
}
