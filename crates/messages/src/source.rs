//! Where a number comes from, as a file of machines names it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::catalogue::source_of;
use crate::language::Language;
use crate::message::Message;

impl Message {
    /// Where a number comes from: an id of the catalogue, such as `source-whole-chip`. Another text is a citation, the same in all
    /// languages: the name of a data sheet, and what a machine file of the user says.
    #[must_use]
    pub fn source(text: &str) -> Self {
        let is_id = text.starts_with("source-") && source_of(Language::English, text).is_some();
        match is_id {
            true => Self { id: Cow::Owned(text.to_owned()), args: BTreeMap::new() },
            false => Self::verbatim(text),
        }
    }
}
