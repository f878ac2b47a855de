//! Records of CDMA ports: short calls and both threads of a port are kept whole.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;

use bigtpu_chip::Engine;
use bigtpu_format::blocks;
use bigtpu_synth::{Options as Synth, generate};
use bigtpu_timeline::{BuildOptions, Counts, Dump, Profile};

type Files = BTreeMap<String, Vec<u8>>;

const RECORD: usize = 128;

/// A session whose ports have calls of `repeat` tiles.
fn session(chip: &str, repeat: u32, seed: u64) -> Files {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.seed, options.repeat, options.launches) = (seed, repeat, 66);
    (options.ports, options.cores) = (3, options.chip.core_num);
    generate(&options).unwrap()
}

/// Changes the records of every port.
fn change(files: &mut Files, mut change: impl FnMut(&mut Vec<Vec<u8>>)) {
    for (_, file) in files.iter_mut().filter(|(name, _)| name.starts_with("cdma0_")) {
        let found = blocks(file).blocks;
        let [block] = found.as_slice() else { panic!("one block") };
        let from = block.offset as usize;
        let mut records: Vec<Vec<u8>> = file[from..].chunks(RECORD).map(<[u8]>::to_vec).collect();
        change(&mut records);
        file.splice(from.., records.concat());
    }
}

fn word(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(record[4 * at..4 * at + 4].try_into().unwrap())
}

/// The counts of the ports, and the losses that were told.
fn ports(files: &Files) -> (Vec<Counts>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(dir.path().join(name), bytes).unwrap());
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let lines = profile.ledger.lines.iter().filter(|l| l.engine_id.engine == Engine::Cdma);
    (
        lines.map(|l| l.counts).collect(),
        profile.ledger.notes.iter().map(|n| n.said().text).collect(),
    )
}

#[test]
fn calls_of_any_length_are_shown_whole() {
    for chip in ["aks", "aksv"] {
        for repeat in [1, 2, 3, 5, 12] {
            let (counts, notes) = ports(&session(chip, repeat, 7));
            assert_eq!(counts.len(), 3, "{chip} {repeat}");
            for counts in counts {
                assert!(counts.read > 2 + 3 * u64::from(repeat), "{counts:?}");
                assert_eq!(counts.matched + 2, counts.read, "{chip} {repeat}: {counts:?}");
            }
            assert!(notes.is_empty(), "{chip} {repeat}: {notes:?}");
        }
    }
}

/// Starts of the ports' events and of all the cores', by engine.
fn starts(files: &Files) -> (Vec<Vec<i64>>, i64, Vec<bool>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(dir.path().join(name), bytes).unwrap());
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let ports = profile.ports.iter().map(|track| track.events.start.to_vec()).collect();
    let first = profile.cores[0].tracks[1].events.start[0];
    let placed = profile.ports.iter().map(|track| track.is_placed).collect();
    (ports, first, placed, profile.ledger.notes.iter().map(ToString::to_string).collect())
}

/// The file with the sends that place the ports is missing: the kernel launches place them as well.
#[test]
fn ports_without_a_sync_pair_are_placed_by_their_launches() {
    for (chip, seed) in [("aks", 1), ("aksv", 2)] {
        let mut files = session(chip, 8, seed);
        let (true_ports, true_first, ..) = starts(&files);
        let last = files.keys().rfind(|name| name.starts_with("cdmlib")).unwrap().clone();
        files.remove(&last);
        let (ports, first, placed, notes) = starts(&files);
        for (nth, (port, truth)) in ports.iter().zip(&true_ports).enumerate() {
            if !placed[nth] {
                continue;
            }
            // The sync pair is shown, as nothing has used it.
            let port = &port[port.len() - truth.len()..];
            let off = (port[0] - first) - (truth[0] - true_first);
            assert!(off.abs() < 3000, "{chip} port {nth}: {off} ns off, {notes:?}");
        }
        assert!(placed.iter().filter(|&&placed| placed).count() >= 2, "{chip}: {notes:?}");
        assert!(notes.iter().any(|n| n.contains("its times are placed by")), "{notes:?}");
    }
}

/// Without commands nothing binds a port to a core: that is told, and the port is marked.
#[test]
fn ports_that_nothing_binds_are_told() {
    let mut files = session("aks", 4, 5);
    files.retain(|name, _| name != "cdmlib0_7.profile");
    for (_, file) in files.iter_mut().filter(|(name, _)| name.starts_with("cdmlib")) {
        let kept = blocks(file)
            .blocks
            .iter()
            .filter(|b| [3, 4, 11].contains(&b.kind.number()))
            .flat_map(|b| [&b.kind.head(b.content.len() as u32)[..], b.content].concat())
            .collect();
        *file = kept;
    }
    let (_, _, placed, notes) = starts(&files);
    assert_eq!(placed, [false; 3]);
    let told = notes.iter().filter(|n| n.contains("left out of the wall time")).count();
    assert_eq!(told, 3, "{notes:?}");
}

/// Both threads of a port count their ids together, and records are written when their commands end.
#[test]
fn both_threads_of_a_port_are_shown_whole() {
    for (chip, repeat) in [("aks", 1), ("aks", 8), ("aksv", 3), ("aksv", 20)] {
        let mut files = session(chip, repeat, 3);
        change(&mut files, |records| {
            for record in records.iter_mut().skip(2) {
                let (id, receives) = (word(record, 2), word(record, 14) > 0);
                let id = id | u32::from(receives) << 24;
                record[8..12].copy_from_slice(&id.to_le_bytes());
                if receives {
                    // It waits for its peer while the other thread goes on.
                    let end = word(record, 1) + 3000;
                    record[4..8].copy_from_slice(&end.to_le_bytes());
                }
            }
            records.sort_by_key(|record| word(record, 1));
        });
        let (counts, notes) = ports(&files);
        for counts in counts {
            assert_eq!(counts.matched + 2, counts.read, "{chip} {repeat}: {counts:?} {notes:?}");
            assert_eq!((counts.trimmed, counts.lost), (0, 0), "{chip} {repeat}");
        }
    }
}
