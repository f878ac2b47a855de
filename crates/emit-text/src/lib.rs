//! Text views of a profile: the register texts that users' scripts parse, the summary, the answers, several dumps side by side,
//! and comparisons of runs ([`diff`]).
#![forbid(unsafe_code)]

mod answers;
mod brief;
pub mod console;
pub mod diff;
mod dumps;
mod dumps_page;
mod fleet_page;
mod ledger;
mod register_text;
mod runtime;
mod shade;
mod summary_text;

pub use answers::{
    advice_besides, advice_brief, advice_full, advice_together, answer_tables, barriers_text,
    host_text, intervals_text, kernels_table, path_text, steps_text,
};
pub use brief::{BRIEF_FILE, Brief, clocks, heading, verdict_label};
pub use dumps::{dumps_table, dumps_text, stragglers_text, time_line_text};
pub use dumps_page::{DUMPS_PAGE, KernelTimes, dumps_page};
pub use fleet_page::{FLEET_PAGE, FleetPage, FleetProblem, fleet_phases};
pub use ledger::{completeness_line, completeness_text, ledger_table, note_line, notes};
pub use register_text::{RegisterTexts, is_register_text};
pub use summary_text::{SUMMARY_FILE, SummaryText, legacy_rows, ports_table, summary_lines};
