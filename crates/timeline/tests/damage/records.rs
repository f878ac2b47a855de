//! Damaged records cost themselves.

use std::fs;

use bigtpu_format::{BlockKind, blocks};
use bigtpu_synth::{Options as Synth, Style, generate};

use crate::support::{copy_of_real, harm, seen, with_block};

/// A damaged record costs at most `most` other events their command or their time, and is told.
fn check(chip: &str, mode: u8, style: Style) {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 8);
    (options.cores, options.seed) = (2, 9);
    let chip = options.chip;
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, wall, had_loss) = seen(dir.path());
    assert!(!had_loss);
    let sizes = [
        (BlockKind::MonitorTiu, chip.record_bytes.0),
        (BlockKind::MonitorGdma, chip.record_bytes.1),
    ];
    for (block, size) in sizes {
        let found = blocks(&whole);
        let records = found.blocks.iter().find(|b| b.kind == block).unwrap().content.len() / size;
        let kinds = [
            ("lost", 1, 2),
            ("ten lost", 10, 20),
            ("doubled", 0, 2),
            ("exchanged", 0, 2),
            ("zeroed", 1, 20),
            ("torn", 1, 20),
            ("id", 1, 2),
            ("start", 1, 2),
            ("end", 1, 2),
        ];
        for (kind, own, most) in kinds {
            for at in (6..records - 14).step_by(23) {
                let damaged = with_block(&whole, block, |content| harm(kind, content, at, size));
                fs::write(&path, damaged).unwrap();
                let (after, damaged_wall, is_told) = seen(dir.path());
                let what = format!("{} {kind} {block:?} {at} of {records}", chip.name);
                let others = before
                    .iter()
                    .filter(|(key, (name, _))| after.get(key).is_none_or(|(now, _)| now != name))
                    .count();
                assert!(others <= own + most, "{what}: {others} events changed");
                let is_wrong = others > 0 || (damaged_wall - wall).abs() * 100 > wall;
                assert!(is_told || !is_wrong, "{what}: wrong and not told");
            }
        }
    }
}

/// Wherever a record is damaged, at the first and the last commands of a model as well, beside which the runtime's own records stand.
#[test]
fn a_damaged_record_of_a_model_costs_itself() {
    let dir = copy_of_real();
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, ..) = seen(dir.path());
    let check = |damaged: Vec<u8>, most: usize, what: &str| {
        fs::write(&path, damaged).unwrap();
        let (after, _, is_told) = seen(dir.path());
        let is_changed = |(key, (name, _)): &(_, &(String, bool))| {
            after.get(*key).is_none_or(|(now, _)| now != name)
        };
        let changed = before.iter().filter(is_changed).count();
        assert!(changed <= most, "{what}: {changed} events changed");
        assert!(is_told || changed == 0, "{what} is not told");
    };
    for (block, size, records) in
        [(BlockKind::MonitorTiu, 16, 87), (BlockKind::MonitorGdma, 64, 170)]
    {
        // Two records of the runtime's own, of which nothing is shown, are before the first of these and behind the last.
        for at in 2..records - 2 {
            for bit in [0, 1, 3, 5, 8, 15] {
                let damaged = with_block(&whole, block, |content| {
                    content[at * size + 8 + bit / 8] ^= 1 << (bit % 8);
                });
                check(damaged, 2, &format!("bit {bit} of the id of {block:?} {at}"));
            }
        }
        // Times count from the last event, which stays.
        for at in 2..records - 5 {
            for kind in ["lost", "doubled", "exchanged", "zeroed", "torn"] {
                let damaged = with_block(&whole, block, |content| harm(kind, content, at, size));
                check(damaged, 3, &format!("{kind} {block:?} {at}"));
            }
        }
        // The first of the model, at which its ids begin, and another one.
        for (first, at) in (3..6).flat_map(|first| (8..records - 5).map(move |at| (first, at))) {
            let damaged = with_block(&whole, block, |content| {
                harm("lost", content, at, size);
                harm("lost", content, first, size);
            });
            check(damaged, 4, &format!("{block:?} {first} and {at} lost"));
        }
    }
}

/// In capture mode 0 a record's mark as that of a system command is all that is known of it: a wrong one costs itself, and is told.
#[test]
fn a_wrong_mark_of_a_system_command_costs_itself() {
    let mut options = Synth::of_chip("AKS").unwrap();
    (options.style, options.mode, options.launches) = (Style::Op, 0, 12);
    (options.cores, options.seed) = (2, 9);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let found = blocks(&whole);
    let monitor = found.blocks.iter().find(|b| b.kind == BlockKind::MonitorTiu).unwrap();
    let flags = |at: usize| monitor.content[16 * at + 12];
    let (before, ..) = seen(dir.path());
    for at in (5..monitor.content.len() / 16 - 5).filter(|at| flags(*at) == 2 || at % 29 == 0) {
        for bit in [1, 3, 20] {
            let damaged = with_block(&whole, BlockKind::MonitorTiu, |content| {
                content[16 * at + 12 + bit / 8] ^= 1 << (bit % 8);
            });
            fs::write(&path, damaged).unwrap();
            let (after, _, is_told) = seen(dir.path());
            let others = before
                .iter()
                .filter(|(key, (name, _))| after.get(key).is_none_or(|(now, _)| now != name))
                .count();
            assert!(others <= 1, "bit {bit} of record {at}: {others} events changed");
            assert!(is_told || others == 0, "bit {bit} of record {at} is not told");
        }
    }
}

#[test]
fn a_damaged_record_costs_itself() {
    check("AKS", 2, Style::Op);
    check("AKSV", 2, Style::Graph);
    check("BM1688", 1, Style::Op);
    check("CV84X6", 2, Style::Op);
}
