//! Pure functions over a [`bigtpu_timeline::Profile`]: what each event is, totals, kernels, flows,
//! bandwidth over time; and the answers: where the time went, what held it back, what to do.
//!
//! A [`Model`] is the command table and what was found about its events; all answers are functions of it and come
//! together in a [`Report`]. Definitions are in `docs/analysis.md`.
//!
//! A number that two views show comes from one function here. Section numbers in the docs refer to
//! `docs/format.md`.
#![forbid(unsafe_code)]

mod advice;
mod analysis;
mod balance;
mod bandwidth;
mod cells;
mod codes;
mod diff;
mod engine_summary;
mod engine_totals;
mod findings;
mod flows;
mod gaps;
mod groups;
mod intervals;
mod kernel_totals;
mod kernels;

mod launches;
mod local_memory;
mod model;
mod percentile;
#[cfg(test)]
mod planted;
mod record;
mod replay;
mod report;
mod reuse;
mod roofline;
mod spans;
mod summary;
mod summary_rows;

pub use advice::{Advice, Evidence, advice};
pub use analysis::Analysis;
pub use balance::{Barrier, Barriers, Imbalance, barriers, imbalances};
pub use bandwidth::{Bandwidth, BandwidthStep};
pub use bigtpu_hardware::{Hardware, Overrides};
pub use bigtpu_measure::{
    Activity, CommandTable, float_text, percent, percent_number, quotient, ratio, round4,
};
pub use diff::{
    Change, DIFF_SCHEMA_VERSION, Diff, Failure, Gate, Interval, Limit, LimitError, LimitOutcome,
    LimitResult, Measure, Metric, Noise, Presence, Row, Run, Stat, Subject, Verdict, diff,
};
pub use engine_summary::{CoreEngines, EngineSummary, Overlap};
pub use engine_totals::{DmaTotals, TiuTotals, TypeTotals, mean_gbps};
pub use findings::Findings;
pub use flows::{Flow, sync_flows};
pub use gaps::{Cause, CauseCost, Edge, Gap, Gaps};
pub use groups::{Group, Key, gbps, groups};
pub use intervals::{
    CoreMean, CoreTime, EngineTime, Intervals, Phase, Segment, Times, TrackTime, segments,
};
pub use kernel_totals::{KernelTotals, kernel_totals};
pub use kernels::{KernelSlice, Launches, kernel_slices};
pub use launches::{CoreLaunches, LaunchGap, Stall, core_launches};
pub use local_memory::{Access, LocalMemory};
pub use model::{Event, Model};
pub use percentile::Durations;
pub use record::{Field, Record, Value, record};
pub use report::{
    Alignment, AllIntervals, Balance, DumpFacts, DumpIndex, DumpName, DumpRow, Grouping, Kernel,
    LedgerFacts, LedgerLine, LegacyRow, NoteFacts, PathReport, Port, PortSide, Report, Rooflines,
    RuntimeFacts, SCHEMA_VERSION, TimeLine, TopKernel,
};
pub use reuse::Reuse;
pub use roofline::{Bound, Roofline, kernel_rooflines, overall_roofline};
pub use spans::Spans;
pub use summary::{CoreTotals, Moved, PortTotals, Summary, overall_us};
pub use summary_rows::{SUMMARY_COLUMNS, SummaryRows};
