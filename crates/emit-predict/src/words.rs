//! Messages in pages and pictures.

use bigtpu_messages::{Language, Message};
pub(crate) use bigtpu_output::both;
use bigtpu_output::{Markup, Text, phrase_in_picture, text};

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

/// A word or sentence without arguments, by its id.
pub(crate) fn word(id: &'static str, language: Language) -> String {
    Message::new(id).text(language)
}
