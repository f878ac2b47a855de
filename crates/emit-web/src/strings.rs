//! Texts, each once.

use bigtpu_output::plain_line;
use foldhash::HashMap;

/// Texts by index.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    index: HashMap<String, u32>,
    pub(crate) texts: Vec<String>,
    /// The one that was asked for last: texts repeat.
    last: u32,
}

impl Strings {
    /// Index of a text, as the page shows it: characters that can't be seen, or that turn the direction of others, are escapes.
    pub(crate) fn index(&mut self, text: &str) -> u32 {
        let text = &*plain_line(text);
        if self.texts.get(self.last as usize).is_some_and(|last| last == text) {
            return self.last;
        }
        self.last = match self.index.get(text) {
            Some(&index) => index,
            None => {
                let index = self.texts.len() as u32;
                self.texts.push(text.to_owned());
                self.index.insert(text.to_owned(), index);
                index
            }
        };
        self.last
    }
}
