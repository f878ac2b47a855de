//! Blocks of a file, with notes of those that say nothing.

use bigtpu_format::{Block, BlockKind, UnknownBlocks, blocks};
use bigtpu_messages::{Arg, message};

use crate::ledger::Notes;

/// Notes a monitor block of a kind that the core's file already has.
pub(crate) fn further_monitor(block: &Block<'_>, notes: &mut Notes) {
    let (name, size) = (block.kind.name(), block.content.len() as u64);
    let message = message!("note-further-block", block = name, bytes = Arg::Bytes(size));
    notes.loss(block.offset, size, message);
}

/// A file's blocks, with notes of those that are unknown or cut.
pub(crate) fn sound_blocks<'d>(file: &'d [u8], notes: &mut Notes) -> Vec<Block<'d>> {
    let found = blocks(file);
    for run in &found.unknown {
        let UnknownBlocks { first, offset, count, bytes } = *run;
        let block = BlockKind::Unknown(first).message();
        let size = Arg::Bytes(bytes);
        let message = match count {
            1 => message!("note-skipped-block", block = block, bytes = size),
            _ => message!("note-skipped-blocks", block = block, more = count - 1, bytes = size),
        };
        notes.loss(offset, bytes, message);
    }
    if let Some(damage) = found.damage {
        notes.loss(
            damage.offset,
            damage.bytes,
            message!("note-damaged-tail", why = damage.what, bytes = Arg::Bytes(damage.bytes)),
        );
    }
    found.blocks
}
