//! The tests, by theme.

mod answers;
mod atomic_output;
mod batch;
mod beyond;
mod bm1684x;
mod costs;
mod damage;
mod docs;
mod docs_run;
mod estimate;
mod golden;
mod host;
mod hostile;
mod multi_dump;
mod mutants;
mod prediction_json;
mod real;
mod replay;
mod schedules;
mod synth;
mod trace;
mod usage;
mod whatif;
mod writers;
