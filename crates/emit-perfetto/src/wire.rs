//! Protobuf by hand, for the packets that a trace has millions of: fields are appended to one
//! buffer, without a tree of messages in between.

use bigtpu_perfetto_protos::prost::encoding::{WireType, encode_key, encode_varint};

/// Appends a varint field.
pub(crate) fn varint(out: &mut Vec<u8>, field: u32, value: u64) {
    encode_key(field, WireType::Varint, out);
    encode_varint(value, out);
}

/// Appends a double field.
pub(crate) fn double(out: &mut Vec<u8>, field: u32, value: f64) {
    encode_key(field, WireType::SixtyFourBit, out);
    out.extend(value.to_le_bytes());
}

/// Appends a fixed64 field.
pub(crate) fn fixed64(out: &mut Vec<u8>, field: u32, value: u64) {
    encode_key(field, WireType::SixtyFourBit, out);
    out.extend(value.to_le_bytes());
}

/// Appends a field of bytes or text.
pub(crate) fn bytes(out: &mut Vec<u8>, field: u32, value: &[u8]) {
    encode_key(field, WireType::LengthDelimited, out);
    encode_varint(value.len() as u64, out);
    out.extend(value);
}

/// Appends a message field whose content `write` appends.
///
/// The length is written before the content is known: one byte is kept for it, and a longer content
/// is moved to make room.
pub(crate) fn message(out: &mut Vec<u8>, field: u32, write: impl FnOnce(&mut Vec<u8>)) {
    encode_key(field, WireType::LengthDelimited, out);
    let start = out.len();
    out.push(0);
    write(out);
    let length = out.len() - start - 1;
    if length < 0x80 {
        out[start] = length as u8;
        return;
    }
    let mut prefix = Vec::with_capacity(5);
    encode_varint(length as u64, &mut prefix);
    out.splice(start..=start, prefix);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_get_long_lengths() {
        let mut out = Vec::new();
        message(&mut out, 1, |out| message(out, 2, |out| bytes(out, 3, &[7; 300])));
        assert_eq!(out[..3], [0x0a, 0xb2, 0x02]);
        assert_eq!(out[3..6], [0x12, 0xaf, 0x02]);
        assert_eq!(out.len(), 3 + 306);
    }
}
