//! Limits against a comparison: which rows fail, and the verdict.

use serde::Serialize;

use super::limit::{Kind, Limit};
use super::shift::{Interval, Noise};
use super::stat::Stat;
use super::subject::Subject;
use super::unit::{Comparison, UnitDiff, Unpaired};
use super::{Change, Diff, Presence, Row};

/// The result of all limits together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No limits were given.
    NotChecked,
    /// No limit failed.
    Ok,
    /// No limit failed, but there was no baseline: limits on changes were not checked.
    Skipped,
    /// Some limit failed.
    Failed,
}

/// The result of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitResult {
    /// No row exceeds it.
    Ok,
    /// At least one row exceeds it.
    Failed,
    /// It matches nothing: there is no row of this name.
    Unmatched,
    /// It is a limit on a change, and there is no baseline.
    Skipped,
}

/// What a gate does beyond comparing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GateOptions {
    /// A limit that matches nothing fails, and so does a unit that has runs on one side only.
    pub fails_on_unmatched: bool,
    /// There is no baseline: the runs are compared with themselves, and limits on changes are not checked.
    pub no_baseline: bool,
}

/// A row that a limit failed on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// What the row is about.
    pub subject: Subject,
    /// The row's name; empty for the whole run.
    pub name: String,
    /// The number that exceeds the limit.
    pub metric: &'static str,
    /// Which number exceeds the limit, and by how much, in a sentence.
    pub text: String,
}

/// A limit and its result on the runs of one unit.
#[derive(Debug, Clone, Serialize)]
pub struct LimitOutcome {
    /// The limit as it was given.
    pub limit: Limit,
    /// Host, device and call; absent where there is nothing to tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Its result.
    pub result: LimitResult,
    /// The result counts as a failure: the limit failed, or it matches nothing and this is a failure, too.
    pub is_failure: bool,
    /// Rows that it matches.
    pub rows: u64,
    /// Rows that failed.
    pub failures: Vec<Failure>,
}

/// All limits and their results.
#[derive(Debug, Clone, Serialize)]
pub struct Gate {
    /// The result of all limits together.
    pub verdict: Verdict,
    /// Each limit, in the order given, on each unit, the one whose wall time grew most first.
    pub limits: Vec<LimitOutcome>,
    /// Units with runs on one side only. They count as a failure where a limit that matches nothing does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unpaired: Vec<Unpaired>,
}

impl Gate {
    /// Checks all limits on each unit.
    #[must_use]
    pub fn check(limits: &[Limit], options: GateOptions, comparison: &Comparison) -> Self {
        let GateOptions { fails_on_unmatched, no_baseline } = options;
        let is_single = comparison.is_single();
        let has_limits = !limits.is_empty();
        let of_limit = |limit: &Limit| {
            let of_unit = |unit: &UnitDiff| LimitOutcome {
                unit: (!is_single).then(|| unit.unit.to_string()),
                ..limit.check(&unit.diff)
            };
            comparison.units.iter().map(of_unit).collect::<Vec<_>>()
        };
        let mut limits: Vec<LimitOutcome> = limits.iter().flat_map(of_limit).collect();
        for limit in &mut limits {
            let is_checked =
                limit.limit.kind == Kind::Value || limit.result == LimitResult::Unmatched;
            if no_baseline && !is_checked {
                limit.result = LimitResult::Skipped;
                limit.failures.clear();
            }
            limit.is_failure = match limit.result {
                LimitResult::Ok | LimitResult::Skipped => false,
                LimitResult::Failed => true,
                LimitResult::Unmatched => fails_on_unmatched,
            };
        }
        let is_unpaired = fails_on_unmatched && !comparison.unpaired.is_empty();
        let verdict = if !has_limits {
            Verdict::NotChecked
        } else if is_unpaired || limits.iter().any(|limit| limit.is_failure) {
            Verdict::Failed
        } else if limits.iter().any(|limit| limit.result == LimitResult::Skipped) {
            Verdict::Skipped
        } else {
            Verdict::Ok
        };
        Self { verdict, limits, unpaired: comparison.unpaired.clone() }
    }
}

impl LimitOutcome {
    /// A line for each row that failed; one line for a limit that did not fail.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let limit = &self.limit;
        let unit = self.unit.as_ref().map_or_else(String::new, |unit| format!("{unit}: "));
        match self.result {
            LimitResult::Failed => {
                let line = |f: &Failure| format!("FAILED: {unit}{limit}: {}", f.text);
                self.failures.iter().map(line).collect()
            }
            LimitResult::Ok if self.rows == 1 => vec![format!("ok: {unit}{limit} (1 row)")],
            LimitResult::Ok => vec![format!("ok: {unit}{limit} ({} rows)", self.rows)],
            LimitResult::Skipped => {
                vec![format!("skipped: {unit}{limit}: there is no baseline to compare with")]
            }
            LimitResult::Unmatched => {
                let word = if self.is_failure { "FAILED" } else { "warning" };
                vec![format!(
                    "{word}: {unit}{limit}: matches nothing: no row has this name and this metric"
                )]
            }
        }
    }
}

