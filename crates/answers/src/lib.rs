//! The answers: where the time of a run went, what held it back, what to do about it, and how two runs differ.
//!
//! All are functions of a [`bigtpu_measure::DumpModel`] and are collected in a [`Report`]. Definitions are in
//! `docs/analysis.md`.
#![forbid(unsafe_code)]

mod advice;
mod analysis;
mod balance;
mod barriers;
mod buffering;
mod by_kind;
mod cached_constants;
mod cause_place;
mod communication;
mod ddr_bandwidth;
mod diff;
mod evenness;
mod expected;
mod findings;
mod fleet;
mod gains;
mod gaps;
mod host;
mod identity;
mod inferred_barriers;
mod layer_path;
mod like_rows;
mod report;
mod roofline;
mod round_trips;
mod steps;
mod stretch;
pub mod tables;
mod units;
mod verdict;
mod work;

pub use advice::{Advice, Evidence, RULE_NAMES, advice};
pub use analysis::{Analysis, AnalysisInputs, Depth, DrawnUnits, MOST_REPLAYED};
pub use balance::{Imbalance, imbalances};
pub use barriers::{Barrier, Barriers, barriers};
pub use cached_constants::CachedConstants;
pub use communication::{Channel, Communication};
pub use ddr_bandwidth::DdrBandwidth;
pub use diff::{
    CRITICAL_PATH, CauseKind, Change, ChangeCause, Compared, ComparedError, Comparison,
    DIFF_SCHEMA_VERSION, Diff, DiffVerdict, EventKind, Failure, Gate, GateOptions,
    HISTORY_SCHEMA_VERSION, History, HistoryBuild, HistoryEvent, HistoryLevel, HistoryLine,
    HistoryOptions, HistorySeries, HistoryVerdict, Interval, LEAST_HISTORY, Limit, LimitError,
    LimitLine, LimitOutcome, LimitResult, LimitState, LookedAt, Measure, Method, Metric, Noise,
    NothingInCommon, OLDEST_SCHEMA_VERSION, Presence, Row, RunRecord, SourcedRun, Stat, Subject,
    UnitDiff, Unpaired, Verdict, compare, diff, matching_places, series_title,
};
pub use expected::{Expected, SlowCause, Slower};
pub use findings::Findings;
pub use fleet::{
    AdviceFacts, CoreWork, FleetAdvice, FleetDevice, FleetDump, FleetFacts, FleetOverview,
    FleetUnchecked, Outlier, PartTime, SlowCall, SlowCore, SlowDevice, Trend,
};
pub use gains::Together;
pub use gaps::{
    Cause, CauseCost, ChainLink, Edge, EngineGapRows, EngineGaps, Gap, GapLink, GapRow, GapTable,
    Gaps,
};
pub use host::{
    HostAlignment, HostGap, HostIdle, HostInput, HostLaunch, HostOperator, HostReport,
    LaunchLatency, Matching, QueueDepth,
};
pub use identity::{
    PlacedRun, Pooling, RunPlace, RunProgram, Unit, device_and_call, host_names, rank_of_directory,
    units,
};
pub use layer_path::with_layers;
pub use report::{
    Alignment, AllIntervals, Balance, CallBalance, CompletenessFacts, Definition, DumpFacts,
    DumpIndex, DumpName, DumpRow, Grouping, Kernel, LedgerFacts, LedgerLine, LegacyRow, NoteFacts,
    PathReport, Port, PortPhases, PortSide, PortTimes, PortTraffic, QualityFacts, ReasonFacts,
    Report, Rooflines, RuntimeFacts, SCHEMA_VERSION, TimeLine, TopKernel, clock_source,
};
pub use roofline::{Bound, Roofline, kernel_rooflines, overall_roofline};
pub use steps::{Step, StepSource, StepSpans, StepTimes, Steps};
pub use units::{BlockRow, BlockRun, LayerRow, TreeLine, UnitWork};
pub use verdict::RunVerdict;
pub use work::WorkRow;

pub use bigtpu_measure::counted;
