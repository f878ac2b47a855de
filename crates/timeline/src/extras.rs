//! The items of a core's DYN_EXTRA blocks: the full bits of its commands, in order.

use bigtpu_format::{Block, BlockKind, DamagedTail, ExtraItems};
use bigtpu_messages::{Arg, message};

use crate::ledger::Notes;

/// A DYN_EXTRA item: its bytes, and where they start in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extra<'d> {
    /// Its number, as it says.
    pub(crate) id: u32,
    pub(crate) offset: u64,
    pub(crate) bytes: &'d [u8],
}

/// The items of all DYN_EXTRA blocks of a core. There is one for each command, so that they are read where they are, and not kept.
#[derive(Debug, Default)]
pub(crate) struct Extras<'d> {
    /// Content, and its offset in the file.
    blocks: Vec<(&'d [u8], u64)>,
}

impl<'d> Extras<'d> {
    /// Takes the DYN_EXTRA blocks of a file's blocks.
    pub(crate) fn read(blocks: &[Block<'d>]) -> Self {
        let own = blocks.iter().filter(|block| block.kind == BlockKind::DynExtra);
        Self { blocks: own.map(|block| (block.content, block.offset)).collect() }
    }

    /// Where the first item's bytes start in the file; `None` where there are no items.
    pub(crate) fn first(&self) -> Option<u64> {
        self.iter().next().map(|extra| extra.offset)
    }

    /// The blocks' contents, with their offsets in the file.
    pub(crate) fn blocks(&self) -> &[(&'d [u8], u64)] {
        &self.blocks
    }

    /// The items in order.
    pub(crate) fn iter(&self) -> ExtraIter<'_, 'd> {
        ExtraIter {
            blocks: self.blocks.iter(),
            items: ExtraItems::new(&[]),
            offset: 0,
            begun: 0,
            damages: Vec::new(),
        }
    }
}

/// What is wrong with the end of each DYN_EXTRA block, by block.
pub(crate) type Damages = Vec<Option<DamagedTail>>;

/// Notes what is wrong with the end of a block.
pub(crate) fn note_damage(block: &Block<'_>, damage: &DamagedTail, notes: &mut Notes) {
    let DamagedTail { offset, bytes, what } = damage;
    let (why, size) = (what.clone(), Arg::Bytes(*bytes));
    notes.loss(
        block.offset + offset,
        *bytes,
        message!("note-extra-damaged", why = why, bytes = size),
    );
}

/// Iterator over the items of several blocks.
#[derive(Debug)]
pub(crate) struct ExtraIter<'a, 'd> {
    blocks: std::slice::Iter<'a, (&'d [u8], u64)>,
    /// What is left of the block, and its offset in the file.
    items: ExtraItems<'d>,
    offset: u64,
    /// Blocks that were begun.
    begun: usize,
    /// What is wrong with the blocks that were read to their end.
    damages: Damages,
}

impl ExtraIter<'_, '_> {
    /// How many items are left, and what is wrong with each block.
    pub(crate) fn finish(mut self) -> (usize, Damages) {
        (self.by_ref().count(), self.damages)
    }

    /// Goes on to the next block; `None` behind the last one.
    #[cold]
    fn next_block(&mut self) -> Option<()> {
        if self.damages.len() < self.begun {
            self.damages.push(self.items.damage().cloned());
        }
        let (content, offset) = self.blocks.next()?;
        (self.items, self.offset) = (ExtraItems::new(content), *offset);
        self.begun += 1;
        Some(())
    }
}

impl<'d> Iterator for ExtraIter<'_, 'd> {
    type Item = Extra<'d>;

    #[inline(always)]
    fn next(&mut self) -> Option<Extra<'d>> {
        loop {
            if let Some(item) = self.items.next() {
                let offset = self.offset + item.offset as u64;
                return Some(Extra { id: item.id, offset, bytes: item.bytes });
            }
            self.next_block()?;
        }
    }
}
