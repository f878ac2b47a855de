//! Messages: what a person reads is an id with typed arguments, made where a fact is found. The catalogue (`locales`, in the format of
//! Project Fluent) has its sentence in each language; nothing else knows a sentence, and no text is taken apart again.
//!
//! ```
//! use bigtpu_messages::{Arg, Language, message};
//!
//! let found = message!("place-core", core = Arg::Number(2));
//! assert_eq!(found.text(Language::English), "core 2");
//! assert_eq!(found.text(Language::Chinese), "核 2");
//! ```
#![forbid(unsafe_code)]

pub mod amount;
mod arg;
mod catalogue;
mod functions;
mod language;
mod localized;
mod message;
mod notes;
mod reason;
mod source;
mod template;

pub use arg::Arg;
pub use catalogue::{CataloguePart, PARTS, help_text, source_of};
pub use language::Language;
pub use localized::LocalizedText;
pub use message::{Displayed, ErrorValue, Message};
pub use notes::Notes;
pub use reason::ForeignReason;
pub use template::templates;
