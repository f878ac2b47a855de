//! Packets that differ only in their time and one value: samples of counters, ends of slices.

use bigtpu_perfetto_protos::field::{trace, trace_packet};

use crate::room::Room;
use crate::short::{Short, put};
use crate::spread::{gathered, spread};
use crate::widths::{append_room, is_patchable, room};
use crate::wire;

/// Bytes that are appended at once, and then cut to those of the packet: the most that a packet takes with the bytes that
/// are patched at a time.
pub(crate) const ROOM: usize = 56;

/// Such a packet: a template in which time and value are patched.
#[derive(Debug)]
pub(crate) struct Sample {
    /// What is behind the time; its last eight bytes are those of the value where there is one.
    tail: Short,
    bytes: [u8; ROOM],
    length: usize,
    /// Times below have room; times grow, so that it is never wider than needed. 0 where there is no room yet, or no room
    /// is enough.
    limit: u64,
    /// The limit as it is put into a template.
    limit_word: u64,
}

/// Where the time is: behind the packet's key and length and the key of the time.
const TIME: usize = 3;

impl Sample {
    pub(super) fn new(tail: Short) -> Self {
        Self { tail, bytes: [0; ROOM], length: 0, limit: 0, limit_word: 0 }
    }

    /// Writes the packet at `time`, with a value if it has room for one.
    #[inline]
    pub(super) fn write(&mut self, room: &mut Room<'_>, time: u64, value: Option<u64>) {
        match self.fits(time) {
            true => self.copy(room, spread(time), value),
            false => room.append(|out| self.append_any(out, time, value)),
        }
    }

    /// Whether there is room for a time; makes it where it can be made.
    #[inline]
    pub(super) fn fits(&mut self, time: u64) -> bool {
        time < self.limit || self.widen(time)
    }

    /// Whether there is room for a time that is given as it is put into a template; makes it where it can be made.
    #[inline]
    pub(super) fn fits_word(&mut self, word: u64) -> bool {
        word < self.limit_word || self.widen(gathered(word))
    }

    /// Writes the packet at a time that fits, as it is put into a template.
    #[inline]
    pub(crate) fn copy(&self, room: &mut Room<'_>, time: u64, value: Option<u64>) {
        let Some(packet) = room.next() else { return };
        let length = self.put(packet, time, value);
        room.wrote(length);
    }

    /// Writes the packet into room for it, at a time that fits, as it is put into a template. Returns how many bytes
    /// the packet takes.
    #[inline]
    pub(crate) fn put(&self, packet: &mut [u8; ROOM], time: u64, value: Option<u64>) -> usize {
        *packet = self.bytes;
        put(packet, TIME, time);
        if let Some(value) = value {
            put(packet, self.length - 8, value);
        }
        self.length
    }

    /// Makes room for a time; whether there is such room.
    #[cold]
    fn widen(&mut self, time: u64) -> bool {
        let bits = room(time);
        if !is_patchable(bits) {
            return false;
        }
        self.limit = 1 << bits;
        // Of 2^56 there is no room for the highest bit.
        self.limit_word = spread(self.limit - 1) + 1;
        let mut packet = Vec::with_capacity(ROOM);
        wire::length_delimited_key(&mut packet, trace::PACKET);
        // The key of the time, the time, and what is behind it.
        wire::number(&mut packet, 1 + u64::from(bits / 7) + self.tail.length() as u64);
        wire::varint_key(&mut packet, trace_packet::TIMESTAMP);
        debug_assert_eq!(packet.len(), TIME);
        append_room(&mut packet, bits);
        self.tail.append_to(&mut packet);
        self.length = packet.len();
        debug_assert!(self.length <= ROOM - 8);
        self.bytes = [0; ROOM];
        for (to, from) in self.bytes.iter_mut().zip(packet) {
            *to = from;
        }
        true
    }

    /// Appends the packet at a time that has no room.
    #[cold]
    pub(super) fn append_any(&self, out: &mut Vec<u8>, time: u64, value: Option<u64>) {
        let mut content = Vec::new();
        wire::varint(&mut content, trace_packet::TIMESTAMP, time);
        self.tail.append_to(&mut content);
        if let Some(value) = value {
            let at = content.len() - 8;
            put(&mut content, at, value);
        }
        wire::bytes(out, trace::PACKET, &content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_those_of_the_general_encoder() {
        let tail = Short::write(|out| out.extend([1, 2, 0, 0, 0, 0, 0, 0, 0, 0]));
        let mut sample = Sample::new(tail);
        for time in (0..64).map(|bit| (1_u64 << bit) - 1).chain([u64::MAX - 1, u64::MAX]) {
            let mut ours = vec![9];
            let value = Some((-2.5_f64).to_bits());
            sample.write(&mut Room::for_one(&mut ours), time, value);
            let mut theirs = vec![9];
            wire::message(&mut theirs, trace::PACKET, |out| {
                wire::varint(out, trace_packet::TIMESTAMP, time);
                out.extend([1, 2]);
                out.extend((-2.5_f64).to_le_bytes());
            });
            assert_eq!(ours, theirs, "{time}");
        }
    }
}
