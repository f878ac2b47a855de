//! Numbers of few bits, packed from the least significant bit on.

/// Appends numbers of a few bits to bytes.
pub(super) struct Bits<'a> {
    out: &'a mut Vec<u8>,
    /// Bits that are not yet in `out`, and how many; fewer than 64.
    open: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, open: 0, count: 0 }
    }

    /// Appends the lowest `width` bits, at most 64; the higher ones are 0.
    #[inline]
    pub(super) fn put(&mut self, value: u64, width: u32) {
        self.open |= value << self.count;
        self.count += width;
        if self.count >= 64 {
            self.out.extend_from_slice(&self.open.to_le_bytes());
            self.count -= 64;
            // Of the value, the highest `count` bits are left.
            self.open = if self.count == 0 { 0 } else { value >> (width - self.count) };
        }
    }

    /// Appends what is left, filled up with 0 to a byte.
    pub(super) fn finish(self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend(self.open.to_le_bytes().iter().take(bytes));
    }
}

/// Bits that a number needs.
pub(super) fn width(largest: u64) -> u32 {
    u64::BITS - largest.leading_zeros()
}

/// Appends a number with 7 bits a byte.
pub(super) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n > 0x7f {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends a signed number with 7 bits a byte, its sign in the lowest bit.
pub(super) fn put_zigzag(out: &mut Vec<u8>, n: i64) {
    put_varint(out, (n << 1 ^ n >> 63) as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_follow_each_other() {
        let mut out = Vec::new();
        let mut bits = Bits::new(&mut out);
        bits.put(0b101, 3);
        bits.put(u64::MAX, 64);
        bits.put(0, 61);
        bits.put(1, 1);
        bits.finish();
        assert_eq!(out[0], 0b1111_1101);
        assert_eq!(out[8], 0b0000_0111);
        assert_eq!((out[15], out[16], out.len()), (0, 1, 17));
    }

    #[test]
    fn varints_have_seven_bits_a_byte() {
        let mut out = Vec::new();
        put_varint(&mut out, 300);
        put_zigzag(&mut out, -1);
        put_zigzag(&mut out, i64::MIN);
        assert_eq!(out[..3], [0xac, 0x02, 1]);
        assert_eq!(out[3..], [[0xff; 9].as_slice(), &[1]].concat());
    }
}
