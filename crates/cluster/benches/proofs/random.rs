//! Random numbers of a seed.

/// A xorshift generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn seeded(seed: u64, run: u64) -> Self {
        let mut random = Self((seed * 1_000_003 + run + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn next_below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end.max(1)
    }

    pub(crate) fn of_list<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next_below(list.len() as u64) as usize]
    }

    pub(crate) fn happens(&mut self, percent: u64) -> bool {
        self.next_below(100) < percent
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
