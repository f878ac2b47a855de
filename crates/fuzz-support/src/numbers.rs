//! Numbers that look random and are the same in every run.

/// A xorshift generator.
#[derive(Debug, Clone)]
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        // Neighbouring seeds start far apart, and 0 would stay 0.
        let mut numbers = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        numbers.next();
        numbers
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn next_below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    /// One of a list, which must not be empty.
    ///
    /// # Panics
    /// When it is.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.next_below(list.len())]
    }
}
