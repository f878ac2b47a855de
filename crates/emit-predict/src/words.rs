//! Messages in pages and pictures.

use bigtpu_messages::{Language, Message};
use bigtpu_output::{Markup, Text, in_two_languages, phrase_in_picture, text};

/// The languages of a picture: a page has both, a file of its own is in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Languages {
    English,
    Both,
}

impl Languages {
    /// A message as a text of a picture.
    pub(crate) fn text(self, message: &Message) -> Text<Markup> {
        let [english, chinese] = message.in_both();
        match self {
            Self::Both if english != chinese => phrase_in_picture(&english, &chinese),
            _ => text!("{}", english),
        }
    }

    /// A message where only one text can be: the name of a picture or of a part of it.
    pub(crate) fn name(self, message: &Message) -> String {
        let [english, chinese] = message.in_both();
        match self {
            Self::Both if english != chinese => format!("{english} / {chinese}"),
            _ => english,
        }
    }
}

/// A message in a page in both languages.
pub(crate) fn both(message: &Message) -> Text<Markup> {
    in_two_languages(&message.in_both())
}

/// A word or sentence without arguments, by its id.
pub(crate) fn word(id: &'static str, language: Language) -> String {
    Message::new(id).text(language)
}
