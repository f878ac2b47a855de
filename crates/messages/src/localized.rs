//! A text in both languages, with the messages that it consists of.

use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::message::Message;

/// Sentences in both languages, with what they say as data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct LocalizedText {
    /// The sentences in English.
    pub text: String,
    /// The text in Chinese.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text_zh: String,
    /// The sentences as data, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
}

impl LocalizedText {
    /// Sentences, one after another.
    #[must_use]
    pub fn new(messages: Vec<Message>) -> Self {
        let [text, text_zh] = Language::ALL.map(|language| {
            let sentences: Vec<String> = messages.iter().map(|one| one.text(language)).collect();
            sentences.join(language.sentence_gap())
        });
        Self { text, text_zh, messages }
    }

    /// Adds a sentence at the end.
    pub fn push(&mut self, message: Message) {
        self.insert(self.messages.len(), message);
    }

    /// Adds a sentence before the sentence at this place.
    pub fn insert(&mut self, at: usize, message: Message) {
        let mut messages = std::mem::take(&mut self.messages);
        messages.insert(at.min(messages.len()), message);
        *self = Self::new(messages);
    }

    /// The sentences in a language; in English where the other one is missing, as in a file of an older version.
    #[must_use]
    pub fn to(&self, language: Language) -> &str {
        match language {
            Language::Chinese if !self.text_zh.is_empty() => &self.text_zh,
            _ => &self.text,
        }
    }
}

impl From<Message> for LocalizedText {
    fn from(message: Message) -> Self {
        Self::new(vec![message])
    }
}

/// As one message.
impl From<LocalizedText> for Message {
    fn from(mut text: LocalizedText) -> Self {
        match (text.messages.pop(), text.messages.is_empty()) {
            (Some(only), true) => only,
            _ => Self::in_languages(text.text, text.text_zh),
        }
    }
}
