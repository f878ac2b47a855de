//! Kinds by their keys: each distinct key gets a number, in order of first appearance.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Distinct keys, each a run of words, and the event in which each appeared first.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    words: Vec<u64>,
    /// By number: its words, its hash, and the first event that has it.
    keys: Vec<(Range<usize>, u64, usize)>,
    numbers: HashTable<u32>,
}

impl Keys {
    /// The number of a key; a key that is new appears in `event`.
    pub(crate) fn number(&mut self, key: &[u64], event: usize) -> u32 {
        self.number_of(key, hash(key), event).0
    }

    /// The same where the hash is known. Returns whether the key is new.
    fn number_of(&mut self, key: &[u64], hash: u64, event: usize) -> (u32, bool) {
        let Self { words, keys, numbers } = self;
        let same = |&number: &u32| {
            let known = keys.get(number as usize).and_then(|(at, ..)| words.get(at.clone()));
            known == Some(key)
        };
        if let Some(&known) = numbers.find(hash, same) {
            return (known, false);
        }
        let number = keys.len() as u32;
        let first = words.len();
        words.extend_from_slice(key);
        keys.push((first..words.len(), hash, event));
        numbers.insert_unique(hash, number, |&number| {
            keys.get(number as usize).map_or(0, |(_, hash, _)| *hash)
        });
        (number, true)
    }

    /// Takes over the keys of a part. `new` is called with the first event of each that is new. Returns the numbers
    /// of the part's keys.
    pub(crate) fn merge(&mut self, part: &Self, mut new: impl FnMut(usize)) -> Vec<u32> {
        let number = |(at, hash, event): &(Range<usize>, u64, usize)| {
            let key = part.words.get(at.clone()).unwrap_or_default();
            let (number, is_new) = self.number_of(key, *hash, *event);
            if is_new {
                new(*event);
            }
            number
        };
        part.keys.iter().map(number).collect()
    }
}

fn hash(key: &[u64]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    key.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance() {
        let (mut first, mut second) = (Keys::default(), Keys::default());
        let numbers = [[1, 2], [3, 4], [1, 2]].map(|key| first.number(&key, 0));
        assert_eq!(numbers, [0, 1, 0]);
        assert_eq!([&[3, 4][..], &[3]].map(|key| second.number(key, 9)), [0, 1]);
        let mut new = Vec::new();
        assert_eq!(first.merge(&second, |event| new.push(event)), [1, 2]);
        assert_eq!(new, [9]);
    }
}
