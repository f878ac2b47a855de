//! Damaged times change neither the wall time nor go untold.

use std::fs;

use bigtpu_format::{BlockKind, blocks};
use bigtpu_synth::{Options as Synth, Style, generate};

use crate::support::{seen, with_block};

/// Each bit of a record's start and end changed, in twenty records of each engine: the run takes as long as before, to
/// within 1 %, or the fault is told. The first start and the last end have no neighbour: there only what makes their record
/// 64 times longer than any other is told, or 1024 times where it may be a wait. `DAMAGE=whole` changes all bits, else one of seven.
fn check_time_bits(chip: &str, mode: u8, style: Style) {
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
    let (_, wall, had_loss) = seen(dir.path());
    assert!(!had_loss);
    let step = if std::env::var("DAMAGE").is_ok_and(|which| which == "whole") { 1 } else { 7 };
    let sizes = [
        (BlockKind::MonitorTiu, chip.record_bytes.0),
        (BlockKind::MonitorGdma, chip.record_bytes.1),
    ];
    for (block, size) in sizes {
        let found = blocks(&whole);
        let content = found.blocks.iter().find(|b| b.kind == block).unwrap().content;
        let records = content.len() / size;
        let word = |at: usize| u32::from_le_bytes(content[at..at + 4].try_into().unwrap());
        let cycles = (1..records - 1).map(|i| word(i * size + 4).wrapping_sub(word(i * size)));
        // Clocks are not below 750 MHz. What may be a wait lasts longer; of AKS the TIU marks its own.
        let longest = i64::from(cycles.max().unwrap()) * 4 / 3;
        let is_work = |at: usize| {
            chip.name == "AKS" && block == BlockKind::MonitorTiu && word(at * size + 12) != 2
        };
        for nth in 0..20 {
            let at = nth * (records - 1) / 19;
            for bit in (0..64).filter(|bit| (bit + nth) % step == 0) {
                let damaged = with_block(&whole, block, |content| {
                    content[at * size + bit / 8] ^= 1 << (bit % 8);
                });
                fs::write(&path, damaged).unwrap();
                let (_, now, is_told) = seen(dir.path());
                let is_right = (now - wall).abs() * 100 <= wall;
                let what = format!("{} {block:?}: bit {bit} of record {at}", chip.name);
                let is_edge = (nth == 0 && bit < 32) || (nth == 19 && bit >= 32);
                let untold = longest * if is_work(at) { 64 } else { 1024 };
                let is_right = is_right || is_edge && (now - wall).abs() <= untold;
                assert!(is_right || is_told, "{what}: {wall} ns became {now} ns");
            }
        }
    }
}

#[test]
fn a_wrong_bit_of_a_time_is_told_or_changes_nothing() {
    check_time_bits("AKS", 2, Style::Op);
    check_time_bits("AKS", 0, Style::Bmodel);
    check_time_bits("AKSV", 2, Style::Graph);
    check_time_bits("BM1688", 1, Style::Op);
    check_time_bits("BM1688", 0, Style::Bmodel);
    check_time_bits("CV84X6", 2, Style::Rvt);
}
