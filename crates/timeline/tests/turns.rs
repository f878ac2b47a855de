//! A counter that turns over changes nothing: a session whose counters run over anywhere, with lapped rings, lost
//! records and records out of order, has the times of the same session without it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;

use bigtpu_format::{BlockKind, blocks};
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Dump, Profile};
use proptest::prelude::*;

type Files = BTreeMap<String, Vec<u8>>;

/// Sets the counters of a file `us` ahead, modulo 2^32: start and end are the first two words of every record.
fn turn(chip: &bigtpu_chip::Chip, file: &mut [u8], us: u64) {
    let number = |key| chip.arch_number(key).unwrap() as u64;
    let (tiu, dma) = (number("TIU Frequency(MHz)"), number("DMA Frequency(MHz)"));
    let spans: Vec<(usize, usize, usize, u64)> = blocks(file)
        .blocks
        .iter()
        .filter_map(|block| {
            let (size, mhz) = match block.kind {
                BlockKind::MonitorTiu => (chip.record_bytes.0, tiu),
                BlockKind::MonitorGdma | BlockKind::MonitorSdma => (chip.record_bytes.1, dma),
                BlockKind::MonitorCdma => (128, dma),
                _ => return None,
            };
            Some((block.offset as usize, block.content.len(), size, mhz))
        })
        .collect();
    for (at, length, size, mhz) in spans {
        let ahead = (us * mhz) as u32;
        for record in file[at..at + length].chunks_exact_mut(size) {
            for word in record[..8].chunks_exact_mut(4) {
                let time = u32::from_le_bytes(word.try_into().unwrap()).wrapping_add(ahead);
                word.copy_from_slice(&time.to_le_bytes());
            }
        }
    }
}

/// What is known of each record of a track, and where its times lie on the common time line.
type Track = (String, Vec<(i64, u32, i64, i64)>);

fn tracks(files: &Files) -> (Vec<Track>, Vec<u64>) {
    let dir = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(dir.path().join(name), bytes).unwrap());
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let tracks = profile.tracks().map(|track| {
        let events = &track.events;
        let rows = (0..events.len())
            .map(|i| {
                (events.id.value_at(i), events.record.value_at(i), events.start[i], events.end[i])
            })
            .collect();
        (track.engine_id.to_string(), rows)
    });
    let lost = profile.ledger.lines.iter().map(|line| line.counts.lost).collect();
    (tracks.collect(), lost)
}

/// Checks that both hold the same records at the same times, but for rounding: each turn that is added to either clock
/// is rounded to whole ns.
fn assert_same(what: &str, plain: &Files, turned: &Files) {
    let ((plain, plain_lost), (turned, turned_lost)) = (tracks(plain), tracks(turned));
    assert_eq!(plain_lost, turned_lost, "{what}");
    assert_eq!(plain.len(), turned.len(), "{what}");
    for ((name, plain), (_, turned)) in plain.iter().zip(&turned) {
        assert_eq!(plain.len(), turned.len(), "{what}, {name}");
        for (a, b) in plain.iter().zip(turned) {
            let is_same =
                (a.0, a.1) == (b.0, b.1) && (a.2 - b.2).abs() <= 4 && (a.3 - b.3).abs() <= 4;
            assert!(is_same, "{what}, {name}: {a:?} became {b:?}");
        }
    }
}

