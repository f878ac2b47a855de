//! Runs over a long time: a record of each, and where the wall time, a kernel or a layer changed.

mod segments;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::measure::samples;
use super::{Compared, Subject, Unit};
use bigtpu_measure::{counted, round4};
use segments::LEAST_LENGTH;
pub(super) use segments::level_changes;

/// Version of the layout of records and of `history.json`: it rises when a field is renamed, removed or changes its meaning.
pub const HISTORY_SCHEMA_VERSION: u32 = 1;

/// Runs of a unit beyond this many are not looked at, the oldest first.
const MOST_RUNS: usize = 500;

/// Runs that change points need.
pub const LEAST_HISTORY: usize = 2 * LEAST_LENGTH;

/// What is kept of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`HISTORY_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: u32,
    /// What the run is called, such as a commit.
    pub run: String,
    /// Host, device and call; empty where there is nothing to tell apart.
    pub unit: String,
    /// ns of the wall time (`total`), of kernels (`kernel matmul`) and of layers (`layer NAME`).
    pub times: BTreeMap<String, f64>,
}

impl Record {
    /// Of a run's report.
    #[must_use]
    pub fn of(run: String, unit: &Unit, report: &Compared) -> Self {
        let mut times = BTreeMap::new();
        for ((subject, name), sample) in samples(report) {
            let is_kept = matches!(subject, Subject::Total | Subject::Kernel);
            if let Some(Some(ns)) = sample.first().filter(|_| is_kept) {
                let name = format!("{} {name}", subject.name());
                times.insert(name.trim_end().to_owned(), *ns);
            }
        }
        for work in report.work.iter().filter(|work| work.is_of_layer()) {
            *times.entry(format!("layer {}", work.owner())).or_default() += work.ns.unwrap_or(0.0);
        }
        let unit = if *unit == Unit::default() { String::new() } else { unit.to_string() };
        Self { schema_version: HISTORY_SCHEMA_VERSION, run, unit, times }
    }

    /// The same measured numbers of the same unit: the same run, whatever it is called.
    #[must_use]
    pub fn is_same_run(&self, other: &Self) -> bool {
        self.unit == other.unit && self.times == other.times
    }
}

/// A change of the level of a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangePoint {
    /// Host, device and call; empty where there is nothing to tell apart.
    pub unit: String,
    /// `total`, or a kernel or layer with its name.
    pub name: String,
    /// The first run at the new level.
    pub run: String,
    /// Its number among the runs of the unit that were looked at, from 1.
    pub number: u64,
    /// ns: median of the runs since the change before.
    pub before_ns: f64,
    /// ns: median of the runs until the next change.
    pub after_ns: f64,
    /// after / before - 1.
    pub relative: f64,
    /// Of the rank-sum test of both.
    pub p_value: f64,
    /// It was not found without the runs that were added last.
    pub is_new: bool,
}

/// The result of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryVerdict {
    /// No time rose with the runs that were added last.
    Ok,
    /// The runs are too few.
    Skipped,
    /// Some time is longer since one of the last runs.
    Slower,
}

/// What a history shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    /// Version of this layout.
    pub schema_version: u32,
    /// The result.
    pub verdict: HistoryVerdict,
    /// The result in a sentence.
    pub text: String,
    /// Records.
    pub runs: u64,
    /// Of these, those that were added last.
    pub added: u64,
    /// Times that were looked at, by unit and name.
    pub times: Vec<(String, String)>,
    /// All changes, new ones first, then the wall time's, then the greatest first.
    pub changes: Vec<ChangePoint>,
}

impl History {
    /// Of all records in the order of their runs; the last `added` are new.
    #[must_use]
    pub fn of(records: &[Record], added: usize) -> Self {
        let mut changes = Vec::new();
        let mut times = Vec::new();
        let mut is_enough = false;
        let units: BTreeSet<&str> = records.iter().map(|record| record.unit.as_str()).collect();
        let old = records.len().saturating_sub(added);
        for unit in units {
            let all = || records.iter().enumerate().filter(|(_, record)| record.unit == unit);
            let skipped = all().count().saturating_sub(MOST_RUNS);
            let runs: Vec<(usize, &Record)> = all().skip(skipped).collect();
            is_enough |= runs.len() >= LEAST_HISTORY;
            let names: BTreeSet<&String> =
                runs.iter().flat_map(|(_, record)| record.times.keys()).collect();
            for name in names {
                times.push((unit.to_owned(), name.clone()));
                changes.extend(of_series(unit, name, &runs, old));
            }
        }
        let is_total = |change: &ChangePoint| change.name == "total";
        changes.sort_by(|a, b| {
            (b.is_new, is_total(b))
                .cmp(&(a.is_new, is_total(a)))
                .then(b.relative.abs().total_cmp(&a.relative.abs()))
                .then_with(|| (&a.unit, &a.name, a.number).cmp(&(&b.unit, &b.name, b.number)))
        });
        let slower = changes.iter().find(|change| change.is_new && change.relative > 0.0);
        let verdict = match slower {
            Some(_) => HistoryVerdict::Slower,
            None if is_enough => HistoryVerdict::Ok,
            None => HistoryVerdict::Skipped,
        };
        let text = match (verdict, slower.or(changes.first())) {
            (HistoryVerdict::Skipped, _) => format!(
                "{}: change points need {LEAST_HISTORY} of a device and call",
                counted(records.len(), "run")
            ),
            (_, Some(change)) => change.sentence(),
            (_, None) => format!("no change in {}", counted(records.len(), "run")),
        };
        Self {
            schema_version: HISTORY_SCHEMA_VERSION,
            verdict,
            text,
            runs: records.len() as u64,
            added: added as u64,
            times,
            changes,
        }
    }
}

