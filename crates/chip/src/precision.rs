//! Data types (section 4.1): names and sizes.

/// A data type's code, as descriptors and condensed words carry it.
///
/// | code | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | name | INT8 | FP16 | FP32 | INT16 | INT32 | BFP16 | INT4 | FP8 | FP20 | TF32 |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision(pub u8);

impl Precision {
    /// FP16.
    pub const FP16: Self = Self(1);

    /// FP32.
    pub const FP32: Self = Self(2);

    const HALF_BYTES: [u32; 8] = [2, 4, 8, 4, 8, 4, 1, 2];

    /// Size of an element in half bytes; codes without a size count as 1 byte.
    fn half_bytes(self) -> u32 {
        Self::HALF_BYTES.get(usize::from(self.0)).copied().unwrap_or(2)
    }

    /// Size of an element in whole bytes, INT4 counting as 1.
    #[must_use]
    pub fn whole_bytes(self) -> u32 {
        self.half_bytes().div_ceil(2)
    }

    /// Elements of this type in the room of `base` 1-byte elements.
    #[must_use]
    pub fn elements(self, base: u32) -> u32 {
        base * 2 / self.half_bytes()
    }

    /// FP32 and INT32: the cube takes one input channel a cycle.
    #[must_use]
    pub fn is_32_bit(self) -> bool {
        self.half_bytes() == 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let sizes: Vec<_> = (0..8).map(|p| Precision(p).whole_bytes()).collect();
        assert_eq!(sizes, [1, 2, 4, 2, 4, 2, 1, 1]);
        let elements: Vec<_> = (0..8).map(|p| Precision(p).elements(64)).collect();
        assert_eq!(elements, [64, 32, 16, 32, 16, 32, 128, 64]);
    }
}
