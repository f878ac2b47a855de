//! Texts, each once.

use std::collections::HashMap;

/// Texts by index.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    index: HashMap<String, u32>,
    pub(crate) texts: Vec<String>,
}

impl Strings {
    /// Index of a text.
    pub(crate) fn index(&mut self, text: &str) -> u32 {
        if let Some(&index) = self.index.get(text) {
            return index;
        }
        let index = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.index.insert(text.to_owned(), index);
        index
    }
}
