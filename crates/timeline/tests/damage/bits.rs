//! Damaged full bits of commands: what views show of them, and what is told.

use std::fs;
use std::path::Path;

use bigtpu_chip::{Direction, Engine, Slot};
use bigtpu_format::{BlockKind, blocks};
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

use crate::support::{copy_of_real, with_block};

/// On a core alone nothing says what the damaged commands were, but where the next ones begin and how many records there are.
#[test]
fn bytes_lost_across_two_descriptors_cost_both_and_no_other() {
    let dir = copy_of_real();
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, _) = shown(dir.path());
    for at in (100..14_000).step_by(4 * 61) {
        let damaged = with_block(&whole, BlockKind::DesGdma, |content| {
            content.drain(at..at + 40);
        });
        fs::write(&path, damaged).unwrap();
        let (after, is_told) = shown(dir.path());
        let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
        assert_eq!(before.len(), after.len(), "{at}");
        assert!(changed <= 2, "{at}: {changed} commands changed");
        assert!(is_told, "{at}: not told");
    }
}

/// What views show of the commands of core 0, in the order of their records, and whether a loss is told.
fn shown(dir: &Path) -> (Vec<String>, bool) {
    let dump = Dump::open(dir).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let chip = profile.chip;
    let mut shown = Vec::new();
    for track in profile.tracks().filter(|track| track.engine_id.index == 0) {
        for i in 0..track.events.len() {
            let Some(command) = profile.command(track, i) else {
                shown.push(format!("{:?}", track.events.binding[i]));
                continue;
            };
            let slots = [Slot::Res0N, Slot::Res0C, Slot::Res0H, Slot::Res0W, Slot::Opd1C];
            let dma = [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW, Slot::DataFormat];
            let (slots, direction) = match track.engine_id.engine {
                Engine::Tiu => (slots, None),
                _ => (dma, Some(Direction::of_command(chip, &command))),
            };
            let values = slots.map(|slot| command.get(slot));
            let name = (command.op.name, command.variant_name());
            shown.push(format!("{name:?} {values:?} {direction:?}"));
        }
    }
    (shown, profile.ledger.has_loss())
}

/// Any bit of a command's full bits that changes what is shown of it is told, where another core did the same commands.
fn check_bits(chip: &str, mode: u8, style: Style, blocks_of: &[BlockKind]) {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 6);
    (options.cores, options.seed) = (2, 9);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, had_loss) = shown(dir.path());
    assert!(!had_loss);
    let mut changed = 0;
    for &block in blocks_of {
        let found = blocks(&whole);
        let bytes = found.blocks.iter().find(|b| b.kind == block).unwrap().content.len();
        for at in (12..bytes).step_by(bytes / 60) {
            let bit = at / 7 % 8;
            let damaged = with_block(&whole, block, |content| content[at] ^= 1 << bit);
            fs::write(&path, damaged).unwrap();
            let (after, is_told) = shown(dir.path());
            let is_wrong = after != before;
            changed += usize::from(is_wrong);
            let what = format!("{chip} {mode} {style:?} {block:?}: bit {bit} of byte {at}");
            let pairs = before.iter().zip(&after).filter(|(a, b)| a != b);
            assert!(
                !is_wrong || is_told,
                "{what} is not told: {:?}",
                pairs.take(3).collect::<Vec<_>>()
            );
        }
    }
    assert!(changed > 2, "{chip} {mode} {style:?}: {changed} bits change what is shown");
}

#[test]
fn a_bit_of_a_command_that_another_core_contradicts_is_told() {
    let of_model = [BlockKind::DesTiu, BlockKind::DesGdma];
    check_bits("AKS", 0, Style::Bmodel, &of_model);
    check_bits("BM1688", 0, Style::Bmodel, &of_model);
    check_bits("CV84X6", 0, Style::Bmodel, &of_model);
    check_bits("AKSV", 2, Style::Graph, &[BlockKind::DesKv]);
    check_bits("BM1688", 2, Style::Graph, &[BlockKind::DesKv]);
    check_bits("AKS", 2, Style::Op, &[BlockKind::DynExtra]);
}
