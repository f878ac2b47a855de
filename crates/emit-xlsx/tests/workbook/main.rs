//! The workbook, read back.
#![allow(clippy::unwrap_used)]

mod beyond;
mod golden;
mod hostile;
mod support;
