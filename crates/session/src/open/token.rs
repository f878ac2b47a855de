//! The part of an address that only this process and its browser know.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// 128 random bits as hex digits. The system's random numbers key the hashers of the standard library.
pub(super) fn new() -> String {
    let part = || RandomState::new().build_hasher().finish();
    // States made by one thread have keys that follow each other; those of two threads are random by themselves.
    let other = std::thread::spawn(part).join().unwrap_or_else(|_| part());
    format!("{:016x}{other:016x}", part())
}

#[cfg(test)]
mod tests {
    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (super::new(), super::new());
        assert!(one.len() == 32 && one != other && one[..16] != one[16..]);
    }
}