fn wall(files: &Files) -> i64 {
    let (tracks, _) = tracks(files);
    let rows = || tracks.iter().flat_map(|(_, rows)| rows);
    rows().map(|row| row.3).max().unwrap() - rows().map(|row| row.2).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each core and port has counters of its own, up to three turns ahead, most of them close to the run-over.
    #[test]
    fn a_session_with_turns_equals_the_one_without(
        chip in prop::sample::select(vec!["aks", "aksv", "bm1688", "cv84x6"]),
        seed in any::<u64>(),
        lapped in any::<bool>(),
        loss in prop::sample::select(vec![0.0, 0.01, 0.05]),
        disorder in prop::sample::select(vec![0.0, 0.05, 0.2]),
        ahead in prop::collection::vec((0u64..3, any::<bool>(), 0u64..2_000), 16),
    ) {
        let mut options = Synth::of_chip(chip).unwrap();
        (options.seed, options.lapped, options.loss, options.disorder) = (seed, lapped, loss, disorder);
        // Launches 5 and 16 use SDMA and ports.
        (options.cores, options.launches, options.repeat) = (2.min(options.cores), 17, 2);
        options.ports = options.chip.cdma_ports.min(2) as u8;
        // Ports hang on the anchor core's SDMA, the last of the chip.
        if options.ports > 0 {
            options.cores = options.chip.core_num;
        }
        let plain = generate(&options).unwrap();
        let number = |key| options.chip.arch_number(key).unwrap();
        let mut turned = plain.clone();
        let files = turned.iter_mut().filter(|(name, _)| *name != "global.profile");
        for ((_, file), (turns, of_tiu, early)) in files.zip(&ahead) {
            let key = if *of_tiu { "TIU Frequency(MHz)" } else { "DMA Frequency(MHz)" };
            let turn_us = ((1u64 << 32) as f64 / number(key)) as u64;
            turn(options.chip, file, (turns + 1) * turn_us - early);
        }
        let what = format!("{chip} seed {seed} lapped {lapped} loss {loss} disorder {disorder} {ahead:?}");
        assert_same(&what, &plain, &turned);
    }
}

/// Counters of two rates stand anywhere, long after their start: TIU and DMA stay together.
#[test]
fn counters_of_two_rates_may_stand_anywhere() {
    for (chip, style, mode) in [
        ("bm1688", Style::Op, 0),
        ("bm1688", Style::Op, 1),
        ("bm1688", Style::Bmodel, 1),
        ("cv84x6", Style::Op, 0),
        ("cv84x6", Style::Op, 2),
        ("cv84x6", Style::Bmodel, 1),
    ] {
        let mut options = Synth::of_chip(chip).unwrap();
        (options.style, options.mode, options.launches, options.cores) = (style, mode, 6, 2);
        let plain = generate(&options).unwrap();
        for seconds in [5, 20, 28, 29, 60, 97, 3601] {
            let mut turned = plain.clone();
            let files = turned.iter_mut().filter(|(name, _)| *name != "global.profile");
            for ((_, file), core) in files.zip(0..) {
                turn(options.chip, file, seconds * 1_000_000 + core * 700_000);
            }
            assert_same(&format!("{chip} {style:?} {mode} at {seconds} s"), &plain, &turned);
        }
    }
}

/// The first record behind the wrap is out of order: it is put back as any other.
#[test]
fn disorder_behind_a_wrap_loses_nothing() {
    for chip in ["aks", "aksv"] {
        for seed in 0..8 {
            let mut options = Synth::of_chip(chip).unwrap();
            (options.seed, options.launches, options.disorder) = (seed, 24, 0.05);
            let plain = generate(&options).unwrap();
            options.wrap = true;
            assert_same(&format!("{chip} seed {seed}"), &plain, &generate(&options).unwrap());
        }
    }
}

/// Seeds and chips on which a part of a track was lifted by a whole turn.
#[test]
fn sessions_of_a_millisecond_stay_that_short() {
    for (chip, ports) in [("aks", 0), ("aksv", 0), ("aks", 2), ("bm1688", 0), ("cv84x6", 0)] {
        for seed in 0..10 {
            let mut options = Synth::of_chip(chip).unwrap();
            (options.seed, options.ports, options.disorder) = (seed, ports, 0.05);
            (options.wrap, options.lapped, options.loss) = (true, ports == 0, 0.01);
            options.launches = 22;
            let wall = wall(&generate(&options).unwrap());
            assert!(wall < 5_000_000, "{chip}, {ports} ports, seed {seed}: {wall} ns");
        }
    }
}

/// What the ids leave open is decided by the times of other engines: on the same turns.
#[test]
fn losses_at_the_start_are_the_same_on_any_turn() {
    let mut options = Synth::of_chip("cv84x6").unwrap();
    (options.seed, options.loss, options.disorder) = (5_515_089_451_555_396_833, 0.05, 0.2);
    (options.cores, options.launches, options.repeat) = (2.min(options.cores), 17, 2);
    let plain = generate(&options).unwrap();
    for seconds in [3, 9] {
        let mut turned = plain.clone();
        let files = turned.iter_mut().filter(|(name, _)| *name != "global.profile");
        files.for_each(|(_, file)| turn(options.chip, file, seconds * 1_000_000));
        assert_same(&format!("{seconds} s"), &plain, &turned);
    }
}
