//! Protobuf by hand, for the packets that a trace has millions of: fields are appended to one
//! buffer, without a tree of messages in between.

use bigtpu_perfetto_protos::prost::encoding::encode_varint;

use crate::short::{append, wire_word};

/// Wire types: of varints, 8 bytes, and of what has a length.
const VARINT: u32 = 0;
const SIXTY_FOUR_BIT: u32 = 1;
const LENGTH_DELIMITED: u32 = 2;

/// Appends a varint.
#[inline]
pub(crate) fn number(out: &mut Vec<u8>, value: u64) {
    // Most numbers that are written one by one: keys, ids, lengths.
    if value < 0x80 {
        out.push(value as u8);
        return;
    }
    match wire_word(value) {
        Some((word, count)) => append(out, word.into(), count),
        None => encode_varint(value, out),
    }
}

#[inline]
fn key(out: &mut Vec<u8>, field: u32, wire_type: u32) {
    number(out, (field << 3 | wire_type).into());
}

/// Appends a varint field.
#[inline]
pub(crate) fn varint(out: &mut Vec<u8>, field: u32, value: u64) {
    key(out, field, VARINT);
    number(out, value);
}

/// Appends a message of two varint fields: most arguments are of this form.
#[inline]
pub(crate) fn pair(out: &mut Vec<u8>, field: u32, first: (u32, u64), second: (u32, u64)) {
    match wire_word(second.1).zip(pair_head(field, first, second.0, VARINT)) {
        Some(((word, count), head)) => short_pair(out, head, word, count),
        None => message(out, field, |out| {
            varint(out, first.0, first.1);
            varint(out, second.0, second.1);
        }),
    }
}

/// Appends a message of a varint field and a double field.
#[inline]
pub(crate) fn pair_with_double(
    out: &mut Vec<u8>,
    field: u32,
    first: (u32, u64),
    second: (u32, f64),
) {
    match pair_head(field, first, second.0, SIXTY_FOUR_BIT) {
        Some(head) => short_pair(out, head, second.1.to_bits(), 8),
        None => message(out, field, |out| {
            varint(out, first.0, first.1);
            double(out, second.0, second.1);
        }),
    }
}

/// Key and length of a message, its first field and the key of its second, in 5 bytes: the length has to be added.
/// `None` where one of them takes more than a byte.
#[inline]
fn pair_head(field: u32, first: (u32, u64), second: u32, wire_type: u32) -> Option<u64> {
    let fits = field < 16 && first.0 < 16 && first.1 < 0x80 && second < 16;
    let [key, first_key, second_key] =
        [field << 3 | LENGTH_DELIMITED, first.0 << 3 | VARINT, second << 3 | wire_type]
            .map(u64::from);
    fits.then_some(key | first_key << 16 | first.1 << 24 | second_key << 32)
}

/// Appends a pair: its head and the `count` bytes of the second field.
#[inline]
fn short_pair(out: &mut Vec<u8>, head: u64, word: u64, count: usize) {
    let head = head | (3 + count as u64) << 8;
    append(out, u128::from(head) | u128::from(word) << 40, 5 + count);
}

/// Appends a double field.
pub(crate) fn double(out: &mut Vec<u8>, field: u32, value: f64) {
    key(out, field, SIXTY_FOUR_BIT);
    out.extend(value.to_le_bytes());
}

/// The key of a field that has a length.
pub(crate) fn length_delimited_key(out: &mut Vec<u8>, field: u32) {
    key(out, field, LENGTH_DELIMITED);
}

/// The key of a varint field.
pub(crate) fn varint_key(out: &mut Vec<u8>, field: u32) {
    key(out, field, VARINT);
}

/// The key of a double field, or of any other of eight bytes.
pub(crate) fn double_key(out: &mut Vec<u8>, field: u32) {
    key(out, field, SIXTY_FOUR_BIT);
}

/// Bytes that can be kept for a length before it is known.
pub(crate) const MOST_KEPT: usize = 4;

/// Appends the key of a message field whose number is below 16, `kept` bytes (at most [`MOST_KEPT`]) for its length, and its first
/// field, a varint whose number is below 16 too.
#[inline]
pub(crate) fn open(out: &mut Vec<u8>, field: u32, kept: usize, first: (u32, u64)) {
    debug_assert!(field < 16 && kept <= MOST_KEPT && first.0 < 16);
    let key = u128::from(field << 3 | LENGTH_DELIMITED);
    let first_key = u128::from(first.0 << 3 | VARINT);
    let head = key | first_key << (8 + 8 * kept);
    let length = 2 + kept;
    match wire_word(first.1) {
        Some((word, count)) => append(out, head | u128::from(word) << (8 * length), length + count),
        None => {
            append(out, head, length);
            encode_varint(first.1, out);
        }
    }
}

/// Appends a fixed64 field.
#[inline]
pub(crate) fn fixed64(out: &mut Vec<u8>, field: u32, value: u64) {
    match wire_word((field << 3 | SIXTY_FOUR_BIT).into()) {
        Some((word, count)) => {
            append(out, u128::from(word) | u128::from(value) << (8 * count), count + 8);
        }
        None => {
            key(out, field, SIXTY_FOUR_BIT);
            out.extend(value.to_le_bytes());
        }
    }
}

