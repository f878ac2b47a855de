//! How many records are lost, and where, is told exactly.

use std::fs;
use std::path::Path;

use bigtpu_format::{BlockKind, blocks};
use bigtpu_messages::Language;
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Dump, Note, Profile, Severity};

use crate::support::{harm, with_block};

/// Where a record is lost is told with its file and byte, also where no command says what it was, and its number is exact.
#[test]
fn a_lost_record_is_told_with_its_place() {
    let kinds: &[(&str, Style, u8, u8)] = &[
        ("AKS", Style::Op, 0, 0),
        ("AKS", Style::Op, 1, 0),
        ("AKS", Style::Op, 2, 2),
        ("AKSV", Style::Bmodel, 0, 0),
        ("AKSV", Style::Graph, 2, 0),
    ];
    for &(chip, style, mode, ports) in kinds {
        let mut options = Synth::of_chip(chip).unwrap();
        (options.style, options.mode, options.ports) = (style, mode, ports);
        (options.launches, options.seed) = (6, 9);
        options.cores = if ports > 0 { 8 } else { 2 };
        let chip = options.chip;
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in generate(&options).unwrap() {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        let (tiu, dma) = chip.record_bytes;
        let mut monitors = vec![
            ("cdmlib0_0.profile", BlockKind::MonitorTiu, tiu, "TIU"),
            ("cdmlib0_0.profile", BlockKind::MonitorGdma, dma, "GDMA"),
        ];
        if ports > 0 {
            monitors.push(("cdma0_0.profile", BlockKind::MonitorCdma, 128, "CDMA"));
        }
        for (file, block, size, engine) in monitors {
            let path = dir.path().join(file);
            let whole = fs::read(&path).unwrap();
            let found = blocks(&whole);
            let content = found.blocks.iter().find(|b| b.kind == block).unwrap().content;
            let id = |at: usize| {
                let id = &content[at * size + 8..at * size + 12];
                u32::from_le_bytes(id.try_into().unwrap()) & 0xff_ffff
            };
            let is_inside = |at: &usize| id(at - 1) + 1 == id(*at) && id(*at) + 1 == id(at + 1);
            let inside = (6..content.len() / size - 6).filter(is_inside);
            for at in inside.step_by(11) {
                let damaged = with_block(&whole, block, |content| harm("lost", content, at, size));
                fs::write(&path, damaged).unwrap();
                let dump = Dump::open(dir.path()).unwrap();
                let ledger = Profile::build(&dump, &BuildOptions::default()).ledger;
                let lost: u64 = ledger.lines.iter().map(|line| line.counts.lost).sum();
                let what = format!("{} {style:?} {mode}: {engine} {at}", chip.name);
                assert_eq!(lost, 1, "{what}");
                let is_place = |note: &&Note| {
                    let text = note.message.text(Language::English);
                    note.severity == Severity::Loss
                        && note.offset.is_some()
                        && note.file.as_ref().is_some_and(|path| path.ends_with(file))
                        && text
                            .starts_with(&format!("{engine}: 1 record is lost before this place"))
                };
                let text = |note: &Note| note.message.text(Language::English);
                let notes: Vec<String> = ledger.notes.iter().map(text).collect();
                assert_eq!(ledger.notes.iter().filter(is_place).count(), 1, "{what}: {notes:?}");
            }
            fs::write(&path, &whole).unwrap();
        }
    }
}

/// Lost records by all lines of the ledger, and whether anything is told.
fn lost(dir: &Path) -> (u64, bool) {
    let dump = Dump::open(dir).unwrap();
    let ledger = Profile::build(&dump, &BuildOptions::default()).ledger;
    (ledger.lines.iter().map(|line| line.counts.lost).sum(), ledger.has_loss())
}

/// The number of lost records that is told is the true one for every kind of damage, also where `global.profile` counts none.
fn check_numbers(chip: &str, mode: u8, style: Style, has_counts: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 8);
    (options.cores, options.seed) = (2, 9);
    let chip = options.chip;
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    if !has_counts {
        let path = dir.path().join("global.profile");
        let global = fs::read_to_string(&path).unwrap();
        let lines = global.lines().filter(|line| !line.contains("_record="));
        fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    assert_eq!(lost(dir.path()), (0, false));
    let (tiu, dma) = chip.record_bytes;
    for (block, size) in [(BlockKind::MonitorTiu, tiu), (BlockKind::MonitorGdma, dma)] {
        let found = blocks(&whole);
        let records = found.blocks.iter().find(|b| b.kind == block).unwrap().content.len() / size;
        for (kind, number) in [
            ("lost", 1),
            ("ten lost", 10),
            ("zeroed", 1),
            ("torn", 1),
            ("doubled", 0),
            ("exchanged", 0),
            ("id", 0),
            ("start", 0),
            ("end", 0),
        ] {
            for at in (6..records - 14).step_by(37) {
                let damaged = with_block(&whole, block, |content| harm(kind, content, at, size));
                fs::write(&path, damaged).unwrap();
                let (told, _) = lost(dir.path());
                let what =
                    format!("{} {style:?} {mode} {has_counts}: {kind} {block:?} {at}", chip.name);
                if told != number {
                    wrong.push(format!("{what}: {told} for {number}"));
                }
            }
        }
    }
    wrong
}

#[test]
fn the_number_of_lost_records_is_exact_for_every_kind_of_damage() {
    let runs = [
        ("AKS", 2, Style::Op),
        ("AKS", 0, Style::Op),
        ("AKSV", 0, Style::Bmodel),
        ("AKSV", 1, Style::Graph),
        ("BM1688", 1, Style::Op),
        ("CV84X6", 2, Style::Rvt),
    ];
    // Without commands and without the runtime's counts nothing says how many records there were.
    let says_nothing = |mode: u8, style: Style| mode == 0 && style == Style::Op;
    let both = runs.iter().flat_map(|run| [(run, true), (run, false)]);
    let both =
        both.filter(|((_, mode, style), has_counts)| *has_counts || !says_nothing(*mode, *style));
    let wrong = both.flat_map(|(&(chip, mode, style), has_counts)| {
        check_numbers(chip, mode, style, has_counts)
    });
    assert_eq!(wrong.collect::<Vec<String>>(), Vec::<String>::new());
}
