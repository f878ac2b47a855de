//! Two runs, or two sets of runs, compared: what changed, by how much, and whether that is more than noise
//! (`docs/ci.md`).

mod cause;
mod change;
mod compared;
mod design;
mod drift;
mod gate;
mod history;
mod limit;
mod lineage;
mod measure;
mod modes;
mod occasions;
#[cfg(test)]
mod power_tests;
#[cfg(test)]
mod random;
mod rank_test;
mod sequence;
mod shared;
mod shift;
mod signed_rank;
pub(crate) mod stat;
mod student;
mod subject;
mod unit;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_messages::Message;
use bigtpu_replay::Reason;
use serde::Serialize;

pub use cause::{CauseKind, ChangeCause, DiffVerdict};
pub use change::{Change, Presence, Row};
pub use compared::{Compared, ComparedError, OLDEST_SCHEMA_VERSION};
pub use design::Method;
pub use gate::{
    Failure, Gate, GateOptions, LimitLine, LimitOutcome, LimitResult, LimitState, Verdict,
};
pub use history::{
    EventKind, HISTORY_SCHEMA_VERSION, History, HistoryBuild, HistoryEvent, HistoryLevel,
    HistoryLine, HistoryOptions, HistorySeries, HistoryVerdict, LEAST_HISTORY, LookedAt, RunRecord,
    series_title,
};
pub use limit::{Limit, LimitError};
pub use sequence::matching_places;
pub use shift::{Interval, Noise};
pub use stat::Stat;
pub use subject::{CRITICAL_PATH, Measure, Metric, Subject};
pub use unit::{Comparison, NothingInCommon, UnitDiff, Unpaired, compare};

use crate::identity::Unit;

use design::{Design, Value};
use lineage::Lineage;
use measure::{Sample, samples};
use shared::unrelated;
use shift::{Bounds, LEAST_RUNS};
use warnings::warnings;

/// Version of the layout of `diff.json`: it rises when a field is renamed, removed or changes its meaning.
pub const DIFF_SCHEMA_VERSION: u32 = 4;

/// Everything that was compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Diff {
    /// Version of this layout.
    pub schema_version: u32,
    /// Where the runs before came from.
    pub before: Vec<String>,
    /// Where the runs after came from.
    pub after: Vec<String>,
    /// The runs are enough, so changes can be distinguished from noise.
    pub noise_is_known: bool,
    /// How changes are told from noise, where the noise is known.
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub method: Option<Method>,
    /// Share of the wall time below which a change can't be told from a drift from run to run; absent where pairs or occasions tell them
    /// apart, or the noise is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub least_change: Option<f64>,
    /// What is noticeable in the runs, such as drift, and what the two sides differ in beyond numbers, such as the chip: then numbers mean little.
    /// In JSON they are English sentences.
    #[serde(serialize_with = "warnings::in_english")]
    #[cfg_attr(feature = "page-types", ts(as = "Vec<String>"))]
    pub warnings: Vec<Message>,
    /// How the wall time changed, and why; absent where a side has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub verdict: Option<DiffVerdict>,
    /// Rows by subject; within a subject the greatest absolute change first.
    pub rows: Vec<Row>,
}

/// A run and where it came from.
#[derive(Debug, Clone)]
pub struct SourcedRun {
    /// A path.
    pub name: String,
    /// Whose run it is.
    pub unit: Unit,
    /// The day, machine or restart that it shares with other runs of its side; `None` where nothing tells.
    pub occasion: Option<String>,
    /// What its report says.
    pub report: Compared,
}

