//! The part of an address that only this process and its browser know.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// 128 random bits as hex digits. The system's random numbers key the hashers of the standard library.
pub(super) fn new() -> String {
    // Keys of 128 random bits, which nobody learns from hashes with them.
    let state = RandomState::new();
    let part = |number: u64| {
        let mut hasher = state.build_hasher();
        hasher.write_u64(number);
        hasher.finish()
    };
    format!("{:016x}{:016x}", part(0), part(1))
}

#[cfg(test)]
mod tests {
    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (super::new(), super::new());
        assert!(one.len() == 32 && one != other && one[..16] != one[16..]);
    }
}
