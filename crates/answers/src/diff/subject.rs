//! What rows of a comparison are about, and the numbers that each kind of row has.

use serde::Serialize;

use bigtpu_measure::Key;

/// What rows are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The whole run.
    Total,
    /// A piece of the critical path; the pieces of a run sum to its wall time.
    CriticalPath,
    /// A core.
    Core,
    /// An engine.
    Engine,
    /// A kernel function.
    Kernel,
    /// Commands of an opcode.
    Opcode,
    /// Commands of a data type.
    DataType,
    /// Commands of a shape.
    Shape,
    /// Transfers of a direction.
    Direction,
    /// All iterations together.
    Steps,
    /// An iteration.
    Step,
    /// Lost data.
    Loss,
}

/// What a number measures, which says what a limit's number means and what an absent row counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A sum of times in ns. A row that is absent has 0 of it.
    Time,
    /// A sum of anything else. A row that is absent has 0 of it.
    Amount,
    /// The time of one launch in ns. A row that is absent has none.
    Duration,
    /// A rate in a unit of its own. A row that is absent has none.
    Rate,
    /// A share: 1 is 100 %. A row that is absent has none.
    Share,
}

impl Measure {
    /// Whether the number is in ns.
    #[must_use]
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::Duration)
    }

    /// A row that is absent has 0 of it; else nothing is known.
    #[must_use]
    pub fn is_sum(self) -> bool {
        matches!(self, Self::Time | Self::Amount)
    }
}

/// A number that rows of a subject have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name, such as `time`.
    pub name: &'static str,
    /// Its unit; empty for counts and shares.
    pub unit: &'static str,
    /// What it measures.
    pub measure: Measure,
}

const fn time(name: &'static str) -> Metric {
    Metric { name, unit: "ns", measure: Measure::Time }
}

const fn duration(name: &'static str) -> Metric {
    Metric { name, unit: "ns", measure: Measure::Duration }
}

const fn amount(name: &'static str, unit: &'static str) -> Metric {
    Metric { name, unit, measure: Measure::Amount }
}

const fn rate(name: &'static str, unit: &'static str) -> Metric {
    Metric { name, unit, measure: Measure::Rate }
}

const fn share(name: &'static str) -> Metric {
    Metric { name, unit: "", measure: Measure::Share }
}

const TOTAL: &[Metric] = &[
    time("time"),
    time("compute_only"),
    time("overlapped"),
    time("transfer_only"),
    time("sync"),
    time("idle"),
    amount("events", ""),
    amount("bytes", "B"),
    share("overlap_ratio"),
];

const CORE: &[Metric] =
    &[time("time"), time("sync"), time("idle"), share("utilization"), share("overlap_ratio")];

const ENGINE: &[Metric] = &[time("time"), amount("count", ""), time("sync")];

const KERNEL: &[Metric] = &[
    time("time"),
    amount("count", ""),
    duration("p50"),
    duration("p95"),
    amount("bytes", "B"),
    rate("bandwidth", "GB/s"),
    amount("ops", ""),
    rate("tops", "TOPS"),
    share("uarch_rate"),
    // The last one: a run without a critical path does not have it.
    time(CRITICAL_PATH),
];

/// Metric of kernels: their time on the critical path.
pub const CRITICAL_PATH: &str = "critical_path";

const PIECE: &[Metric] = &[time("time"), amount("count", "")];

const GROUP: &[Metric] = &[
    time("time"),
    amount("count", ""),
    duration("p50"),
    duration("p95"),
    amount("bytes", "B"),
    rate("bandwidth", "GB/s"),
    rate("tops", "TOPS"),
    share("uarch_rate"),
];

const STEPS: &[Metric] = &[
    duration("p50"),
    duration("mean"),
    duration("p95"),
    duration("min"),
    duration("max"),
    duration("first"),
    time("warm_up"),
    amount("count", ""),
    amount("outliers", ""),
    share("spread"),
];

const STEP: &[Metric] = &[
    duration("time"),
    duration("compute_only"),
    duration("overlapped"),
    duration("transfer_only"),
    duration("sync"),
    duration("idle"),
    amount("count", ""),
];

const LOSS: &[Metric] = &[amount("losses", ""), amount("lost_records", "")];

impl Subject {
    /// All subjects, in the order in which they are shown.
    pub const ALL: [Self; 12] = [
        Self::Total,
        Self::CriticalPath,
        Self::Core,
        Self::Engine,
        Self::Kernel,
        Self::Opcode,
        Self::DataType,
        Self::Shape,
        Self::Direction,
        Self::Steps,
        Self::Step,
        Self::Loss,
    ];

    /// Name as printed, and as limits write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::CriticalPath => CRITICAL_PATH,
            Self::Core => "core",
            Self::Engine => "engine",
            Self::Kernel => "kernel",
            Self::Opcode => "opcode",
            Self::DataType => "data_type",
            Self::Shape => "shape",
            Self::Direction => "direction",
            Self::Steps => "steps",
            Self::Step => "step",
            Self::Loss => "loss",
        }
    }

    /// The numbers of its rows; rows are sorted by the first, and limits look at it by default.
    #[must_use]
    pub fn metrics(self) -> &'static [Metric] {
        match self {
            Self::Total => TOTAL,
            Self::CriticalPath => PIECE,
            Self::Core => CORE,
            Self::Engine => ENGINE,
            Self::Kernel => KERNEL,
            Self::Opcode | Self::DataType | Self::Shape | Self::Direction => GROUP,
            Self::Steps => STEPS,
            Self::Step => STEP,
            Self::Loss => LOSS,
        }
    }

    /// Whether the subject has one row only, without a name.
    #[must_use]
    pub fn is_single(self) -> bool {
        matches!(self, Self::Total | Self::Steps | Self::Loss)
    }

    /// The grouping of commands that its rows come from.
    #[must_use]
    pub fn grouping(self) -> Option<Key> {
        match self {
            Self::Opcode => Some(Key::Opcode),
            Self::DataType => Some(Key::DataType),
            Self::Shape => Some(Key::Shape),
            Self::Direction => Some(Key::Direction),
            Self::Total
            | Self::CriticalPath
            | Self::Core
            | Self::Engine
            | Self::Kernel
            | Self::Steps
            | Self::Step
            | Self::Loss => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_subjects_and_metrics_are_unique() {
        let mut names: Vec<&str> = Subject::ALL.iter().map(|s| s.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Subject::ALL.len());
        for subject in Subject::ALL {
            let mut names: Vec<&str> = subject.metrics().iter().map(|m| m.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), subject.metrics().len(), "{}", subject.name());
        }
    }
}
