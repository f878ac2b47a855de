//! Protobuf by hand, for the packets that a trace has millions of: fields are appended to one
//! buffer, without a tree of messages in between.

/// Wire types: of varints, 8 bytes, and of what has a length.
const VARINT: u32 = 0;
const SIXTY_FOUR_BIT: u32 = 1;
const LENGTH_DELIMITED: u32 = 2;

/// A number takes 10 bytes at most.
const LONGEST: usize = 10;

/// A number as it goes over the wire, and how many bytes of it count.
fn encoded(mut value: u64) -> ([u8; LONGEST], usize) {
    let mut bytes = [0; LONGEST];
    let mut length = 0;
    for byte in &mut bytes {
        length += 1;
        *byte = value as u8 & 0x7f;
        value >>= 7;
        if value == 0 {
            break;
        }
        *byte |= 0x80;
    }
    (bytes, length)
}

#[inline]
fn number(out: &mut Vec<u8>, value: u64) {
    if value < 0x80 {
        out.push(value as u8);
    } else {
        long_number(out, value);
    }
}

fn long_number(out: &mut Vec<u8>, value: u64) {
    if value < 0x4000 {
        out.extend_from_slice(&[value as u8 | 0x80, (value >> 7) as u8]);
    } else {
        let (bytes, length) = encoded(value);
        out.extend_from_slice(&bytes[..length]);
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

/// Appends a message of two varint fields whose numbers are below 16: most arguments are of this form.
#[inline]
pub(crate) fn pair(out: &mut Vec<u8>, field: u32, first: (u32, u64), second: (u32, u64)) {
    debug_assert!(first.0 < 16 && second.0 < 16);
    key(out, field, LENGTH_DELIMITED);
    if first.1 < 0x80 && second.1 < 0x80 {
        let keys = [first.0, second.0].map(|field| (field << 3) as u8);
        out.extend_from_slice(&[4, keys[0], first.1 as u8, keys[1], second.1 as u8]);
        return;
    }
    // Two keys of one byte, and the numbers.
    number(out, 2 + length(first.1) + length(second.1));
    varint(out, first.0, first.1);
    varint(out, second.0, second.1);
}

/// Appends a message of a varint field and a double field whose numbers are below 16.
#[inline]
pub(crate) fn pair_with_double(
    out: &mut Vec<u8>,
    field: u32,
    first: (u32, u64),
    second: (u32, f64),
) {
    debug_assert!(first.0 < 16 && second.0 < 16);
    key(out, field, LENGTH_DELIMITED);
    number(out, 1 + length(first.1) + 9);
    varint(out, first.0, first.1);
    double(out, second.0, second.1);
}

/// Appends a message of a varint field whose number is below 16, of bytes that are encoded already, and of `content`,
/// the bytes of the field whose key ends `encoded`.
#[inline]
pub(crate) fn framed(
    out: &mut Vec<u8>,
    field: u32,
    first: (u32, u64),
    encoded: &[u8],
    content: &[u8],
) {
    debug_assert!(first.0 < 16);
    let size = content.len() as u64;
    let total = 1 + length(first.1) + encoded.len() as u64 + length(size) + size;
    key(out, field, LENGTH_DELIMITED);
    number(out, total);
    varint(out, first.0, first.1);
    out.extend_from_slice(encoded);
    number(out, size);
    out.extend_from_slice(content);
}

/// The key of a field that has a length.
pub(crate) fn length_delimited_key(out: &mut Vec<u8>, field: u32) {
    key(out, field, LENGTH_DELIMITED);
}

/// Bytes of a number.
fn length(value: u64) -> u64 {
    u64::from((64 - (value | 1).leading_zeros()).div_ceil(7))
}

/// Appends a double field.
pub(crate) fn double(out: &mut Vec<u8>, field: u32, value: f64) {
    key(out, field, SIXTY_FOUR_BIT);
    out.extend(value.to_le_bytes());
}

/// Appends a fixed64 field.
pub(crate) fn fixed64(out: &mut Vec<u8>, field: u32, value: u64) {
    key(out, field, SIXTY_FOUR_BIT);
    out.extend(value.to_le_bytes());
}

/// Appends a field of bytes or text.
pub(crate) fn bytes(out: &mut Vec<u8>, field: u32, value: &[u8]) {
    key(out, field, LENGTH_DELIMITED);
    number(out, value.len() as u64);
    out.extend_from_slice(value);
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
    put_length(out, start);
}

/// Puts the length of what follows the byte at `start` there.
fn put_length(out: &mut Vec<u8>, start: usize) {
    let content = start + 1;
    let end = out.len();
    let length = end - content;
    if length < 0x80 {
        out[start] = length as u8;
        return;
    }
    let (prefix, bytes) = encoded(length as u64);
    out.extend_from_slice(&[0; LONGEST][1..bytes]);
    out.copy_within(content..end, start + bytes);
    out[start..start + bytes].copy_from_slice(&prefix[..bytes]);
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::encode_varint;

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
                pair(&mut ours, 4, (1, a), (4, b));
                message(&mut theirs, 4, |out| {
                    varint(out, 1, a);
                    varint(out, 4, b);
                });
                assert_eq!(ours, theirs, "{a} {b}");
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
    fn framed_messages_are_messages_of_their_parts() {
        for size in [0, 3, 127, 128, 300, 20_000] {
            let content = vec![7; size];
            let (mut ours, mut theirs, mut constant) = (Vec::new(), Vec::new(), Vec::new());
            varint(&mut constant, 10, 300);
            length_delimited_key(&mut constant, 11);
            framed(&mut ours, 1, (8, 1000), &constant, &content);
            message(&mut theirs, 1, |out| {
                varint(out, 8, 1000);
                varint(out, 10, 300);
                bytes(out, 11, &content);
            });
            assert_eq!(ours, theirs, "{size}");
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