/// Appends a field of bytes or text.
pub(crate) fn bytes(out: &mut Vec<u8>, field: u32, value: &[u8]) {
    key(out, field, LENGTH_DELIMITED);
    number(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Appends a number as decimal digits.
pub(crate) fn decimal(out: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let (mut at, mut rest) = (digits.len(), number.unsigned_abs());
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        (*digit, at) = (b'0' + (rest % 10) as u8, place);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(digits.get(at..).unwrap_or_default());
}

/// Appends a message field whose content `write` appends.
///
/// The length is written before the content is known: one byte is kept for it, and a longer content
/// is moved to make room.
#[inline]
pub(crate) fn message(out: &mut Vec<u8>, field: u32, write: impl FnOnce(&mut Vec<u8>)) {
    key(out, field, LENGTH_DELIMITED);
    let start = out.len();
    out.push(0);
    write(out);
    put_length(out, start, 1);
}

/// Puts a length at `start`, that of all behind the `kept` bytes there. Where it takes more or fewer bytes than were
/// kept, what is behind them moves. Returns how many it takes.
#[inline]
pub(crate) fn put_length(out: &mut Vec<u8>, start: usize, kept: usize) -> usize {
    let length = out.len() - start - kept;
    match out[start..].as_mut() {
        [byte, ..] if kept == 1 && length < 0x80 => *byte = length as u8,
        [low, high, ..] if kept == 2 && (0x80..0x4000).contains(&length) => {
            *low = length as u8 | 0x80;
            *high = (length >> 7) as u8;
        }
        _ => return put_other_length(out, start, kept, length as u64),
    }
    kept
}

#[cold]
fn put_other_length(out: &mut Vec<u8>, start: usize, kept: usize, length: u64) -> usize {
    let mut bytes = Vec::new();
    number(&mut bytes, length);
    let takes = bytes.len();
    out.splice(start..start + kept, bytes);
    takes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_library() {
        for value in (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit]).chain([u64::MAX]) {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            number(&mut ours, value);
            encode_varint(value, &mut theirs);
            assert_eq!(ours, theirs, "{value}");
        }
    }

    #[test]
    fn pairs_are_messages_of_two_numbers() {
        for bit in 0..64 {
            for (a, b) in [(1u64 << bit, 5), (5, (1 << bit) - 1), (1 << bit, u64::MAX)] {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                for second in [4, 17] {
                    pair(&mut ours, 4, (1, a), (second, b));
                    message(&mut theirs, 4, |out| {
                        varint(out, 1, a);
                        varint(out, second, b);
                    });
                    assert_eq!(ours, theirs, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn pairs_with_a_double_are_messages_of_both() {
        for name in [1, 127, 128, u64::MAX] {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            pair_with_double(&mut ours, 4, (1, name), (5, -2.5));
            message(&mut theirs, 4, |out| {
                varint(out, 1, name);
                double(out, 5, -2.5);
            });
            assert_eq!(ours, theirs, "{name}");
        }
    }

    #[test]
    fn opened_messages_are_messages() {
        for (size, first) in [(0, 1), (100, 1 << 30), (200, u64::MAX), (20_000, 0)] {
            let (mut ours, mut theirs) = (vec![9], vec![9]);
            message(&mut theirs, 1, |out| {
                varint(out, 8, first);
                bytes(out, 2, &vec![7; size]);
            });
            for kept in 1..=MOST_KEPT {
                ours.truncate(1);
                open(&mut ours, 1, kept, (8, first));
                bytes(&mut ours, 2, &vec![7; size]);
                put_length(&mut ours, 2, kept);
                assert_eq!(ours, theirs, "{size} {kept}");
            }
        }
    }

    #[test]
    fn lengths_may_take_more_or_fewer_bytes_than_were_kept() {
        for size in [0, 3, 127, 128, 300, 20_000] {
            let mut theirs = Vec::new();
            bytes(&mut theirs, 2, &vec![7; size]);
            for kept in 1..=3 {
                let mut ours = vec![0; 1 + kept];
                ours[0] = 0x12;
                ours.resize(1 + kept + size, 7);
                put_length(&mut ours, 1, kept);
                assert_eq!(ours, theirs, "{size} {kept}");
            }
        }
    }

    #[test]
    fn decimals_are_those_of_the_formatter() {
        for number in [0, 7, 10, -1, 999, 1000, -65_536, i64::MAX, i64::MIN] {
            let mut out = Vec::new();
            decimal(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }

    #[test]
    fn long_messages_get_long_lengths() {
        let mut out = Vec::new();
        message(&mut out, 1, |out| message(out, 2, |out| bytes(out, 3, &[7; 300])));
        assert_eq!(out[..3], [0x0a, 0xb2, 0x02]);
        assert_eq!(out[3..6], [0x12, 0xaf, 0x02]);
        assert_eq!(out.len(), 3 + 306);
    }
}
