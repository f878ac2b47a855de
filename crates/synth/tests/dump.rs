//! Dumps of any options: sound containers, the same bytes in memory, on disk and again.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use bigtpu_chip::{Chip, Engine, chips, walk};
use bigtpu_format::{BlockKind, DynNode, ExtraItems, Global, KvHeader, Words, blocks};
use bigtpu_synth::{Options, Style, generate, write};
use proptest::prelude::*;

fn options() -> impl Strategy<Value = Options> {
    let shape = (0..4usize, 0..4usize, 0..3u8, 0..14u64, 1..4u32, any::<u64>());
    let faults = (0..4u8, 0.0..0.3f64, 0.0..0.3f64, any::<bool>(), any::<bool>(), any::<bool>());
    (shape, faults).prop_map(|((chip, style, mode, launches, repeat, seed), faults)| {
        let mut with_words = chips().iter().filter(|chip| chip.has_words());
        let chip: &'static Chip = with_words.nth(chip).unwrap();
        let (ports, loss, disorder, lapped, wrap, idle) = faults;
        let style = [Style::Op, Style::Graph, Style::Bmodel, Style::Rvt][style];
        let has_front_end = chip.wrap.is_some() || chip.names.has_rvt();
        Options {
            style: if has_front_end { style } else { Style::Op },
            mode,
            launches,
            repeat,
            seed,
            ports: ports.min(chip.cdma_ports as u8),
            loss,
            disorder,
            lapped,
            wrap,
            idle: if idle { vec![0] } else { Vec::new() },
            ..Options::of_chip(chip.name).unwrap()
        }
    })
}

/// Everything that a reader of the format would call damage.
fn check(options: &Options, files: &BTreeMap<String, Vec<u8>>) {
    let global = Global::parse(std::str::from_utf8(&files["global.profile"]).unwrap());
    assert!(global.warnings.is_empty(), "{:?}", global.warnings);
    assert_eq!(global.is_static, options.style == Style::Bmodel);
    for (name, file) in files.iter().filter(|(name, _)| *name != "global.profile") {
        let found = blocks(file);
        assert_eq!(found.damage, None, "{name}");
        for block in found.blocks {
            check_block(options.chip, block.kind, block.content);
        }
    }
}

fn check_block(chip: &Chip, kind: BlockKind, content: &[u8]) {
    let (tiu, dma) = chip.record_bytes;
    let rest = |length: usize| assert_eq!(content.len() % length, 0, "{kind:?}");
    match kind {
        BlockKind::MonitorTiu => rest(tiu),
        BlockKind::MonitorGdma | BlockKind::MonitorSdma => rest(dma),
        BlockKind::MonitorCdma => rest(128),
        BlockKind::DynData => {
            for (_, node) in Words::new(content) {
                let sound =
                    !matches!(node, DynNode::Unknown(_) | DynNode::Cut(_) | DynNode::Skipped);
                assert!(sound, "{node:?}");
            }
        }
        BlockKind::DynExtra => {
            let mut items = ExtraItems::new(content);
            for item in items.by_ref() {
                // The engine is not known here; only one of them can decode the bits.
                let engines = [Engine::Tiu, Engine::Gdma, Engine::Cdma].into_iter();
                let mut decoded = engines.map(|engine| chip.ops(engine).decode(item.bytes));
                assert!(decoded.any(|command| command.is_ok_and(|c| c.bits == item.bytes)));
            }
            assert_eq!(items.damage(), None);
        }
        BlockKind::DesTiu => check_stream(chip, Engine::Tiu, content),
        BlockKind::DesGdma | BlockKind::DesSdma => check_stream(chip, Engine::Gdma, content),
        BlockKind::DesKv => {
            let (head, bits) = KvHeader::split(content).unwrap();
            let engine = if head.key / 8 % 8 == 0 { Engine::Tiu } else { Engine::Gdma };
            check_stream(chip, engine, bits);
            assert_eq!(walk(chip, engine, bits).commands.len(), head.count as usize);
        }
        other => panic!("no block {other:?} was asked for"),
    }
}

fn check_stream(chip: &Chip, engine: Engine, bits: &[u8]) {
    let stream = walk(chip, engine, bits);
    assert!(stream.commands.iter().all(|command| command.code.is_ok()));
    assert_eq!(stream.end, bigtpu_chip::StreamEnd::Sound);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_dump_is_sound_and_the_same_again(options in options()) {
        let files = generate(&options).unwrap();
        check(&options, &files);
        prop_assert!(files == generate(&options).unwrap(), "the second time is different");
        let dir = tempfile::tempdir().unwrap();
        let written = write(&options, dir.path()).unwrap();
        prop_assert_eq!(written.files, files.len());
        prop_assert_eq!(written.bytes, files.values().map(|file| file.len() as u64).sum::<u64>());
        for (name, bytes) in &files {
            prop_assert!(std::fs::read(dir.path().join(name)).unwrap() == *bytes, "{}", name);
        }
    }
}

#[test]
fn seeds_make_different_dumps() {
    let options = Options::of_chip("aks").unwrap();
    let other = Options { seed: 1, ..options.clone() };
    assert_ne!(generate(&options).unwrap(), generate(&other).unwrap());
}

#[test]
fn a_directory_that_holds_anything_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("cdmlib0_9.profile"), b"old").unwrap();
    let error = write(&Options::of_chip("aks").unwrap(), dir.path()).unwrap_err();
    assert!(error.to_string().contains("is not empty"), "{error}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}
