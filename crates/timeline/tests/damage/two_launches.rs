//! A static model that was launched twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bigtpu_format::BlockKind;
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

use crate::support::with_block;

/// A model's launch twice: its streams and its records, the second ones 4 ms later.
fn write(chip: &str, sizes: (usize, usize), dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.seed) = (Style::Bmodel, 0, 7);
    (options.launches, options.cores, options.repeat) = (1, 1, 12);
    let mut files = generate(&options).unwrap();
    for (name, bytes) in &mut files {
        if name == "global.profile" {
            let text = String::from_utf8(std::mem::take(bytes)).unwrap();
            let lines = text.lines().filter(|line| !line.contains("_record="));
            *bytes = lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes();
            continue;
        }
        for kind in [BlockKind::DesTiu, BlockKind::DesGdma, BlockKind::DesSdma] {
            *bytes = with_block(bytes, kind, |content| content.extend(content.clone()));
        }
        let monitors = [(BlockKind::MonitorTiu, sizes.0), (BlockKind::MonitorGdma, sizes.1)];
        for (kind, size) in monitors {
            *bytes = with_block(bytes, kind, |content| {
                let filled = content.chunks_exact(size).take_while(|r| r.iter().any(|b| *b > 0));
                content.truncate(filled.count() * size);
                // The firmware's own records stand before the first launch only.
                let mut second = content[options.chip.preamble * size..].to_vec();
                for record in second.chunks_exact_mut(size) {
                    for word in record[..8].chunks_exact_mut(4) {
                        let time = u32::from_le_bytes(word.try_into().unwrap());
                        word.copy_from_slice(&time.wrapping_add(4_000_000).to_le_bytes());
                    }
                }
                content.extend(second);
            });
        }
    }
    for (name, bytes) in &files {
        fs::write(dir.join(name), bytes).unwrap();
    }
    files.into_iter().map(|(name, bytes)| (name.to_string(), bytes)).collect()
}

/// Records with a command, and records that are told as lost.
fn bound(dir: &Path) -> (usize, u64) {
    let dump = Dump::open(dir).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let tracks = profile.tracks();
    let bound = tracks.map(|t| t.events.binding.iter().filter(|b| b.is_bound()).count()).sum();
    (bound, profile.ledger.lines.iter().map(|line| line.counts.lost).sum())
}

/// With two launches one is a half of the run: its lengths say too little to find the other.
#[test]
fn damage_to_one_of_two_launches_costs_itself() {
    let dir = tempfile::tempdir().unwrap();
    for (chip, sizes) in [("AKS", (16, 64)), ("AKSV", (16, 64)), ("BM1688", (32, 256))] {
        let files = write(chip, sizes, dir.path());
        let (all, lost) = bound(dir.path());
        assert_eq!(lost, 0, "{chip}");
        let (name, sound) = files.iter().find(|(name, _)| name.starts_with("cdmlib")).unwrap();
        let monitors = [(BlockKind::MonitorTiu, sizes.0), (BlockKind::MonitorGdma, sizes.1)];
        for (kind, size) in monitors {
            for of_second in [0, 1, 5] {
                let damaged = with_block(sound, kind, |content| {
                    let preamble = Synth::of_chip(chip).unwrap().chip.preamble * size;
                    let at = preamble + (content.len() - preamble) / 2 + of_second * size;
                    content.drain(at..at + 2 * size);
                });
                fs::write(dir.path().join(name), damaged).unwrap();
                let (rest, lost) = bound(dir.path());
                assert_eq!((rest, lost), (all - 2, 2), "{chip} {kind:?} {of_second}");
            }
        }
        for name in files.keys() {
            fs::remove_file(dir.path().join(name)).unwrap();
        }
    }
}
