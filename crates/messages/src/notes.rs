//! Notes of a JSON file: sentences in English and as data.

use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::message::Message;

/// Notes of a result. Flattened into an object, it is `notes`, the sentences in English, and `note_messages`, the same as data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes {
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    note_messages: Vec<Message>,
}

impl Notes {
    /// Adds a note at the end.
    pub fn push(&mut self, note: Message) {
        self.notes.push(note.text(Language::English));
        self.note_messages.push(note);
    }

    /// The notes as data.
    pub fn iter(&self) -> std::slice::Iter<'_, Message> {
        self.note_messages.iter()
    }

    /// The notes in English.
    #[must_use]
    pub fn english(&self) -> &[String] {
        &self.notes
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.note_messages.is_empty()
    }
}

impl<'a> IntoIterator for &'a Notes {
    type Item = &'a Message;
    type IntoIter = std::slice::Iter<'a, Message>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Message> for Notes {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, notes: I) {
        notes.into_iter().for_each(|note| self.push(note));
    }
}

impl FromIterator<Message> for Notes {
    fn from_iter<I: IntoIterator<Item = Message>>(notes: I) -> Self {
        let mut all = Self::default();
        all.extend(notes);
        all
    }
}
