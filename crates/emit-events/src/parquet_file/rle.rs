//! Parquet's hybrid of runs and packed numbers, for levels and places in a dictionary.

use super::bits::{Bits, put_varint};

/// Numbers are packed by this many; a shorter run is no run.
const PACK: usize = 8;

/// Appends numbers of `width` bits, at most 32.
pub(super) fn put<T: Copy + PartialEq + Into<u64>>(out: &mut Vec<u8>, numbers: &[T], width: u32) {
    let (mut packed, mut at) = (0, 0);
    while let Some(rest) = numbers.get(at..).filter(|rest| !rest.is_empty()) {
        let run = run(rest);
        if run >= PACK {
            put_packed(out, numbers.get(packed..at).unwrap_or_default(), width);
            put_varint(out, (run as u64) << 1);
            let bytes = rest[0].into().to_le_bytes();
            out.extend(bytes.iter().take(width.div_ceil(8) as usize));
            at += run;
            packed = at;
        } else {
            at = numbers.len().min(at + PACK);
        }
    }
    put_packed(out, numbers.get(packed..).unwrap_or_default(), width);
}

/// How many numbers equal the first, if the first eight do.
fn run<T: Copy + PartialEq>(numbers: &[T]) -> usize {
    let Some(first) = numbers.first() else { return 0 };
    // Without an early end, eight at a time are compared at once.
    let is_same = |pack: &&[T]| pack.iter().fold(true, |all, n| all & (n == first));
    let packs = numbers.chunks_exact(PACK).take_while(is_same).count();
    let rest = numbers.get(packs * PACK..).unwrap_or_default();
    packs * PACK + rest.iter().take_while(|n| *n == first).count()
}

/// Filled up with 0 to a multiple of eight: only the last numbers of all may be fewer.
fn put_packed<T: Copy + Into<u64>>(out: &mut Vec<u8>, numbers: &[T], width: u32) {
    if numbers.is_empty() {
        return;
    }
    let packs = numbers.len().div_ceil(PACK);
    put_varint(out, (packs as u64) << 1 | 1);
    let mut bits = Bits::new(out);
    for &number in numbers {
        bits.put(number.into(), width);
    }
    for _ in numbers.len()..packs * PACK {
        bits.put(0, width);
    }
    bits.finish();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_packs_take_turns() {
        let mut numbers = vec![1_u32, 2, 3, 0, 1, 2, 3, 0];
        numbers.extend([3; 20]);
        numbers.extend([1, 2]);
        let mut out = Vec::new();
        put(&mut out, &numbers, 2);
        assert_eq!(out, [1 << 1 | 1, 0b0011_1001, 0b0011_1001, 20 << 1, 3, 1 << 1 | 1, 0b1001, 0]);
    }

    #[test]
    fn numbers_without_bits_are_a_run() {
        let mut out = Vec::new();
        put(&mut out, &[0_u32; 300], 0);
        assert_eq!(out, [0xd8, 0x04]);
        put(&mut out, &[0_u8; 0], 1);
        assert_eq!(out.len(), 2);
    }
}
