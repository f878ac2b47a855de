//! Properties that hold for any bytes, also damaged or hostile ones.
//!
//! The fuzz targets in `fuzz/` and the tests that replay their corpora call the same [`checks`], and the mutant tests
//! damage dumps with [`mutate`]. A check panics when something does not hold: this crate is for tests only, and no part of
//! the binary.
#![forbid(unsafe_code)]
// A check that fails has no other way to say so.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

pub mod checks;
mod files;
pub mod mutate;
mod numbers;
mod pipeline;
pub mod readers;

pub use files::DumpFiles;
pub use numbers::Numbers;
pub use pipeline::{Views, analyze};
