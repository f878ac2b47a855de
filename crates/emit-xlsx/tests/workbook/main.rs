//! The workbook, read back.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod beyond;
mod golden;
mod hostile;
mod support;
