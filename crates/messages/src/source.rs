//! Where a number comes from, if its source is named by a sentence in a file.

use crate::language::Language;
use crate::message::Message;
use crate::template::templates;

impl Message {
    /// Where a number comes from: the sentence of the catalogue whose English it is. What is no such sentence stays as it is: the
    /// name of a data sheet, and what a machine file of the user says.
    #[must_use]
    pub fn source(text: &str) -> Self {
        let mut sentences =
            templates(Language::English).filter(|(id, _)| id.starts_with("source-"));
        let known = sentences.find(|(_, english)| english == text);
        known.map_or_else(|| Self::verbatim(text), |(id, _)| Self::new(id))
    }
}
