//! Damage costs what it damages: of docs/reliability.md, "Damage inside a stream", the bounds of each kind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod bits;
mod counts;
mod models_with_kernels;
mod records;
mod sound;
mod support;
mod times;
mod two_launches;
mod words;
