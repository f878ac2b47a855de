//! What is before a slice's event: the packet's length and time, and what all packets of a sequence have.

use bigtpu_perfetto_protos::field::{trace, trace_packet};

use crate::short::Short;
use crate::spread::spread_narrow;
use crate::widths::{append_room, is_patchable, room};
use crate::wire;

/// Where the packet's length is: behind its key.
const LENGTH: usize = 1;
/// Bytes of both lengths.
const LENGTH_BYTES: usize = 2;
/// Bits of a length.
const LENGTH_BITS: u8 = 7 * LENGTH_BYTES as u8;
/// What a length can be, at most.
const MOST_BYTES: usize = (1 << LENGTH_BITS) - 1;

/// The lengths of a packet and of its event, as they are written.
pub(crate) type Lengths = [[u8; LENGTH_BYTES]; 2];

/// The head of a sequence's packets.
#[derive(Debug)]
pub(crate) struct Head {
    /// What is between the time and the event's length.
    middle: Short,
    /// The head of an event of any length, at any time; empty before the first, and where no room is enough.
    bytes: Vec<u8>,
    /// Room for the time; times grow, so that it is never wider than needed. 0 where there are no bytes.
    bits: u8,
}

impl Head {
    /// Where the time is: behind the packet's key and length and the key of the time.
    pub(crate) const TIME: usize = LENGTH + LENGTH_BYTES + 1;

    /// `middle`: what is between the time and the event's length.
    pub(crate) fn new(middle: Short) -> Self {
        Self { middle, bytes: Vec::new(), bits: 0 }
    }

    /// Whether there is room for a time.
    #[inline]
    pub(super) fn fits(&self, time: u64) -> bool {
        self.bits != 0 && time >> (self.bits & 63) == 0
    }

    /// Makes room for a time. Heads of before have less.
    #[cold]
    pub(crate) fn widen(&mut self, time: u64) {
        self.bits = Some(room(time)).filter(|bits| is_patchable(*bits)).unwrap_or(0);
        let head = &mut self.bytes;
        head.clear();
        if self.bits == 0 {
            return;
        }
        wire::length_delimited_key(head, trace::PACKET);
        append_room(head, LENGTH_BITS);
        wire::varint_key(head, trace_packet::TIMESTAMP);
        debug_assert_eq!(head.len(), Self::TIME);
        append_room(head, self.bits);
        self.middle.append_to(head);
        append_room(head, LENGTH_BITS);
    }

    /// Its bytes.
    pub(crate) fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Appends the head of a packet, with room for its time, and with the lengths of an event of so many bytes; `None` where
    /// that, or an event with `more` bytes, has no room.
    pub(crate) fn append(&self, out: &mut Vec<u8>, event: usize, more: usize) -> Option<()> {
        let length = self.bytes.len();
        if length == 0 || length + event + more > MOST_BYTES {
            return None;
        }
        let start = out.len();
        out.extend_from_slice(&self.bytes);
        Self::put_lengths(out.get_mut(start..)?, length, Self::lengths(length, event));
        Some(())
    }

    /// The lengths of a packet whose event begins at `head` and has so many bytes, and of the event.
    #[inline]
    pub(crate) fn lengths(head: usize, event: usize) -> Lengths {
        // What is before the packet's content does not count for its length.
        let lengths = [head - LENGTH - LENGTH_BYTES + event, event];
        lengths.map(|length| (spread_narrow(length as u32) as u16 | 0x80).to_le_bytes())
    }

    /// Sets the lengths of a packet whose event begins at `head`.
    #[inline]
    pub(crate) fn put_lengths(packet: &mut [u8], head: usize, lengths: Lengths) {
        for (at, length) in [LENGTH, head - LENGTH_BYTES].into_iter().zip(lengths) {
            if let Some(place) = packet.get_mut(at..).and_then(|place| place.first_chunk_mut()) {
                *place = length;
            }
        }
    }

    /// Appends the head of a packet of any time and with an event of any size.
    #[cold]
    pub(super) fn append_any(&self, out: &mut Vec<u8>, time: u64, event: usize) {
        let mut content = Vec::new();
        wire::varint(&mut content, trace_packet::TIMESTAMP, time);
        self.middle.append_to(&mut content);
        wire::number(&mut content, event as u64);
        wire::length_delimited_key(out, trace::PACKET);
        wire::number(out, (content.len() + event) as u64);
        out.extend(content);
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::decode_varint;

    use super::*;
    use crate::short::put;
    use crate::spread::spread;

    #[test]
    fn lengths_and_times_of_any_size_are_read_again() {
        let mut head = Head::new(Short::write(|out| out.extend([0x50, 3, 0x5a])));
        for bit in 0..64 {
            for event in [0, 100, 127, 128, 300, MOST_BYTES - 100, MOST_BYTES + 1, 1 << 20] {
                let time = u64::MAX >> bit;
                head.widen(time);
                let mut out = vec![9];
                match head.append(&mut out, event, 10) {
                    Some(()) => {
                        assert!(head.fits(time) && event < MOST_BYTES);
                        let length = out.len();
                        out.extend([0; 8]);
                        put(&mut out[1..], Head::TIME, spread(time));
                        out.truncate(length);
                    }
                    None => {
                        assert!(!head.fits(time) || event > MOST_BYTES);
                        head.append_any(&mut out, time, event);
                    }
                }
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
