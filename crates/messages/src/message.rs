//! A message: an id of the catalogue with arguments.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

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
        Self::new(VERBATIM).with(TEXT, Arg::Name(text.into()))
    }

    /// An error with the first of the things that may have led to it, or with what may be meant.
    #[must_use]
    pub fn with_first(self, first: Option<&Self>) -> Self {
        match first {
            Some(first) => {
                Self::new("error-first").with("error", self).with("first", first.clone())
            }
            None => self,
        }
    }

    /// Sentences that are one text, with semicolons between them.
    #[must_use]
    pub fn clauses(sentences: impl IntoIterator<Item = Self>) -> Self {
        Self::new("error-clauses").with("clauses", Arg::Clauses(sentences.into_iter().collect()))
    }

    /// What an error or another value displays, as a message in each language: for a sentence about it.
    #[must_use]
    pub fn displayed(value: &dyn fmt::Display) -> Self {
        let [text, chinese] = Language::ALL.map(|language| language.display(|| value.to_string()));
        Self::in_languages(text, chinese)
    }

    /// A text that is there in both languages.
    pub(crate) fn in_languages(text: String, chinese: String) -> Self {
        let is_same = chinese == text || chinese.is_empty();
        let message = Self::verbatim(text);
        if is_same { message } else { message.with(CHINESE, chinese) }
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
        if self.id != VERBATIM {
            return catalogue::format(self, language);
        }
        let chinese = self.args.get(CHINESE).filter(|_| language == Language::Chinese);
        match chinese.or(self.args.get(TEXT)) {
            Some(Arg::Name(text)) => text.clone(),
            _ => String::new(),
        }
    }
}

/// In English, or in the language of [`Language::display`].
impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::displayed()))
    }
}

const VERBATIM: &str = "verbatim";
/// Arguments of a verbatim message; the second one where the languages differ.
const TEXT: &str = "text";
const CHINESE: &str = "text_zh";

/// A sentence is what is wrong, where nothing more is known of an error.
impl std::error::Error for Message {}

/// A value in an error: see [`error_message!`].
#[doc(hidden)]
#[derive(Debug)]
pub struct ErrorValue<'a, T: ?Sized>(pub &'a T);

/// A message keeps both languages.
impl ErrorValue<'_, Message> {
    /// Returns the message as an argument.
    pub fn arg(&self) -> Arg {
        Arg::from(self.0.clone())
    }
}

/// What any other value displays.
#[doc(hidden)]
pub trait Displayed {
    /// Returns the value as an argument.
    fn arg(&self) -> Arg;
}

impl<T: fmt::Display + ?Sized> Displayed for ErrorValue<'_, T> {
    fn arg(&self) -> Arg {
        Arg::Name(self.0.to_string())
    }
}

/// A message of the catalogue: `message!("place-core", core = Arg::Number(2))`. Counts (`u64`, `usize`), names (`&str`, `String`) and
/// messages need no [`Arg`]. A test of this crate reads these calls: ids and names of arguments have to be in the catalogue.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Message::new($id)$(.with(stringify!($name), $value))*
    };
}

/// What an error displays: `#[error("{}", error_message!("error-in-file", path = path.display(), source))]`. Each argument is what its
/// value displays, `source` alone is short for `source = source`. A test of this crate reads these calls, as those of [`message!`].
#[macro_export]
macro_rules! error_message {
    ($id:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::Message::new($id)
            $(.with(stringify!($name), {
                #[allow(unused_imports, reason = "a message is an argument by itself")]
                use $crate::Displayed as _;
                $crate::ErrorValue(&$crate::error_message!(@ $name $(= $value)?)).arg()
            }))*
    };
    (@ $name:ident) => { $name };
    (@ $name:ident = $value:expr) => { $value };
}
