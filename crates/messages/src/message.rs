//! A message: an id of the catalogue with arguments.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arg::Arg;
use crate::catalogue;
use crate::language::Language;

/// An id of the catalogue with arguments: what was found, in no language. [`message!`](crate::message!) makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Message {
    /// Which sentence or phrase of the catalogue this is.
    pub id: Cow<'static, str>,
    /// Its arguments by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "page-types", ts(optional, as = "Option<BTreeMap<String, Arg>>"))]
    pub args: BTreeMap<Cow<'static, str>, Arg>,
}

impl Message {
    /// A message without arguments.
    #[must_use]
    pub const fn new(id: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), args: BTreeMap::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.insert(Cow::Borrowed(name), arg.into());
        self
    }

    /// A text that is the same in all languages, such as a name, where a message is asked for.
    #[must_use]
    pub fn verbatim(text: impl Into<String>) -> Self {
        Self::new(VERBATIM).with("text", Arg::Name(text.into()))
    }

    /// The message with other names: `rename` gets each name among the arguments.
    #[must_use]
    pub fn renamed(mut self, rename: &dyn Fn(&str) -> String) -> Self {
        for arg in self.args.values_mut() {
            match arg {
                Arg::Name(name) => *name = rename(name),
                Arg::Message(inner) => {
                    let message = std::mem::replace(&mut **inner, Self::new(VERBATIM));
                    **inner = message.renamed(rename);
                }
                Arg::List(inner) | Arg::Items(inner) | Arg::Clauses(inner) => {
                    let messages = std::mem::take(inner).into_iter();
                    *inner = messages.map(|message| message.renamed(rename)).collect();
                }
                _ => {}
            }
        }
        self
    }

    /// The sentence or phrase in all languages, in the order of [`Language::ALL`].
    #[must_use]
    pub fn in_both(&self) -> [String; 2] {
        Language::ALL.map(|language| self.text(language))
    }

    /// The sentence or phrase in a language. An id that the catalogue does not know is shown as it is.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match (&*self.id, self.args.get("text")) {
            (VERBATIM, Some(Arg::Name(text))) => text.clone(),
            _ => catalogue::format(self, language),
        }
    }
}

/// A sentence that is not in the catalogue yet: it is shown in English.
impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::verbatim(text)
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::verbatim(text)
    }
}

const VERBATIM: &str = "verbatim";

/// A message of the catalogue: `message!("place-core", core = Arg::Number(2))`. Counts (`u64`, `usize`), names (`&str`, `String`) and
/// messages need no [`Arg`]. A test of this crate reads these calls: ids and names of arguments have to be in the catalogue.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Message::new($id)$(.with(stringify!($name), $value))*
    };
}