/// Compares the runs of two sides, each in the order in which they ran. `pairs`: the n-th runs of both sides belong together.
#[must_use]
pub fn diff(before: &[SourcedRun], after: &[SourcedRun], pairs: bool) -> Diff {
    type Values = BTreeMap<(Subject, String), Vec<(usize, Sample)>>;
    let of_side = |runs: &[SourcedRun]| -> Values {
        let mut values = Values::new();
        for (number, run) in runs.iter().enumerate() {
            for (key, sample) in samples(&run.report) {
                values.entry(key).or_default().push((number, sample));
            }
        }
        values
    };
    // A kernel under another name is compared with itself.
    let lineage = Lineage::trace(before, after);
    let renamed = lineage.renamed_runs(before);
    let before = renamed.as_deref().unwrap_or(before);
    let design = Design::choose([before, after], pairs);
    let (before_values, after_values) = (of_side(before), of_side(after));
    let keys: BTreeSet<_> = before_values.keys().chain(after_values.keys()).collect();
    let mut bounds = Bounds::default();
    let reports = before.iter().chain(after).map(|run| &run.report);
    let reasons: BTreeMap<String, Reason> = reports.flat_map(Compared::path_reasons).collect();
    let mut rows: Vec<Row> = keys
        .into_iter()
        .map(|key| {
            let (before, after) = (before_values.get(key), after_values.get(key));
            let presence = match (before, after) {
                (None, _) => Presence::New,
                (_, None) => Presence::Gone,
                _ => Presence::Both,
            };
            let changes = key.0.metrics().iter().enumerate().map(|(i, metric)| {
                let sides = [&of_metric(before, i)[..], &of_metric(after, i)[..]];
                Change::new(*metric, presence, sides, &design, &mut bounds)
            });
            let changes = changes.collect();
            let (subject, name) = (key.0, key.1.clone());
            let old_name = lineage.old_name(&name).filter(|_| subject == Subject::Kernel);
            let reason = reasons.get(&name).filter(|_| subject == Subject::CriticalPath).copied();
            Row { subject, name, reason, old_name, presence, changes }
        })
        .collect();
    let size = |row: &Row| row.first().map_or(0.0, |c| c.absolute.abs());
    rows.sort_by(|a, b| {
        a.subject.cmp(&b.subject).then(size(b).total_cmp(&size(a))).then(a.name.cmp(&b.name))
    });
    let names = |runs: &[SourcedRun]| runs.iter().map(|r| r.name.clone()).collect();
    let diff = Diff {
        schema_version: DIFF_SCHEMA_VERSION,
        noise_is_known: match design.method {
            Method::Pairs => before.len().min(after.len()) >= signed_rank::LEAST_PAIRS,
            Method::Occasions => true,
            Method::Ranks | Method::Modes => before.len().min(after.len()) >= LEAST_RUNS,
        },
        method: Some(design.method),
        least_change: design.least_change,
        before: names(before),
        after: names(after),
        warnings: design.notes.iter().cloned().chain(warnings(before, after)).collect(),
        verdict: None,
        rows,
    };
    let unrelated = unrelated(before, after, &lineage);
    let verdict = DiffVerdict::compare([before, after], &design, &diff, (&lineage, unrelated));
    Diff { verdict, ..diff }
}

