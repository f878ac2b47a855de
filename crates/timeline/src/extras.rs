//! The items of a core's DYN_EXTRA blocks: the full bits of its commands, in order.

use bigtpu_format::{Block, ExtraItems};

use crate::ledger::Notes;

/// A DYN_EXTRA item: its bytes, and where they start in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extra<'d> {
    pub(crate) offset: u64,
    pub(crate) bytes: &'d [u8],
}

/// The items of all DYN_EXTRA blocks of a core. There is one for each command, so that they are read where they are, and not kept.
#[derive(Debug, Default)]
pub(crate) struct Extras<'d> {
    /// Content, and its offset in the file.
    blocks: Vec<(&'d [u8], u64)>,
    /// Number of items.
    count: usize,
    /// Offset of the first item's bytes.
    first: Option<u64>,
}

impl<'d> Extras<'d> {
    /// Adds a block, and notes what is wrong with its end.
    pub(crate) fn add(&mut self, block: &Block<'d>, notes: &mut Notes) {
        let mut items = ExtraItems::new(block.content);
        for item in items.by_ref() {
            self.count += 1;
            self.first = self.first.or(Some(block.offset + item.offset as u64));
        }
        if let Some(damage) = items.damage() {
            let at = block.offset + damage.offset;
            notes.loss(
                at,
                damage.bytes,
                format!(
                    "DYN_EXTRA: {}; the {} bytes from there on are left out",
                    damage.what, damage.bytes
                ),
            );
        }
        self.blocks.push((block.content, block.offset));
    }

    /// Number of items.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Where the first item's bytes start in the file.
    pub(crate) fn first(&self) -> Option<u64> {
        self.first
    }

    /// The items in order.
    pub(crate) fn iter(&self) -> ExtraIter<'_, 'd> {
        ExtraIter { blocks: self.blocks.iter(), items: ExtraItems::new(&[]), offset: 0 }
    }
}

/// Iterator over the items of several blocks.
#[derive(Debug)]
pub(crate) struct ExtraIter<'a, 'd> {
    blocks: std::slice::Iter<'a, (&'d [u8], u64)>,
    /// What is left of the block, and its offset in the file.
    items: ExtraItems<'d>,
    offset: u64,
}

impl<'d> Iterator for ExtraIter<'_, 'd> {
    type Item = Extra<'d>;

    #[inline(always)]
    fn next(&mut self) -> Option<Extra<'d>> {
        loop {
            if let Some(item) = self.items.next() {
                return Some(Extra { offset: self.offset + item.offset as u64, bytes: item.bytes });
            }
            let (content, offset) = self.blocks.next()?;
            (self.items, self.offset) = (ExtraItems::new(content), *offset);
        }
    }
}
