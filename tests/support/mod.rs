//! What the tests share: fixtures, runs of the binary, and readers of all that goes in and comes out.

pub(crate) mod case;
pub(crate) mod decimal;
pub(crate) mod dump;
pub(crate) mod host;
pub(crate) mod multiset;
pub(crate) mod register_text;
pub(crate) mod run;
#[cfg(unix)]
pub(crate) mod schedulers;
pub(crate) mod summary;
pub(crate) mod trace;
#[path = "../../crates/emit/tests/validate/mod.rs"]
pub(crate) mod validate;
pub(crate) mod workbook;