/// The values of a metric by run.
fn of_metric(samples: Option<&Vec<(usize, Sample)>>, metric: usize) -> Vec<Value> {
    let value = |(run, sample): &(usize, Sample)| Some((*run, (*sample.get(metric)?)?));
    samples.into_iter().flatten().filter_map(value).collect()
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::findings::Findings;
    use crate::report::{DumpFacts, LedgerFacts, Report};
    use bigtpu_measure::planted::Planted;

    /// A run of two kernels that take so long, with so many losses.
    pub(crate) fn run(kernels: &[(&str, i64)], losses: u64) -> SourcedRun {
        let mut planted = Planted::default();
        let mut now = 0;
        for ((name, ns), place) in kernels.iter().zip(0..) {
            planted.kernel(0, name, now, now + ns);
            // The first moves 1000 bytes; another name does other work.
            let own: u64 = name.bytes().map(u64::from).sum();
            planted.load(0, now, now + ns, 1000 + place * own);
            now += ns;
        }
        run_of(&planted, kernels.len(), losses)
    }

    /// A run of kernels on one core, each with its ns, bytes and operations, and its critical path.
    pub(crate) fn planted_run(kernels: &[(&str, i64, u64, i64)]) -> SourcedRun {
        let mut planted = Planted::default();
        let mut now = 0;
        let mut pieces = Vec::new();
        for (name, ns, bytes, ops) in kernels {
            for (engine, reason, ns) in
                [("GDMA", "ddr_transfer", ns / 2), ("TIU", "compute", ns - ns / 2)]
            {
                pieces.push(serde_json::json!({"kernel": name, "engine": engine, "reason": reason, "ns": ns, "count": 1}));
            }
            planted.kernel(0, name, now, now + ns);
            planted.load(0, now, now + ns / 2, *bytes);
            let ops = i128::from(*ops);
            planted.compute(0, (now + ns / 2, now + ns), (ops, ops, ops));
            now += ns;
        }
        let mut run = run_of(&planted, kernels.len(), 0);
        // All of it is one after the other.
        let path = serde_json::json!({"refusal": null, "pieces": pieces});
        run.report.critical_path = serde_json::from_value(path).unwrap();
        run
    }

    fn run_of(planted: &Planted, kernels: usize, losses: u64) -> SourcedRun {
        let model = planted.model();
        let findings = Findings::of_planted(&model, crate::advice::testing::hardware());
        let dump = DumpFacts {
            chip: "AKS".into(),
            is_static: false,
            simulated: false,
            cores: 2,
            ports: 0,
            events: kernels as u64,
            tiu_mhz: 1000.0,
            dma_mhz: 1000.0,
        };
        let ledger = LedgerFacts {
            warnings: 0,
            losses,
            lost_records: losses,
            completeness: None,
            quality: None,
            lines: Vec::new(),
            notes: Vec::new(),
            runtime: Vec::new(),
        };
        let summary = bigtpu_compat::Summary::default();
        let report = Report::from_parts(dump, ledger, &summary, findings);
        SourcedRun {
            name: "run".into(),
            unit: Unit::default(),
            occasion: None,
            report: Compared::from_report(&report),
        }
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
        let diff = diff(&[before], &[after], false);
        let total = row(&diff, Subject::Total, "");
        let time = total.first().unwrap();
        assert_eq!((time.metric, time.absolute, time.relative), ("time", 80.0, Some(0.0762)));
        let kernels: Vec<_> = diff.rows.iter().filter(|r| r.subject == Subject::Kernel).collect();
        let found: Vec<_> = kernels
            .iter()
            .map(|r| (r.name.as_str(), r.presence, r.first().unwrap().absolute))
            .collect();
        let expected = [
            ("matmul", Presence::Both, 100.0),
            ("old", Presence::Gone, -50.0),
            ("fresh", Presence::New, 30.0),
        ];
        assert_eq!(found, expected);
        let gbps = kernels[0].changes.iter().find(|c| c.metric == "bandwidth").unwrap();
        assert_eq!((gbps.before.unwrap().median, gbps.after.unwrap().median), (1.0, 0.9091));
        assert_eq!(row(&diff, Subject::Loss, "").first().unwrap().absolute, 1.0);
        let warnings: Vec<String> = diff.warnings.iter().map(Message::to_string).collect();
        assert_eq!(warnings, ["run: data was lost, see its ledger"]);
    }

    #[test]
    fn several_runs_distinguish_noise_from_change() {
        let runs = |times: &[i64]| times.iter().map(|t| run(&[("k", *t)], 0)).collect::<Vec<_>>();
        let noisy = diff(&runs(&[100, 110, 104]), &runs(&[108, 120, 130, 112]), false);
        let time = row(&noisy, Subject::Kernel, "k").first().unwrap().clone();
        assert_eq!((time.before.unwrap().median, time.after.unwrap().median), (104.0, 116.0));
        assert_eq!((time.before.unwrap().spread(), time.absolute), (5.0, 11.0));
        assert_eq!((time.noise, time.p_value), (Noise::Within, Some(1.0)), "no more than a drift");
        let clear = diff(&runs(&[100, 102, 101]), &runs(&[120, 123, 121]), false);
        assert_eq!(row(&clear, Subject::Kernel, "k").first().unwrap().noise, Noise::Beyond);
        let few = diff(&runs(&[100, 110, 104]), &runs(&[111, 120]), false);
        assert_eq!(row(&few, Subject::Kernel, "k").first().unwrap().noise, Noise::Unknown);
        assert_eq!((few.noise_is_known, clear.noise_is_known), (false, true));
    }
}
