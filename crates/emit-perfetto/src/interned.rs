//! Interned texts: those that all tracks of a device know by the same ids, and those of a single track.
//!
//! A packet sequence has interned texts of its own. Where the same text has the same id in all of them, slices of one kind
//! differ between tracks in nothing but their numbers, and can be copies of one template.

use bigtpu_perfetto_protos::field::interned_data;
use foldhash::HashMap;

/// Kinds of texts, each with ids of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    EventName,
    Category,
    Value,
}

impl TextKind {
    /// How many there are.
    pub(crate) const COUNT: usize = 3;

    /// Field of the interned data.
    pub(crate) fn field(self) -> u32 {
        match self {
            Self::EventName => interned_data::EVENT_NAMES,
            Self::Category => interned_data::EVENT_CATEGORIES,
            Self::Value => interned_data::DEBUG_ANNOTATION_STRING_VALUES,
        }
    }
}

/// Texts that all tracks of a device know by the same ids.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary([Shared; TextKind::COUNT]);

#[derive(Debug, Default)]
struct Shared {
    ids: HashMap<Box<str>, u64>,
    /// In the order of the ids, which count from 1.
    texts: Vec<Box<str>>,
}

impl Vocabulary {
    /// Gives a text an id, if it has none.
    pub(crate) fn add(&mut self, kind: TextKind, text: &str) {
        let Shared { ids, texts } = &mut self.0[kind as usize];
        if !ids.contains_key(text) {
            texts.push(text.into());
            ids.insert(text.into(), texts.len() as u64);
        }
    }

    /// The text's id; `None` where tracks have to find one of their own.
    pub(crate) fn id(&self, kind: TextKind, text: &str) -> Option<u64> {
        self.0[kind as usize].ids.get(text).copied()
    }

    /// The text of an id.
    pub(crate) fn text(&self, kind: TextKind, id: u64) -> &str {
        let texts = &self.0[kind as usize].texts;
        (id as usize).checked_sub(1).and_then(|at| texts.get(at)).map_or("", |text| text)
    }

    /// How many texts of a kind there are: ids that tracks give themselves are greater.
    pub(crate) fn count(&self, kind: TextKind) -> usize {
        self.0[kind as usize].texts.len()
    }
}

/// Texts of a kind that a sequence knows.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Whether the sequence has written each shared text: a bit each, by id.
    shared: Vec<u64>,
    own: HashMap<Box<str>, u64>,
    /// How many texts the track gave ids itself.
    count: u64,
}

impl Known {
    /// Notes that a shared text is written; whether it is for the first time.
    pub(crate) fn is_first(&mut self, id: u64) -> bool {
        let (at, bit) = (id as usize / 64, 1 << (id % 64));
        if self.shared.len() <= at {
            self.shared.resize(at + 1, 0);
        }
        let Some(word) = self.shared.get_mut(at) else { return true };
        let is_first = *word & bit == 0;
        *word |= bit;
        is_first
    }

    /// Whether a shared text is written.
    pub(crate) fn has(&self, id: u64) -> bool {
        self.shared.get(id as usize / 64).is_some_and(|word| word & 1 << (id % 64) != 0)
    }

    /// The id of a text that is not shared, and whether it is new; `shared`: how many texts are.
    pub(crate) fn own(&mut self, text: &str, shared: usize) -> (u64, bool) {
        if let Some(&id) = self.own.get(text) {
            return (id, false);
        }
        let id = self.own_id(shared);
        self.own.insert(text.into(), id);
        (id, true)
    }

    /// An id that the track gives a text which is not asked for again; `shared`: how many texts are.
    pub(crate) fn own_id(&mut self, shared: usize) -> u64 {
        self.count += 1;
        shared as u64 + self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_ids_follow_the_shared_ones() {
        let mut vocabulary = Vocabulary::default();
        for text in ["a", "b", "a"] {
            vocabulary.add(TextKind::Value, text);
        }
        assert_eq!(vocabulary.id(TextKind::Value, "b"), Some(2));
        assert_eq!(vocabulary.id(TextKind::Category, "b"), None);
        assert_eq!(vocabulary.text(TextKind::Value, 2), "b");
        let mut known = Known::default();
        let shared = vocabulary.count(TextKind::Value);
        assert_eq!(known.own("c", shared), (3, true));
        assert_eq!(known.own("d", shared), (4, true));
        assert_eq!(known.own("c", shared), (3, false));
        assert_eq!(known.own_id(shared), 5);
        assert_eq!(known.own("e", shared), (6, true));
        assert!(known.is_first(200) && known.is_first(1) && !known.is_first(200));
    }
}
