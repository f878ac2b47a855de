//! The tests, by theme.

mod answers;
mod batch;
mod beyond;
mod damage;
mod docs;
mod golden;
mod host;
mod hostile;
mod mutants;
mod replay;
mod several;
mod synth;
mod trace;
mod usage;
mod whole;
