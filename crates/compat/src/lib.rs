//! What bigTpuProfile writes, from the command table: its register records, summary, engine summary, and sheets of
//! layers, with its formulas, also where they are wrong. Newer views are in other crates.
//!
//! Section numbers in the docs refer to `docs/format.md`.
#![forbid(unsafe_code)]

mod codes;
mod edition;
mod engine_summary;
mod engine_totals;
mod gains;
mod layer_kind;
mod layer_totals;
mod peak;
mod record;
mod summary;
mod summary_rows;

pub use edition::Edition;
pub use engine_summary::{CoreEngines, EngineSummary, OverlapShares};
pub use engine_totals::{DmaTotals, TiuTotals, TypeTotals, mean_gbps};
pub use gains::{Gain, gains};
pub use layer_kind::{LayerKind, layer_kinds, of_all_kinds, operand_bytes};
pub use layer_totals::{LayerTotals, layer_totals};
pub use peak::{LaneArrays, Peak, rounded};
pub use record::{
    Cell, CellField, INDEX, Kinds, OwnValues, Record, RecordField, RecordLayout, RecordValue,
    Varying, belongs, owner_number, record,
};
pub use summary::{CoreTotals, Moved, PortTotals, Summary, overall_us};
pub use summary_rows::{SUMMARY_COLUMNS, SummaryRows};
