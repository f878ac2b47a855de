//! Varints as they are put into templates: groups of 7 bits, each in a byte, without continuation bits.

/// The groups of 7 bits of a number below 2^56, each in a byte. Without a branch, so that a loop does several at once.
#[inline]
pub(crate) fn spread(value: u64) -> u64 {
    // In halves, quarters and eighths.
    let halves = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let quarters = (halves & 0x3fff_0000_3fff) | (halves & 0x0fff_c000_0fff_c000) << 2;
    (quarters & 0x007f_007f_007f_007f) | (quarters & 0x3f80_3f80_3f80_3f80) << 1
}

/// Bits of a number that is [`spread_narrow`].
pub(crate) const NARROW_BITS: u8 = 28;

/// [`spread`] of a number below 2^28, in half the bytes.
#[inline]
pub(crate) fn spread_narrow(value: u32) -> u32 {
    let halves = (value & 0x3fff) | (value & 0x0fff_c000) << 2;
    (halves & 0x007f_007f) | (halves & 0x3f80_3f80) << 1
}

/// [`spread`] of a number below 2^28.
#[inline]
pub(crate) fn spread_low(value: u64) -> u64 {
    let halves = (value & 0x3fff) | (value & 0x0fff_c000) << 2;
    (halves & 0x007f_007f) | (halves & 0x3f80_3f80) << 1
}

/// The number that was [`spread`].
pub(crate) fn gathered(word: u64) -> u64 {
    word.to_be_bytes().into_iter().fold(0, |number, group| number << 7 | u64::from(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_bits_are_spread() {
        let values =
            (0..56).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, 0xa5a5_a5a5_a5a5 >> bit]);
        for value in values {
            let slow = (0..8).fold(0, |sum, n| sum | (value >> (7 * n) & 0x7f) << (8 * n));
            assert_eq!(spread(value), slow, "{value}");
            assert_eq!(gathered(slow), value);
            if value >> NARROW_BITS == 0 {
                assert_eq!(u64::from(spread_narrow(value as u32)), slow, "{value}");
                assert_eq!(spread_low(value), slow, "{value}");
            }
        }
    }
}
