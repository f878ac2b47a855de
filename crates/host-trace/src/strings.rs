//! Interned text: each distinct string is kept once and named by a small number.

use std::hash::{BuildHasher, RandomState};

use bigtpu_output::{plain_line, plain_paragraph};

/// Names one interned string of a [`Strings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrId(pub(crate) u32);

impl StrId {
    /// The empty string, which every [`Strings`] holds.
    pub const EMPTY: Self = Self(0);

    /// The position of the string, from 0 in order of first use.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All distinct strings of a trace, end to end in one text.
#[derive(Clone, Debug)]
pub struct Strings {
    text: String,
    /// Where each string ends in `text`; it starts where the one before it ends.
    ends: Vec<usize>,
    /// Open addressing with linear probing; ids, or [`FREE`]. A power of two long.
    slots: Vec<u32>,
    hasher: RandomState,
}

/// A free slot; also the limit of ids.
const FREE: u32 = u32::MAX;

impl Default for Strings {
    fn default() -> Self {
        let mut strings = Self {
            text: String::new(),
            ends: Vec::new(),
            slots: vec![FREE; 1024],
            hasher: RandomState::new(),
        };
        strings.intern("");
        strings
    }
}

impl Strings {
    /// The id of `text`, which is added if it is new.
    ///
    /// After 2^32 - 1 distinct strings (over 50 GB of them) new ones all get an id that reads as "".
    pub fn intern(&mut self, text: &str) -> StrId {
        let slot = match self.find(text) {
            Ok(id) => return id,
            Err(slot) => slot,
        };
        let Some(id) = u32::try_from(self.ends.len()).ok().filter(|&id| id != FREE) else {
            return StrId(FREE);
        };
        self.text.push_str(text);
        self.ends.push(self.text.len());
        if let Some(free) = self.slots.get_mut(slot) {
            *free = id;
        }
        if self.ends.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        StrId(id)
    }

    /// The id of a name, as every output shows it: what can't be seen in it, or turns the direction of others, is an escape, and so
    /// are line breaks.
    pub(crate) fn name(&mut self, text: &str) -> StrId {
        self.intern(&plain_line(text))
    }

    /// The id of a value, which may have several lines, as every output shows it: see [`name`](Self::name).
    pub(crate) fn value(&mut self, text: &str) -> StrId {
        self.intern(&plain_paragraph(text))
    }

    /// The text of `id`; "" for an id that is not of this interner.
    #[must_use]
    pub fn get(&self, id: StrId) -> &str {
        let start = id
            .index()
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(id.index()).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or("")
    }

    /// The id of `text` if it occurs.
    #[must_use]
    pub fn lookup(&self, text: &str) -> Option<StrId> {
        self.find(text).ok()
    }

    /// How many distinct strings there are (the empty one included).
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Never true: the empty string is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes held in memory.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.slots.capacity() * size_of::<u32>()
    }

    /// Gives back memory reserved for growth.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The id of `text`, or the slot where it would go.
    fn find(&self, text: &str) -> Result<StrId, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = self.slot_of(text, mask);
        loop {
            match self.slots.get(slot) {
                Some(&id) if id != FREE => {
                    if self.get(StrId(id)) == text {
                        return Ok(StrId(id));
                    }
                }
                _ => return Err(slot),
            }
            slot = (slot + 1) & mask;
        }
    }

    fn slot_of(&self, text: &str, mask: usize) -> usize {
        // The mask is narrower than the hash on purpose.
        #[allow(clippy::cast_possible_truncation)]
        let hash = self.hasher.hash_one(text) as usize;
        hash & mask
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![FREE; mask + 1];
        for id in 0..u32::try_from(self.ends.len()).unwrap_or(FREE) {
            let mut at = self.slot_of(self.get(StrId(id)), mask);
            while let Some(slot) = slots.get_mut(at) {
                if *slot == FREE {
                    *slot = id;
                    break;
                }
                at = (at + 1) & mask;
            }
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_text_same_id() {
        let mut strings = Strings::default();
        let ids: Vec<StrId> = (0..5000).map(|i| strings.intern(&format!("op{i}"))).collect();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(strings.get(id), format!("op{i}"));
            assert_eq!(strings.intern(&format!("op{i}")), id);
            assert_eq!(strings.lookup(&format!("op{i}")), Some(id));
        }
        assert_eq!(strings.len(), 5001);
        assert_eq!(strings.lookup("absent"), None);
    }

    #[test]
    fn nothing_in_a_text_is_hidden() {
        let mut strings = Strings::default();
        let plain = strings.name("aten::mm");
        let zero_width = strings.name("aten::mm\u{200b}");
        assert_ne!(plain, zero_width);
        assert_eq!(strings.get(zero_width), "aten::mm\\u{200b}");
        let name = strings.name("a\n\u{e0041}");
        assert_eq!(strings.get(name), "a\\u{a}\\u{e0041}");
        let value = strings.value("a\n\u{feff}");
        assert_eq!(strings.get(value), "a\n\\u{feff}");
    }

    #[test]
    fn empty_is_there_and_strange_ids_are_empty() {
        let mut strings = Strings::default();
        assert_eq!(strings.intern(""), StrId::EMPTY);
        assert_eq!(strings.get(StrId(77)), "");
    }
}
