//! The tests, by theme.

mod beyond;
mod damage;
mod golden;
mod host;
mod hostile;
mod mutants;
mod synth;
mod trace;
mod usage;
mod whole;
