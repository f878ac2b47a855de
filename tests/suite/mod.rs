//! The tests, by theme.

mod across_chips;
mod answers;
mod atomic_output;
mod batch;
mod beyond;
mod bm1684x;
mod ci_action;
mod cluster;
mod completeness;
mod costs;
mod damage;
mod docs;
mod docs_run;
mod estimate;
#[cfg(target_os = "linux")]
mod faults;
mod golden;
mod held;
mod host;
mod hostile;
mod llm;
mod modules;
mod multi_dump;
mod mutants;
mod open;
mod options_count;
mod page_colours;
mod peaks;
mod prediction_json;
mod predictions_agree;
mod query;
mod real;
#[cfg(unix)]
mod record;
mod replay;
mod schedules;
mod simulate;
mod supply;
mod synth;
mod trace;
mod usage;
mod whatif;
mod writers;
