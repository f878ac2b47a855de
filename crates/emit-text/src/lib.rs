//! Text views of a profile: the register texts that users' scripts parse, and the summary.
#![forbid(unsafe_code)]

mod ledger;
mod register_text;
mod summary_text;
mod table;

pub use ledger::{ledger_table, notes};
pub use register_text::RegisterTexts;
pub use summary_text::{SummaryText, legacy_rows, ports_table};
pub use table::Table;
