//! Parquet's `DELTA_BINARY_PACKED`: differences of whole numbers, packed with as many bits as they need.

use super::bits::{Bits, put_varint, put_zigzag, width};

/// Differences of a block, which has one smallest difference.
const BLOCK: usize = 128;

/// Parts of a block, each of which has its own number of bits.
const PARTS: usize = 4;
const PART: usize = BLOCK / PARTS;

/// Appends numbers.
pub(super) fn put(out: &mut Vec<u8>, numbers: &[i64]) {
    put_varint(out, BLOCK as u64);
    put_varint(out, PARTS as u64);
    put_varint(out, numbers.len() as u64);
    let mut last = numbers.first().copied().unwrap_or(0);
    put_zigzag(out, last);
    let mut differences = [0; BLOCK];
    for block in numbers.get(1..).unwrap_or_default().chunks(BLOCK) {
        for (difference, &number) in differences.iter_mut().zip(block) {
            *difference = number.wrapping_sub(last);
            last = number;
        }
        put_block(out, differences.get(..block.len()).unwrap_or_default());
    }
}

fn put_block(out: &mut Vec<u8>, differences: &[i64]) {
    let smallest = differences.iter().copied().min().unwrap_or(0);
    put_zigzag(out, smallest);
    let above = |difference: &i64| difference.wrapping_sub(smallest) as u64;
    let mut widths = [0; PARTS];
    for (bits, part) in widths.iter_mut().zip(differences.chunks(PART)) {
        *bits = width(part.iter().fold(0, |all, difference| all | above(difference)));
    }
    out.extend(widths.iter().map(|&width| width as u8));
    for (width, part) in widths.into_iter().zip(differences.chunks(PART)) {
        let mut bits = Bits::new(out);
        for difference in part {
            bits.put(above(difference), width);
        }
        // The last part is as long as all.
        for _ in part.len()..PART {
            bits.put(0, width);
        }
        bits.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_format() {
        // 7, 5, 3, 1, 2, 3, 4, 5: differences -2, -2, -2, 1, 1, 1, 1; the smallest is -2, the others 3 above.
        let mut out = Vec::new();
        put(&mut out, &[7, 5, 3, 1, 2, 3, 4, 5]);
        assert_eq!(out[..9], [0x80, 1, 4, 8, 14, 3, 2, 0, 0]);
        assert_eq!(out[9..], [0, 0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
    }
}
