//! Damaged words and descriptors cost a launch at most.

use std::fs;

use bigtpu_format::{BlockKind, DynNode, Words, blocks};
use bigtpu_synth::{Options as Synth, Style, generate};

use crate::support::{seen, with_block};

/// The bounds of the words of a block's items: of DYN_DATA a kernel's name and both words of a stream are one item.
fn items(kind: BlockKind, content: &[u8]) -> Vec<usize> {
    match kind {
        BlockKind::DynData => Words::new(content).map(|(at, _)| at).collect(),
        _ => (0..content.len()).step_by(4).collect(),
    }
}

/// What is done to the items from `at` on.
fn harm_items(kind: &str, content: &mut Vec<u8>, bounds: &[usize], at: usize) {
    let [own, next] = [bounds[at], bounds[at + 1]];
    match kind {
        "lost" => drop(content.drain(own..next)),
        "ten lost" => drop(content.drain(own..bounds[at + 10])),
        "doubled" => {
            let item = content[own..next].to_vec();
            content.splice(own..own, item);
        }
        "exchanged" => content[own..bounds[at + 2]].rotate_left(next - own),
        "torn" => drop(content.drain(own + 1..next)),
        "a bit" => content[own + at % (next - own)] ^= 1 << (at / 3 % 8),
        _ => panic!("{kind}"),
    }
}

/// A damaged word costs the events of a launch at most, and is told if it costs any.
fn check_words(chip: &str, mode: u8, style: Style, blocks_of: &[BlockKind]) {
    const MOST: usize = 40;
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 12);
    (options.cores, options.seed) = (2, 9);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, ..) = seen(dir.path());
    for &block in blocks_of {
        let found = blocks(&whole);
        let content = found.blocks.iter().find(|b| b.kind == block).unwrap().content;
        let bounds = items(block, content);
        let kinds = [
            ("lost", 1),
            ("ten lost", 10),
            ("doubled", 1),
            ("exchanged", 2),
            ("torn", 1),
            ("a bit", 1),
        ];
        // Of a descriptor's bits many are no part of what is shown: see below.
        let kinds =
            kinds.iter().filter(|(kind, _)| *kind != "a bit" || block == BlockKind::DynData);
        for &(kind, own) in kinds {
            for at in (5..bounds.len() - 12).step_by(bounds.len() / 16) {
                let damaged =
                    with_block(&whole, block, |content| harm_items(kind, content, &bounds, at));
                fs::write(&path, damaged).unwrap();
                let (after, _, is_told) = seen(dir.path());
                let what = format!("{chip} {mode} {style:?} {kind} {block:?} {at}");
                let others = before
                    .iter()
                    .filter(|(key, (name, _))| after.get(key).is_none_or(|(now, _)| now != name))
                    .count();
                assert!(others <= own + MOST, "{what}: {others} events changed");
                assert!(is_told || others <= own, "{what}: {others} events changed, not told");
            }
        }
    }
}

/// A bit makes the key of another stream with as many commands of a stream's key: another core says which it was; of a core alone it is
/// told, and the launches that it may be of are doubtful.
#[test]
fn a_wrong_key_of_a_stream_is_put_right_or_told() {
    for cores in [1, 2] {
        let mut options = Synth::of_chip("BM1688").unwrap();
        (options.style, options.mode, options.launches) = (Style::Graph, 2, 12);
        (options.cores, options.seed) = (cores, 9);
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in generate(&options).unwrap() {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        let path = dir.path().join("cdmlib0_0.profile");
        let whole = fs::read(&path).unwrap();
        let (before, _, had_loss) = seen(dir.path());
        assert!(!had_loss);
        let found = blocks(&whole);
        let content = found.blocks.iter().find(|b| b.kind == BlockKind::DynData).unwrap().content;
        let dispatched: Vec<(usize, u32, u32)> = Words::new(content)
            .filter_map(|(at, node)| match node {
                DynNode::Des { key, count, .. } => Some((at, key, count)),
                _ => None,
            })
            .collect();
        let mut checked = 0;
        for &(at, key, count) in &dispatched {
            let is_other = |other: u32| dispatched.iter().any(|d| (d.1, d.2) == (other, count));
            for bit in (0..25).filter(|bit| is_other(key ^ 1 << bit)) {
                let place = 7 + bit;
                let flip = |content: &mut Vec<u8>| content[at + place / 8] ^= 1 << (place % 8);
                fs::write(&path, with_block(&whole, BlockKind::DynData, flip)).unwrap();
                let (after, _, is_told) = seen(dir.path());
                let what = format!("{cores} cores, key {key}, bit {bit}");
                assert!(is_told, "{what}: not told");
                let changed = before.iter().filter(|(key, (name, _))| after[key].0 != *name);
                let silent = changed.clone().filter(|(key, _)| after[key].1).count();
                assert_eq!(silent, 0, "{what}: other commands are sure");
                assert!(cores == 1 || changed.count() == 0, "{what}: not put right");
                checked += 1;
            }
        }
        assert!(checked > 0);
    }
}

#[test]
fn a_damaged_word_costs_a_launch_at_most() {
    check_words("AKS", 2, Style::Op, &[BlockKind::DynData]);
    check_words("AKS", 1, Style::Op, &[BlockKind::DynData]);
    check_words("AKSV", 2, Style::Graph, &[BlockKind::DynData]);
    check_words("CV84X6", 2, Style::Rvt, &[BlockKind::DynData]);
}

#[test]
fn a_damaged_descriptor_costs_a_launch_at_most() {
    let static_blocks = [BlockKind::DesTiu, BlockKind::DesGdma];
    check_words("AKS", 0, Style::Bmodel, &static_blocks);
    check_words("AKSV", 0, Style::Bmodel, &static_blocks);
    check_words("CV84X6", 0, Style::Bmodel, &static_blocks);
    check_words("AKS", 2, Style::Graph, &[BlockKind::DesKv]);
    check_words("BM1688", 2, Style::Graph, &[BlockKind::DesKv]);
}
