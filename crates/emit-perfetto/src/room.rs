//! Room behind a buffer's bytes.
//!
//! A vector that is appended to asks for memory, and sets its length, for each piece. Here the vector is made longer for many
//! pieces at once, pieces are written to its end as arrays, whose bounds the compiler knows, and at last it is noted how
//! many bytes count.

use std::mem::take;

/// Slices or samples that a source writes at a time.
pub(crate) const PIECE: usize = 2048;

/// Packets of a piece. What is behind them is of an earlier piece, and is overwritten: it has not to be cleared again.
#[derive(Debug, Default)]
pub(crate) struct Packets {
    all: Vec<u8>,
    length: usize,
    /// Memory that is used again.
    apart: Vec<u8>,
}

impl Packets {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.all.get(..self.length).unwrap_or_default()
    }

    /// Forgets them, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends what is written to a vector.
    pub(crate) fn append<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let mut bytes = take(&mut self.apart);
        bytes.clear();
        let written = write(&mut bytes);
        Room::for_many(self).put(&bytes);
        self.apart = bytes;
        written
    }

    /// Changes all of them.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Vec<u8>)) {
        self.all.truncate(self.length);
        change(&mut self.all);
        self.length = self.all.len();
    }

    /// Makes room for so many more bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.all.reserve((self.length + bytes).saturating_sub(self.all.len()));
    }
}

/// A buffer with room behind its bytes.
#[derive(Debug)]
pub(crate) struct Room<'o> {
    out: &'o mut Vec<u8>,
    /// How many of them are packets; `None`: all.
    length: Option<&'o mut usize>,
    /// Bytes that are written.
    written: usize,
    /// What the buffer grows by, at least.
    step: usize,
    /// Memory that is used again.
    apart: Vec<u8>,
}

/// What a buffer for many packets grows by.
const STEP: usize = 1 << 14;

impl<'o> Room<'o> {
    /// For a packet.
    pub(crate) fn for_one(out: &'o mut Vec<u8>) -> Self {
        Self { written: out.len(), out, length: None, step: 0, apart: Vec::new() }
    }

    /// For many packets.
    pub(crate) fn for_many(out: &'o mut Packets) -> Self {
        let Packets { all, length, .. } = out;
        Self { written: *length, out: all, length: Some(length), step: STEP, apart: Vec::new() }
    }

    /// The next bytes; those of them count that are [`Room::wrote`] then. What the others hold is overwritten or cut. Never
    /// `None`: the buffer grows.
    #[inline]
    pub(crate) fn next<const BYTES: usize>(&mut self) -> Option<&mut [u8; BYTES]> {
        if self.out.len() - self.written < BYTES {
            self.grow(BYTES);
        }
        self.out.get_mut(self.written..)?.first_chunk_mut()
    }

    /// So many more bytes count.
    #[inline]
    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.written += bytes;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, bytes: usize) {
        self.out.resize(self.written + bytes.max(self.step), 0);
    }

    /// Appends what is written to a vector.
    pub(crate) fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = take(&mut self.apart);
        bytes.clear();
        write(&mut bytes);
        self.put(&bytes);
        self.apart = bytes;
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.out.len() - self.written < bytes.len() {
            self.grow(bytes.len());
        }
        if let Some(room) = self.out.get_mut(self.written..self.written + bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.written += bytes.len();
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        match &mut self.length {
            Some(length) => **length = self.written,
            None => self.out.truncate(self.written),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_counts() {
        let mut out = Packets::default();
        for _ in 0..3 {
            out.clear();
            out.append(|out| out.push(1));
            let mut room = Room::for_many(&mut out);
            for byte in 2..=250 {
                *room.next().unwrap() = [byte; 300];
                room.wrote(usize::from(byte));
            }
            room.append(|out| out.push(0));
            *room.next().unwrap() = [7; 3];
            room.wrote(2);
            drop(room);
            let mut expected: Vec<u8> = (1..=250).flat_map(|n| vec![n; n.into()]).collect();
            expected.extend([0, 7, 7]);
            assert_eq!(out.bytes(), expected);
        }
        let mut out = vec![7];
        Room::for_one(&mut out).next::<9>().unwrap()[0] = 1;
        assert_eq!(out, [7]);
    }
}
