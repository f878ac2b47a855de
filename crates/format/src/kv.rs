//! The head of a DES_KV block (section 3).
//!
//! ```text
//!  0      4          8     12
//!  +------+----------+-----+--------------+
//!  | key  | cmd_num  | id  | descriptors  |
//!  +------+----------+-----+--------------+
//! ```

/// What names a cached descriptor stream: DYN_DATA dispatches it by key and count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KvHeader {
    /// Key of the stream.
    pub key: u32,
    /// Commands in the stream, as the runtime counted them.
    pub count: u32,
}

impl KvHeader {
    /// Bytes of the head.
    pub const BYTES: usize = 12;

    /// The head as bytes, with the id that follows key and count.
    #[must_use]
    pub fn head(self, id: u32) -> [u8; Self::BYTES] {
        let mut head = [0; Self::BYTES];
        let words = [self.key, self.count, id];
        for (place, word) in head.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        head
    }

    /// Splits a block into its head and the descriptors; `None` when it is too short.
    #[must_use]
    pub fn split(content: &[u8]) -> Option<(Self, &[u8])> {
        let (head, descriptors) = content.split_at_checked(Self::BYTES)?;
        let field = |i: usize| Some(u32::from_le_bytes(head.get(i..i + 4)?.try_into().ok()?));
        Some((Self { key: field(0)?, count: field(4)? }, descriptors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_header_and_descriptors() {
        let block = [1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 0xaa];
        let (head, rest) = KvHeader::split(&block).unwrap();
        assert_eq!(head, KvHeader { key: 1, count: 2 });
        assert_eq!(rest, [0xaa]);
        assert_eq!(KvHeader::split(&block[..11]), None);
    }
}
