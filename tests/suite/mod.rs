//! The tests, by theme.

mod answers;
mod batch;
mod beyond;
mod damage;
mod golden;
mod host;
mod mutants;
mod synth;
mod trace;
mod usage;
mod whole;
