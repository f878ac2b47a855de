//! Random numbers that depend only on the seed and the purpose.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of chance of its own for each purpose: threads and order never change what it gives.
#[derive(Debug, Clone)]
pub(crate) struct Chance(SplitMix64);

impl Chance {
    /// The stream of a seed and a purpose, which is a list of numbers.
    pub(crate) fn seeded(seed: u64, purpose: [u64; 3]) -> Self {
        let mix = |key: u64, part: u64| SplitMix64::seed_from_u64(key ^ part).next_u64();
        Self(SplitMix64::seed_from_u64(purpose.into_iter().fold(mix(seed, 0), mix)))
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`; 0 if that is 0.
    pub(crate) fn next_below(&mut self, end: u64) -> u64 {
        // The bias of end / 2^64 does not matter here.
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// True with the probability `share` of 0 to 1.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        ((self.bits() >> 11) as f64 / (1u64 << 53) as f64) < share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_have_streams_of_their_own() {
        let first = |seed, purpose| Chance::seeded(seed, purpose).bits();
        assert_eq!(first(1, [2, 3, 4]), first(1, [2, 3, 4]));
        assert_ne!(first(1, [2, 3, 4]), first(1, [2, 4, 3]));
        assert_ne!(first(1, [2, 3, 4]), first(2, [2, 3, 4]));
    }

    #[test]
    fn shares_and_bounds_hold() {
        let mut chance = Chance::seeded(7, [0; 3]);
        let hits = (0..10_000).filter(|_| chance.happens(0.25)).count();
        assert!((2_300..2_700).contains(&hits), "{hits}");
        assert!((0..1_000).all(|_| chance.next_below(7) < 7));
        assert_eq!(chance.next_below(0), 0);
        assert!(!chance.happens(0.0) && chance.happens(1.0));
    }
}
