//! Kinds by their keys: each distinct key gets a number, in order of first appearance.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use bigtpu_chip::push_masked;
use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Distinct keys, each a run of words, and the event in which each appeared first.
///
/// Kernels repeat: after some commands most often comes one of the kind that came after them the last time. So that kind is
/// tried first, and hashes are computed only where it is another one.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    words: Vec<u64>,
    /// Words, hash and first event of each key, by the key's number.
    keys: Vec<(Range<usize>, u64, usize)>,
    numbers: HashTable<u32>,
    after: After,
    key: Vec<u64>,
}

/// What came after the last few numbers.
#[derive(Debug)]
struct After {
    /// Number that came after the last numbers, by their hash, counted from 1; 0 where none did.
    next: Vec<u32>,
    /// The last numbers: each further one moves the others up, until they are forgotten.
    last: u32,
}

impl Default for After {
    fn default() -> Self {
        Self { next: vec![0; Self::PLACES], last: 0 }
    }
}

impl After {
    /// Places for what comes next: a part of a track has few kinds, in few orders.
    const PLACES: usize = 1 << 11;
    /// Bits by which a number moves the numbers before it: four of them are in 32 bits.
    const STEP: u32 = 8;

    #[inline]
    fn place(&self) -> usize {
        // The highest bits of a product depend on all of its factors' bits.
        (self.last.wrapping_mul(0x9e37_79b1) >> (32 - Self::PLACES.trailing_zeros())) as usize
    }

    /// The number that is likely to come next.
    #[inline]
    fn likely(&self) -> Option<u32> {
        self.next.get(self.place())?.checked_sub(1)
    }

    /// Takes note of the number that came.
    #[inline]
    fn came(&mut self, number: u32) {
        let place = self.place();
        if let Some(next) = self.next.get_mut(place) {
            *next = number + 1;
        }
        self.go_on(number);
    }

    /// Adds a number to the last ones. This is enough where the number was likely to come.
    #[inline]
    fn go_on(&mut self, number: u32) {
        self.last = self.last << Self::STEP ^ (number + 1);
    }
}

impl Keys {
    /// The number of a command's key: `head`, then its bits under a mask; a key that is new appears in `event`.
    #[inline]
    pub(crate) fn of_bits(&mut self, head: u64, mask: &[u64], bits: &[u8], event: usize) -> u32 {
        if let Some((number, [first, rest @ ..])) = self.expected()
            && *first == head
            && is_masked(rest, mask, bits)
        {
            return self.came(number);
        }
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.push(head);
        push_masked(&mut key, mask, bits);
        let number = self.number_of(&key, hash(&key), event).0;
        self.key = key;
        self.came(number)
    }

    /// The number of a key; a key that is new appears in `event`.
    #[inline]
    pub(crate) fn number(&mut self, key: &[u64], event: usize) -> u32 {
        let expected = self.expected().filter(|(_, words)| *words == key);
        let number = match expected {
            Some((number, _)) => number,
            None => self.number_of(key, hash(key), event).0,
        };
        self.came(number)
    }

    /// The number that is likely to come next.
    #[inline]
    pub(crate) fn likely(&self) -> Option<u32> {
        self.after.likely()
    }

    /// The number that is likely to come next, with its words.
    #[inline]
    fn expected(&self) -> Option<(u32, &[u64])> {
        let number = self.likely()?;
        let (words, ..) = self.keys.get(number as usize)?;
        Some((number, self.words.get(words.clone())?))
    }

    /// Takes note of the number that came.
    #[inline]
    pub(crate) fn came(&mut self, number: u32) -> u32 {
        self.after.came(number);
        number
    }

    /// Takes note that the number came that was likely to.
    #[inline]
    pub(crate) fn came_as_likely(&mut self, number: u32) -> u32 {
        self.after.go_on(number);
        number
    }

    /// Returns the number of a key whose hash is known, and whether the key is new; a key that is new appears in
    /// `event`.
    fn number_of(&mut self, key: &[u64], hash: u64, event: usize) -> (u32, bool) {
        let Self { words, keys, numbers, .. } = self;
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

/// Whether words are those of bits under a mask, as [`push_masked`] makes them.
#[inline]
fn is_masked(words: &[u64], mask: &[u64], bits: &[u8]) -> bool {
    let (whole, rest) = bits.as_chunks::<8>();
    if !rest.is_empty() || words.len() != whole.len() || mask.len() != whole.len() {
        let mut key = Vec::new();
        push_masked(&mut key, mask, bits);
        return key == words;
    }
    let mut differ = 0;
    for (at, bits) in whole.iter().enumerate() {
        differ |= (u64::from_le_bytes(*bits) & mask[at]) ^ words[at];
    }
    differ == 0
}

fn hash(key: &[u64]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    key.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is expected, a key has one number.
    #[test]
    fn keys_of_bits_are_those_of_their_words() {
        let mask = [u64::MAX, 0xff];
        let bits = |first: u64, last: u64, bytes: usize| -> Vec<u8> {
            [first, last].iter().flat_map(|word| word.to_le_bytes()).take(bytes).collect()
        };
        let (mut found, mut plain) = (Keys::default(), Keys::default());
        let rows =
            [(1, 2, 3), (1, 2, 4), (1, 2, 0x103), (2, 2, 3), (1, 2, 3), (2, 2, 3), (1, 2, 4)];
        for bytes in [16, 12] {
            for (event, (head, first, last)) in rows.into_iter().cycle().take(40).enumerate() {
                let bits = bits(first, last, bytes);
                let mut key = vec![head];
                push_masked(&mut key, &mask, &bits);
                let number = plain.number_of(&key, hash(&key), event).0;
                assert_eq!(found.of_bits(head, &mask, &bits, event), number);
            }
        }
        assert_eq!(found.keys, plain.keys);
    }

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
