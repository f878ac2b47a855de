//! DYN_DATA of firmware of the time of bigTpuProfile 0.1 (section 3): items of 8 bytes with explicit ids.
//!
//! ```text
//!   31        21 20    16 15    11 10   8 7      0
//!  +------------+--------+--------+------+--------+
//!  |    info    |  sub   |  type  |engine|  kind  |   then u32 id, counted from 1
//!  +------------+--------+--------+------+--------+
//! ```
//!
//! The first item is FFFFFFFF, 0. Engines: 0 TIU, 1 GDMA, 2 HAU, 3 SDMA, 4 CDMA, 5 VSDMA on every chip.

use crate::{Word, WordKind};

/// Bytes of an item.
const OLD_ITEM_BYTES: usize = 8;

/// One item: its word in today's layout, with the engine's old number, and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldItem {
    /// Where it is in the block, in bytes.
    pub offset: usize,
    /// The command.
    pub word: Word,
    /// Its id, counted from 1.
    pub id: u32,
    /// Whether the item dispatches a command.
    pub is_command: bool,
}

/// Whether a block is of the old layout.
#[must_use]
pub fn is_old_dyn_data(content: &[u8]) -> bool {
    content.starts_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
}

/// The items behind the first.
pub fn old_items(content: &[u8]) -> impl Iterator<Item = OldItem> {
    let items = content.as_chunks::<OLD_ITEM_BYTES>().0;
    items.iter().enumerate().skip(1).map(|(place, &[a, b, c, d, id @ ..])| {
        let raw = u32::from_le_bytes([a, b, c, d]);
        let bits = |at: u32, width: u32| (raw >> at) & ((1 << width) - 1);
        let kind = bits(0, 8) as u8;
        OldItem {
            offset: place * OLD_ITEM_BYTES,
            word: Word::new(
                kind,
                bits(8, 3) as u8,
                bits(11, 5) as u8,
                bits(16, 5) as u8,
                bits(21, 11) as u16,
            ),
            id: u32::from_le_bytes(id),
            is_command: WordKind::NodeSet.number() == Some(kind),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_items_have_shifted_fields_and_their_own_ids() {
        let mut block = vec![0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
        block.extend(0x0183_3101_u32.to_le_bytes());
        block.extend(2u32.to_le_bytes());
        assert!(is_old_dyn_data(&block));
        let items: Vec<_> = old_items(&block).collect();
        let word = Word::new(1, 1, 6, 3, 12);
        assert_eq!(items, [OldItem { offset: 8, word, id: 2, is_command: true }]);
    }
}
