//! Two runs, or two sets of runs, compared: what changed, by how much, and whether that is more than noise
//! (`docs/ci.md`).

mod gate;
mod measure;

use std::collections::BTreeMap;

use serde::Serialize;

pub use gate::{Limit, LimitError, Outcome, Violation};

use crate::report::Report;
use bigtpu_measure::round4;
use measure::{Sample, samples};

/// What rows are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The whole run.
    Total,
    /// A core.
    Core,
    /// An engine.
    Engine,
    /// A kernel function.
    Kernel,
    /// Commands of an opcode.
    Opcode,
    /// Lost data.
    Loss,
}

impl Subject {
    /// All subjects, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::Total, Self::Core, Self::Engine, Self::Kernel, Self::Opcode, Self::Loss];

    /// Name as printed, and as limits spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Core => "core",
            Self::Engine => "engine",
            Self::Kernel => "kernel",
            Self::Opcode => "opcode",
            Self::Loss => "loss",
        }
    }
}

/// The runs of one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stat {
    /// Median of the runs; the mean of the middle two where their number is even.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Runs that have the value.
    pub runs: u64,
}

impl Stat {
    fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let n = values.len();
        let (low, high) = (values.get((n - 1) / 2)?, values.get(n / 2)?);
        Some(Self { median: round4((low + high) / 2.0), min, max, runs: n as u64 })
    }

    /// Half of the distance from the least to the greatest.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.max - self.min) / 2.0
    }
}

/// A number on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// What it is, such as `time`.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Before; absent for a new row.
    pub before: Option<Stat>,
    /// After; absent for a row that is gone.
    pub after: Option<Stat>,
    /// Difference of the medians; a missing side counts as 0.
    pub absolute: f64,
    /// Difference over the median before; absent where that is 0 or missing.
    pub relative: Option<f64>,
    /// Several runs are given on some side, and the sides' ranges overlap: no more than noise.
    pub is_noise: bool,
}

impl Change {
    fn new(
        metric: &'static str,
        unit: &'static str,
        before: Option<Stat>,
        after: Option<Stat>,
    ) -> Self {
        let median = |stat: Option<Stat>| stat.map_or(0.0, |s| s.median);
        let absolute = round4(median(after) - median(before));
        let base = before.filter(|s| s.median != 0.0 && after.is_some());
        let is_noise = before
            .zip(after)
            .is_some_and(|(b, a)| b.runs.max(a.runs) > 1 && a.min <= b.max && b.min <= a.max);
        Self {
            metric,
            unit,
            before,
            after,
            absolute,
            relative: base.map(|b| round4(absolute / b.median)),
            is_noise,
        }
    }
}

/// A core, engine, kernel or other subject on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is about.
    pub subject: Subject,
    /// Its name; empty for the whole run.
    pub name: String,
    /// Its numbers, time first.
    pub changes: Vec<Change>,
}

impl Row {
    /// Whether it stands on one side only.
    #[must_use]
    pub fn status(&self) -> &'static str {
        let has = |side: fn(&Change) -> bool| self.changes.iter().any(side);
        match (has(|c| c.before.is_some()), has(|c| c.after.is_some())) {
            (false, true) => "new",
            (true, false) => "gone",
            _ => "",
        }
    }

    /// The change that rows are sorted by: the first.
    #[must_use]
    pub fn first(&self) -> Option<&Change> {
        self.changes.first()
    }
}

/// Everything that was compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// Version of this layout.
    pub schema_version: u32,
    /// Where the runs before came from.
    pub before: Vec<String>,
    /// Where the runs after came from.
    pub after: Vec<String>,
    /// What the two sides differ in beyond numbers, such as the chip: then numbers mean little.
    pub warnings: Vec<String>,
    /// Rows by subject; within a subject the greatest absolute change first.
    pub rows: Vec<Row>,
}

/// A run and where it came from.
#[derive(Debug, Clone)]
pub struct Run {
    /// A path.
    pub name: String,
    /// Its report.
    pub report: Report,
}

/// Compares the runs of two sides.
#[must_use]
pub fn diff(before: &[Run], after: &[Run]) -> Diff {
    type Values = BTreeMap<(Subject, String), Vec<Sample>>;
    let of_side = |runs: &[Run]| -> Values {
        let mut values = Values::new();
        for run in runs {
            for (key, sample) in samples(&run.report) {
                values.entry(key).or_default().push(sample);
            }
        }
        values
    };
    let (before_values, after_values) = (of_side(before), of_side(after));
    let keys: std::collections::BTreeSet<_> =
        before_values.keys().chain(after_values.keys()).collect();
    let mut rows: Vec<Row> = keys
        .into_iter()
        .map(|key| {
            let side = |values: &Values, metric: usize| {
                let samples = values.get(key)?;
                Stat::of(samples.iter().filter_map(|s| s.get(metric)).map(|m| m.value).collect())
            };
            let sample = before_values.get(key).or(after_values.get(key)).and_then(|s| s.first());
            let metrics = sample.into_iter().flatten().enumerate();
            let changes = metrics.map(|(i, m)| {
                Change::new(m.metric, m.unit, side(&before_values, i), side(&after_values, i))
            });
            Row { subject: key.0, name: key.1.clone(), changes: changes.collect() }
        })
        .collect();
    let size = |row: &Row| row.first().map_or(0.0, |c| c.absolute.abs());
    rows.sort_by(|a, b| {
        a.subject.cmp(&b.subject).then(size(b).total_cmp(&size(a))).then(a.name.cmp(&b.name))
    });
    let names = |runs: &[Run]| runs.iter().map(|r| r.name.clone()).collect();
    Diff {
        schema_version: 1,
        before: names(before),
        after: names(after),
        warnings: warnings(before, after),
        rows,
    }
}

