//! Queries: one line that asks for commands by any of their values (`docs/query.md`).
//!
//! The language only: [`Query::read`] makes terms of a line, and a [`Matcher`] tests commands with them, whatever they are kept in
//! ([`QueryRecord`]). The page has the same language in TypeScript; `fixtures/query/cases.json` defines both.
#![forbid(unsafe_code)]

mod field;
mod grammar;
mod matcher;
mod nearest;
mod number;
mod problem;
mod query;
mod record;
mod term;
mod text;
mod units;

pub use field::{QueryField, plain_name};
pub use matcher::Matcher;
pub use problem::Problem;
pub use query::{NamedField, Query, Vocabulary};
pub use record::{QueryRecord, RegisterValue};
pub use units::ValueKind;
