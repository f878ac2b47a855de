//! Few distinct numbers as a dictionary.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// Distinct numbers at most: more are found too slowly, and save too little.
const MOST: usize = 1 << 13;

/// Slots of the hash table: half of them are free.
const SLOTS: usize = 2 * MOST;

/// A free slot.
const FREE: u16 = u16::MAX;

/// The distinct words in order of appearance, and the place of each word among them; `None` if there are too many.
pub(super) fn dictionary(words: &[i64]) -> Option<(Vec<i64>, Vec<u32>)> {
    let most = MOST.min(words.len() / 2);
    // Seeded anew in every run, against chosen words that fall into one slot. The result does not depend on it.
    let hasher = RandomState::default();
    let mut slots = vec![FREE; SLOTS];
    let mut entries: Vec<i64> = Vec::new();
    let mut codes = Vec::with_capacity(words.len());
    for &word in words {
        let mut at = hasher.hash_one(word) as usize % SLOTS;
        let code = loop {
            let code = slots[at];
            match entries.get(usize::from(code)) {
                Some(entry) if *entry == word => break code,
                Some(_) => at = (at + 1) % SLOTS,
                None if entries.len() == most => return None,
                None => {
                    let code = entries.len() as u16;
                    slots[at] = code;
                    entries.push(word);
                    break code;
                }
            }
        };
        codes.push(code.into());
    }
    Some((entries, codes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_distinct_words_have_a_dictionary() {
        let words: Vec<i64> = (0..40_000).map(|n| i64::from(n % 5000) * 1_000_003 - 7).collect();
        let (entries, codes) = dictionary(&words).unwrap();
        assert_eq!(entries.len(), 5000);
        let read: Vec<i64> = codes.iter().map(|&code| entries[code as usize]).collect();
        assert_eq!(read, words);
    }

    #[test]
    fn many_distinct_words_have_none() {
        assert!(dictionary(&(0..100_000).collect::<Vec<i64>>()).is_none());
        assert!(dictionary(&[1, 2, 1]).is_none());
        assert_eq!(dictionary(&[1, 1]).unwrap(), (vec![1], vec![0, 0]));
    }
}
