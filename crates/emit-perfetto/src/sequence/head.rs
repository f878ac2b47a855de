//! What is before a slice's event: the packet's length and time, and what all packets of a sequence have.

use bigtpu_perfetto_protos::field::{trace, trace_packet};

use crate::short::{Short, put};
use crate::stamp::{SHORT_BITS, append_room, is_patchable, room, spread, spread_short};
use crate::wire;

/// Bytes that are appended at once, and then cut to those of the head: the most that it takes with the bytes that are
/// patched at a time.
const ROOM: usize = 40;
/// Where the time is: behind the packet's key and length and the key of the time.
const TIME: usize = 4;
/// Bits of both lengths.
const LENGTH_BITS: u8 = SHORT_BITS;
/// Events of more bytes have lengths of more bits.
const MOST_BYTES: usize = (1 << LENGTH_BITS) - 1 - ROOM;

/// A template in which time and lengths are patched.
#[derive(Debug)]
pub(super) struct Head {
    /// What is between the time and the event's length.
    middle: Short,
    bytes: [u8; ROOM],
    length: usize,
    /// Room for the time; times grow, so that it is never wider than needed. 0 where there is no template yet.
    bits: u8,
}

impl Head {
    /// `middle`: what is between the time and the event's length.
    pub(super) fn new(middle: Short) -> Self {
        Self { middle, bytes: [0; ROOM], length: 0, bits: 0 }
    }

    /// Appends the head of a packet at `time`; its event takes so many bytes.
    #[inline]
    pub(super) fn append(&mut self, out: &mut Vec<u8>, time: u64, event: usize) {
        if self.bits == 0 || time >> (self.bits & 63) != 0 {
            self.widen(time);
        }
        if self.bits == 0 || event > MOST_BYTES {
            return self.append_any(out, time, event);
        }
        let mut bytes = self.bytes;
        // Key and length of the packet do not count for its length.
        put(&mut bytes, 1, spread_short((self.length - 3 + event) as u64));
        put(&mut bytes, TIME, spread(time));
        put(&mut bytes, self.length - 2, spread_short(event as u64));
        let start = out.len();
        out.extend_from_slice(&bytes);
        out.truncate(start + self.length);
    }

    /// The same for times and events of any size.
    #[cold]
    fn append_any(&self, out: &mut Vec<u8>, time: u64, event: usize) {
        let mut content = Vec::new();
        wire::varint(&mut content, trace_packet::TIMESTAMP, time);
        self.middle.append_to(&mut content);
        wire::number(&mut content, event as u64);
        wire::length_delimited_key(out, trace::PACKET);
        wire::number(out, (content.len() + event) as u64);
        out.extend(content);
    }

    #[cold]
    fn widen(&mut self, time: u64) {
        self.bits = room(time);
        if !is_patchable(self.bits) {
            self.bits = 0;
            return;
        }
        let mut bytes = Vec::new();
        wire::length_delimited_key(&mut bytes, trace::PACKET);
        append_room(&mut bytes, LENGTH_BITS);
        wire::varint_key(&mut bytes, trace_packet::TIMESTAMP);
        debug_assert_eq!(bytes.len(), TIME);
        append_room(&mut bytes, self.bits);
        self.middle.append_to(&mut bytes);
        append_room(&mut bytes, LENGTH_BITS);
        self.length = bytes.len();
        debug_assert!(self.length <= ROOM - 6);
        self.bytes = [0; ROOM];
        for (to, from) in self.bytes.iter_mut().zip(bytes) {
            *to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::decode_varint;

    use super::*;

    #[test]
    fn lengths_and_times_of_any_size_are_read_again() {
        let mut head = Head::new(Short::of(|out| out.extend([0x50, 3, 0x5a])));
        for bit in 0..64 {
            for event in [0, 100, 127, 128, 300, MOST_BYTES, MOST_BYTES + 1, 1 << 20] {
                let time = u64::MAX >> bit;
                let mut out = vec![9];
                head.append(&mut out, time, event);
                let mut rest = &out[2..];
                let packet = decode_varint(&mut rest).unwrap();
                assert_eq!(packet as usize, rest.len() + event);
                assert_eq!((out[..2].to_vec(), rest[0]), (vec![9, 0x0a], 0x40));
                rest = &rest[1..];
                assert_eq!(decode_varint(&mut rest).unwrap(), time);
                assert_eq!(rest[..3], [0x50, 3, 0x5a]);
                rest = &rest[3..];
                assert_eq!(decode_varint(&mut rest).unwrap() as usize, event);
                assert!(rest.is_empty());
            }
        }
    }
}
