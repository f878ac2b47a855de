//! Short pieces of protobuf, which are appended at once.
//!
//! A vector that is pushed to asks for room byte by byte. Most packets consist of numbers of one to four bytes, so that
//! this question took longer than the bytes. Here a piece of a fixed size is appended whole, and the vector is then cut
//! to the bytes that count.

use crate::spread::spread;

/// Appends the lowest `count` bytes of a number, the lowest first.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, bytes: u128, count: usize) {
    let end = out.len() + count;
    out.extend_from_slice(&bytes.to_le_bytes());
    out.truncate(end);
}

/// A number as it goes over the wire, the first byte lowest, and how many bytes of it count; `None` where it takes more
/// than 8.
#[inline]
pub(crate) fn wire_word(value: u64) -> Option<(u64, usize)> {
    if value < 0x80 {
        return Some((value, 1));
    }
    if value >= 1 << 56 {
        return None;
    }
    let eighths = spread(value);
    let last = (63 - eighths.leading_zeros()) / 8;
    // All bytes but the last say that more follow.
    let more = 0x8080_8080_8080_8080 & ((1 << (8 * last)) - 1);
    Some((eighths | more, last as usize + 1))
}

/// Sets the bits of a word at a place, eight bytes at once: those that are set there already stay.
#[inline]
pub(crate) fn put(bytes: &mut [u8], at: usize, word: u64) {
    if let Some(place) = bytes.get_mut(at..at + 8).and_then(|place| place.first_chunk_mut()) {
        *place = (u64::from_le_bytes(*place) | word).to_le_bytes();
    }
}

/// Sets the bits of a word at a place, four bytes at once: those that are set there already stay.
#[inline]
pub(crate) fn put_narrow(bytes: &mut [u8], at: usize, word: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4).and_then(|place| place.first_chunk_mut()) {
        *place = (u32::from_le_bytes(*place) | word).to_le_bytes();
    }
}

/// Bytes that are made once and appended often: at most 24.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Short {
    bytes: [u8; 24],
    length: usize,
}

impl Short {
    /// The bytes that `write` appends.
    pub(crate) fn write(write: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut bytes = [0; 24];
        let mut written = Vec::with_capacity(bytes.len());
        write(&mut written);
        debug_assert!(written.len() <= bytes.len());
        for (to, from) in bytes.iter_mut().zip(&written) {
            *to = *from;
        }
        Self { bytes, length: written.len() }
    }

    /// How many there are.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Appends them to a buffer.
    #[inline]
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.length;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::encode_varint;

    use super::*;

    #[test]
    fn numbers_are_those_of_the_library() {
        for value in (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit]).chain([u64::MAX]) {
            let mut theirs = vec![9];
            encode_varint(value, &mut theirs);
            let Some((word, count)) = wire_word(value) else {
                assert!(theirs.len() > 9, "{value}");
                continue;
            };
            let mut ours = vec![9];
            append(&mut ours, word.into(), count);
            assert_eq!(ours, theirs, "{value}");
        }
    }

    #[test]
    fn pieces_follow_each_other() {
        let piece = Short::write(|out| out.extend([1, 2, 3]));
        let mut out = vec![9];
        piece.append_to(&mut out);
        append(&mut out, 0x0006_0504, 3);
        assert_eq!(out, [9, 1, 2, 3, 4, 5, 6]);
    }
}
