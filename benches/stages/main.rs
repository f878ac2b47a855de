//! How long each stage takes, on synthetic dumps: `cargo bench`.
//!
//! Every figure comes with events or bytes a second. `BENCH_LAUNCHES` sets the launches on each of 8 cores; a launch of 8
//! tiles is about 50 events.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a bench that can't run has to say so")]

mod answers;
mod dumps;
mod emitters;
mod reading;
mod timeline;

fn main() {
    divan::main();
}
