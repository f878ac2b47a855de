//! Sound dumps have no loss.

use std::fs;

use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Dump, Note, Profile, Severity};

/// Long waits and large transfers, at the ends of an engine's records and between them, are no damage.
#[test]
fn sound_dumps_of_all_chips_and_styles_have_no_loss() {
    let kinds: &[(&str, Style, u8, u8)] = &[
        ("AKS", Style::Op, 2, 2),
        ("AKS", Style::Op, 1, 0),
        ("AKS", Style::Op, 0, 0),
        ("AKSV", Style::Op, 2, 2),
        ("AKSV", Style::Rvt, 2, 0),
        ("AKSV", Style::Graph, 2, 0),
        ("BM1688", Style::Op, 2, 0),
        ("BM1688", Style::Graph, 2, 0),
        ("CV84X6", Style::Op, 2, 0),
        ("CV84X6", Style::Rvt, 2, 0),
    ];
    for &(chip, style, mode, ports) in kinds {
        for seed in [1, 9, 23] {
            let mut options = Synth::of_chip(chip).unwrap();
            (options.style, options.mode, options.ports) = (style, mode, ports);
            (options.launches, options.seed) = (6, seed);
            // Ports are those of all cores of the chip.
            options.cores = match (ports, chip) {
                (0, _) => 2,
                (_, "AKS") => 8,
                _ => 4,
            };
            let dir = tempfile::tempdir().unwrap();
            for (name, bytes) in generate(&options).unwrap() {
                fs::write(dir.path().join(name), bytes).unwrap();
            }
            let dump = Dump::open(dir.path()).unwrap();
            let notes = Profile::build(&dump, &BuildOptions::default()).ledger.notes;
            let is_loss = |note: &&Note| note.severity == Severity::Loss;
            let losses: Vec<&Note> = notes.iter().filter(is_loss).collect();
            assert!(losses.is_empty(), "{chip} {style:?} {mode} {seed}: {losses:?}");
        }
    }
}