impl Limit {
    /// Checks every row that the limit is about.
    fn check(&self, diff: &Diff) -> LimitOutcome {
        let rows = diff
            .rows
            .iter()
            .filter(|row| row.subject == self.subject && self.pattern.matches(&row.name));
        let mut seen = 0;
        let mut failures = Vec::new();
        for row in rows {
            let of_metric = |c: &&Change| c.metric == self.metric.name;
            let Some(change) = row.changes.iter().find(of_metric) else { continue };
            let Some(value) = self.value(row, change) else { continue };
            seen += 1;
            let is_beyond = if self.is_upper { value > self.number } else { value < self.number };
            if is_beyond {
                failures.push(Failure {
                    subject: row.subject,
                    name: row.name.clone(),
                    metric: change.metric,
                    text: self.sentence(row, change, value),
                });
            }
        }
        let result = match (seen, failures.is_empty()) {
            (0, _) => LimitResult::Unmatched,
            (_, true) => LimitResult::Ok,
            (_, false) => LimitResult::Failed,
        };
        let (limit, unit) = (self.clone(), None);
        LimitOutcome { limit, unit, result, is_failure: false, rows: seen, failures }
    }

    /// The number that the limit looks at: 0 for a change that is no more than noise; `None` where there is none to
    /// look at, such as the bandwidth of a kernel that is gone.
    fn value(&self, row: &Row, change: &Change) -> Option<f64> {
        let is_sum = change.measure.is_sum();
        if row.presence != Presence::Both && !is_sum {
            return match self.kind {
                Kind::Value => change.after.map(|after| self.of_side(after)),
                Kind::Change | Kind::Relative => None,
            };
        }
        if self.kind == Kind::Value {
            let absent = (row.presence != Presence::Both).then_some(0.0);
            return change.after.map_or(absent, |after| Some(self.of_side(after)));
        }
        // A report of an older version may not have the number.
        if row.presence == Presence::Both && (change.before.is_none() || change.after.is_none()) {
            return None;
        }
        if change.noise == Noise::Within && row.presence == Presence::Both {
            return Some(0.0);
        }
        if self.kind == Kind::Change {
            return Some(change.absolute);
        }
        let was_nothing = change.before.is_none_or(|before| before.median == 0.0);
        Some(match change.relative {
            Some(relative) => relative,
            // What was not there before grew without bound.
            None if was_nothing && change.absolute != 0.0 => {
                f64::INFINITY.copysign(change.absolute)
            }
            None if was_nothing => 0.0,
            None => -1.0,
        })
    }

    /// The value after that counts: a loss in any run is a loss, anything else counts by its median.
    fn of_side(&self, side: Stat) -> f64 {
        match (self.subject, self.is_upper) {
            (Subject::Loss, true) => side.max,
            (Subject::Loss, false) => side.min,
            _ => side.median,
        }
    }

    fn sentence(&self, row: &Row, change: &Change, value: f64) -> String {
        let median = |stat: Option<Stat>| stat.map_or(0.0, |s| s.median);
        let (before, after) = (median(change.before), median(change.after));
        let unit = if change.unit.is_empty() { String::new() } else { format!(" {}", change.unit) };
        let (title, metric) = (row.title(), change.metric);
        if self.subject == Subject::Loss && self.kind == Kind::Value {
            let worst = format!("{title}: {metric} is {value} in a run of the new side");
            return format!("{worst} ({} beyond {})", (value - self.number).abs(), self.number);
        }
        let beyond = match self.kind {
            Kind::Relative if value.is_infinite() && row.presence == Presence::New => "new".into(),
            Kind::Relative if value.is_infinite() => "it was 0".into(),
            Kind::Relative => format!(
                "{:+.2}%, {:.2} points beyond {:+.2}%{}",
                value * 100.0,
                (value - self.number).abs() * 100.0,
                self.number * 100.0,
                certainty(change, before)
            ),
            Kind::Change | Kind::Value => {
                let certainty = match self.kind {
                    Kind::Change => interval_text(change, |x| format!("{x}")),
                    _ => String::new(),
                };
                let beyond = (value - self.number).abs();
                format!("{beyond} beyond {}{unit}{certainty}", self.number)
            }
        };
        format!("{title}: {metric} went from {before} to {after}{unit} ({beyond})")
    }
}

/// The interval of a relative change, where the noise is known.
fn certainty(change: &Change, before: f64) -> String {
    interval_text(change, |x| format!("{:+.2}%", x / before.abs() * 100.0))
}

fn interval_text(change: &Change, show: impl Fn(f64) -> String) -> String {
    let Some(Interval { low, high, confidence }) = change.interval else { return String::new() };
    format!("; {:.0}% interval {} to {}", confidence * 100.0, show(low), show(high))
}

#[cfg(test)]
mod tests;