/// What makes numbers hard to compare.
fn warnings(before: &[Run], after: &[Run]) -> Vec<String> {
    let all = || before.iter().chain(after);
    let mut warnings = Vec::new();
    let mut differ = |what: &str, of: fn(&Report) -> String| {
        let values: std::collections::BTreeSet<String> = all().map(|r| of(&r.report)).collect();
        if values.len() > 1 {
            let values: Vec<String> = values.into_iter().collect();
            warnings.push(format!("the runs differ in {what}: {}", values.join(", ")));
        }
    };
    differ("chip", |r| r.dump.chip.clone());
    differ("cores", |r| r.dump.cores.to_string());
    differ("TIU clock", |r| format!("{} MHz", r.dump.tiu_mhz));
    differ("the report's version", |r| r.schema_version.to_string());
    for run in all().filter(|r| r.report.ledger.losses > 0) {
        warnings.push(format!("{}: data was lost, see its ledger", run.name));
    }
    warnings
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::findings::Findings;
    use crate::planted::Planted;
    use crate::report::{DumpFacts, LedgerFacts};

    /// A run of two kernels that take so long, with so many losses.
    pub(crate) fn run(kernels: &[(&str, i64)], losses: u64) -> Run {
        let mut planted = Planted::default();
        let mut now = 0;
        for (name, ns) in kernels {
            planted.kernel(0, name, now, now + ns);
            planted.load(0, now, now + ns, 1000);
            now += ns;
        }
        let model = planted.model();
        let findings = Findings::of(&model, crate::advice::testing::hardware());
        let dump = DumpFacts {
            chip: "AKS".into(),
            is_static: false,
            cores: 2,
            ports: 0,
            events: kernels.len() as u64,
            tiu_mhz: 1000.0,
            dma_mhz: 1000.0,
        };
        let ledger =
            LedgerFacts { losses, lost_records: losses, lines: Vec::new(), notes: Vec::new() };
        let summary = crate::summary::Summary::default();
        Run { name: "run".into(), report: Report::from_parts(dump, ledger, &summary, findings) }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::run;
    use super::*;

    fn row<'a>(diff: &'a Diff, subject: Subject, name: &str) -> &'a Row {
        diff.rows.iter().find(|r| r.subject == subject && r.name == name).unwrap()
    }

    #[test]
    fn planted_changes_are_found() {
        let before = run(&[("matmul", 1000), ("old", 50)], 0);
        let after = run(&[("matmul", 1100), ("fresh", 30)], 1);
        let diff = diff(&[before], &[after]);
        let total = row(&diff, Subject::Total, "");
        let time = total.first().unwrap();
        assert_eq!((time.metric, time.absolute, time.relative), ("time", 80.0, Some(0.0762)));
        let kernels: Vec<_> = diff.rows.iter().filter(|r| r.subject == Subject::Kernel).collect();
        let found: Vec<_> = kernels
            .iter()
            .map(|r| (r.name.as_str(), r.status(), r.first().unwrap().absolute))
            .collect();
        assert_eq!(found, [("matmul", "", 100.0), ("old", "gone", -50.0), ("fresh", "new", 30.0)]);
        let gbps = kernels[0].changes.iter().find(|c| c.metric == "bandwidth").unwrap();
        assert_eq!((gbps.before.unwrap().median, gbps.after.unwrap().median), (1.0, 0.9091));
        assert_eq!(row(&diff, Subject::Loss, "").first().unwrap().absolute, 1.0);
        assert_eq!(diff.warnings, ["run: data was lost, see its ledger"]);
    }

    #[test]
    fn several_runs_tell_noise_from_change() {
        let runs = |times: &[i64]| times.iter().map(|t| run(&[("k", *t)], 0)).collect::<Vec<_>>();
        let noisy = diff(&runs(&[100, 110, 104]), &runs(&[108, 120, 130, 112]));
        let time = row(&noisy, Subject::Kernel, "k").first().unwrap().clone();
        assert_eq!((time.before.unwrap().median, time.after.unwrap().median), (104.0, 116.0));
        assert_eq!((time.before.unwrap().spread(), time.is_noise), (5.0, true));
        let clear = diff(&runs(&[100, 110, 104]), &runs(&[111, 120]));
        assert!(!row(&clear, Subject::Kernel, "k").first().unwrap().is_noise);
        let single = diff(&runs(&[100]), &runs(&[100]));
        assert!(!row(&single, Subject::Kernel, "k").first().unwrap().is_noise);
    }
}
