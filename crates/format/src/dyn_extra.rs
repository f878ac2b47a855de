//! DYN_EXTRA items (section 3): the full bits of each PIO command, in order.
//!
//! ```text
//!  0      4       8         12
//!  +------+-------+---------+---------+
//!  |  id  | kind  | length  |  bytes  |   repeated, without padding
//!  +------+-------+---------+---------+
//! ```

use bigtpu_messages::{Arg, Message, message};

use crate::DamagedTail;

/// Bytes of an item's head.
pub const EXTRA_HEAD_BYTES: usize = 12;

/// The head of an item of kind 1, for `length` bytes.
#[must_use]
pub fn extra_head(id: u32, length: u32) -> [u8; EXTRA_HEAD_BYTES] {
    let mut head = [0; EXTRA_HEAD_BYTES];
    for (place, word) in head.chunks_exact_mut(4).zip([id, 1, length]) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    head
}

/// What an item holds. The kind does not matter for pairing: every PIO command takes one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtraKind {
    /// 0
    Text,
    /// 1
    Binary,
    /// 100
    Custom,
    /// Any other number.
    Unknown(u32),
}

/// One item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtraItem<'a> {
    /// Number of the item, as it says.
    pub id: u32,
    /// What it holds.
    pub kind: ExtraKind,
    /// Offset of `bytes` in the block, in bytes.
    pub offset: usize,
    /// The command's bits.
    pub bytes: &'a [u8],
}

/// Iterator over a DYN_EXTRA block. After its end, [`ExtraItems::damage`] says what is wrong with
/// the block's tail.
#[derive(Debug, Clone)]
pub struct ExtraItems<'a> {
    content: &'a [u8],
    at: usize,
    damage: Option<DamagedTail>,
}

impl<'a> ExtraItems<'a> {
    /// Walks a block's content.
    #[must_use]
    pub fn new(content: &'a [u8]) -> Self {
        Self { content, at: 0, damage: None }
    }

    /// What is wrong with the end of the block; offsets count from its start.
    #[must_use]
    pub fn damage(&self) -> Option<&DamagedTail> {
        self.damage.as_ref()
    }

    #[cold]
    fn stop(&mut self, what: Message) -> Option<ExtraItem<'a>> {
        let bytes = (self.content.len() - self.at) as u64;
        self.damage = Some(DamagedTail { offset: self.at as u64, bytes, what });
        self.at = self.content.len();
        None
    }
}

impl<'a> Iterator for ExtraItems<'a> {
    type Item = ExtraItem<'a>;

    // A part of the loop over commands, in which only those parts of an item are made that it asks for.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.content.get(self.at..)?;
        if rest.is_empty() {
            return None;
        }
        let Some((head, body)) = rest.split_at_checked(EXTRA_HEAD_BYTES) else {
            let left = Arg::Bytes(rest.len() as u64);
            return self.stop(message!("note-item-head-cut", left = left));
        };
        let field = |i: usize| {
            head.get(i..i + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        let length = field(8) as usize;
        let Some(bytes) = body.get(..length) else {
            let [length, left] = [length, body.len()].map(|bytes| Arg::Bytes(bytes as u64));
            return self.stop(message!("note-item-cut", length = length, left = left));
        };
        let kind = match field(4) {
            0 => ExtraKind::Text,
            1 => ExtraKind::Binary,
            100 => ExtraKind::Custom,
            n => ExtraKind::Unknown(n),
        };
        let offset = self.at + EXTRA_HEAD_BYTES;
        self.at = offset + length;
        Some(ExtraItem { id: field(0), kind, offset, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: u32, bytes: &[u8]) -> Vec<u8> {
        let mut out = extra_head(7, bytes.len() as u32).to_vec();
        out[4..8].copy_from_slice(&kind.to_le_bytes());
        out.extend(bytes);
        out
    }

    #[test]
    fn walks_items_of_any_length() {
        let mut block = item(1, &[1, 2, 3]);
        block.extend(item(9, &[]));
        let mut items = ExtraItems::new(&block);
        assert_eq!(items.next().unwrap().bytes, [1, 2, 3]);
        assert_eq!(items.next().unwrap().kind, ExtraKind::Unknown(9));
        assert!(items.next().is_none() && items.damage().is_none());
    }

    #[test]
    fn a_cut_item_is_damage() {
        let mut block = item(1, &[1, 2, 3]);
        block.extend(&item(1, &[4; 9])[..15]);
        let mut items = ExtraItems::new(&block);
        assert_eq!(items.by_ref().count(), 1);
        let damage = items.damage().unwrap();
        assert_eq!((damage.offset, damage.bytes), (15, 15));
    }
}