/// The changes of a time. `old`: the first record that is new.
fn of_series(unit: &str, name: &str, runs: &[(usize, &Record)], old: usize) -> Vec<ChangePoint> {
    let with: Vec<(usize, &str, f64)> = runs
        .iter()
        .filter_map(|(at, record)| Some((*at, record.run.as_str(), *record.times.get(name)?)))
        .collect();
    let values: Vec<f64> = with.iter().map(|(.., ns)| *ns).collect();
    let before = with.iter().take_while(|(at, ..)| *at < old).count();
    let known = level_changes(values.get(..before).unwrap_or_default());
    // With more runs a change may turn out to be a run or two earlier or later.
    let is_known = |at: usize, rises: bool| {
        let is_same = |change: &segments::LevelChange| {
            change.at.abs_diff(at) < LEAST_LENGTH
                && (change.medians[1] > change.medians[0]) == rises
        };
        known.iter().any(is_same)
    };
    let point = |change: segments::LevelChange| {
        let [before_ns, after_ns] = change.medians;
        let (_, run, _) = with.get(change.at)?;
        Some(ChangePoint {
            unit: unit.to_owned(),
            name: name.to_owned(),
            run: (*run).to_owned(),
            number: change.at as u64 + 1,
            before_ns: round4(before_ns),
            after_ns: round4(after_ns),
            relative: round4(after_ns / before_ns.max(1.0) - 1.0),
            p_value: round4(change.p_value),
            is_new: !is_known(change.at, after_ns > before_ns),
        })
    };
    level_changes(&values).into_iter().filter_map(point).collect()
}

impl ChangePoint {
    /// Since when what takes how much longer.
    #[must_use]
    pub fn sentence(&self) -> String {
        let what = match self.name.as_str() {
            "total" => "the wall time",
            name => name,
        };
        let unit = if self.unit.is_empty() { String::new() } else { format!("{}: ", self.unit) };
        let word = if self.relative > 0.0 { "longer" } else { "shorter" };
        format!(
            "{unit}since run {} ({}) {what} is {:.2} % {word}: {:.1} instead of {:.1} us",
            self.number,
            self.run,
            self.relative.abs() * 100.0,
            self.after_ns / 1e3,
            self.before_ns / 1e3
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(times: &[f64]) -> Vec<Record> {
        let record = |(number, ns): (usize, &f64)| Record {
            schema_version: HISTORY_SCHEMA_VERSION,
            run: format!("commit-{number}"),
            unit: String::new(),
            times: BTreeMap::from([("total".into(), ns * 2.0), ("kernel k".into(), *ns)]),
        };
        times.iter().enumerate().map(record).collect()
    }

    #[test]
    fn the_run_since_which_a_kernel_is_slower_is_named_once() {
        let mut all = records(&[1e5, 1.01e5, 0.99e5, 1.005e5, 0.995e5, 1.1e5, 1.11e5]);
        let early = History::of(&all, 1);
        assert_eq!((early.verdict, early.changes.len()), (HistoryVerdict::Ok, 0));
        all = records(&[1e5, 1.01e5, 0.99e5, 1.005e5, 0.995e5, 1.1e5, 1.11e5, 1.09e5]);
        let found = History::of(&all, 1);
        assert_eq!(found.verdict, HistoryVerdict::Slower);
        assert_eq!(
            found.text,
            "since run 6 (commit-5) the wall time is 10.00 % longer: 220.0 instead of 200.0 us"
        );
        assert_eq!(found.changes[1].name, "kernel k");
        let mut later = all.clone();
        later.extend(records(&[1.1e5]));
        let later = History::of(&later, 1);
        assert_eq!((later.verdict, later.changes[0].is_new), (HistoryVerdict::Ok, false));
    }

    #[test]
    fn few_runs_are_skipped() {
        let found = History::of(&records(&[1e5; 5]), 5);
        assert_eq!((found.verdict, found.times.len()), (HistoryVerdict::Skipped, 2));
        assert_eq!(History::of(&[], 0).verdict, HistoryVerdict::Skipped);
    }
}
