//! Limits against a comparison: which rows fail, and the verdict.

use bigtpu_messages::{Arg, Language, Message, error_message, message};
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
    /// The limit matches nothing: there is no row of this name and this metric on either side.
    Unmatched,
    /// What it is about was there before, and is gone.
    Gone,
    /// The limit can't be checked: it is a limit on a change without a baseline, or one side's report does not have the
    /// number.
    Skipped,
}

/// How a line about a limit is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitState {
    /// It ends the build.
    Failed,
    /// What it is about is missing, which was allowed.
    Warning,
    /// It was not checked.
    Skipped,
    /// It holds.
    Ok,
}

/// A line about a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitLine {
    /// How it is meant.
    pub state: LimitState,
    /// The line, with its state as the first word.
    pub message: Message,
}

impl LimitLine {
    /// A finding behind the word of its state.
    #[must_use]
    pub fn new(state: LimitState, finding: Message) -> Self {
        let word = Message::new(match state {
            LimitState::Failed => "diff-limit-failed",
            LimitState::Warning => "note-warning",
            LimitState::Skipped => "diff-limit-skipped",
            LimitState::Ok => "diff-limit-ok",
        });
        Self { state, message: message!("note-line", severity = word, note = finding) }
    }
}

/// What a gate does beyond comparing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GateOptions {
    /// A limit whose subject is gone, or was never there, does not fail.
    pub allows_missing: bool,
    /// A unit that has runs on one side only fails, also one that is new.
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
    /// The sentence as data.
    #[serde(skip)]
    pub message: Message,
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
    /// Names of those among them that are there before only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// Rows that failed.
    pub failures: Vec<Failure>,
}

/// All limits and their results.
#[derive(Debug, Clone, Serialize)]
pub struct Gate {
    /// The result of all limits together.
    pub verdict: Verdict,
    /// The result in a sentence, where it failed: how many limits, and what the first of them says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Each limit, in the order given, on each unit, the one whose wall time grew most first.
    pub limits: Vec<LimitOutcome>,
    /// Units with runs on one side only. Those that are gone count as a failure where a limit whose subject is gone does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unpaired: Vec<Unpaired>,
}

impl Gate {
    /// Checks all limits on each unit.
    #[must_use]
    pub fn check(limits: &[Limit], options: GateOptions, comparison: &Comparison) -> Self {
        let GateOptions { allows_missing, fails_on_unmatched, no_baseline } = options;
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
                LimitResult::Unmatched | LimitResult::Gone => !allows_missing,
            };
        }
        let fails = |unpaired: &&Unpaired| {
            fails_on_unmatched || (unpaired.is_before && !allows_missing && !no_baseline)
        };
        let is_unpaired = comparison.unpaired.iter().any(|unpaired| fails(&unpaired));
        let verdict = if !has_limits {
            Verdict::NotChecked
        } else if is_unpaired || limits.iter().any(|limit| limit.is_failure) {
            Verdict::Failed
        } else if limits.iter().any(|limit| limit.result == LimitResult::Skipped) {
            Verdict::Skipped
        } else {
            Verdict::Ok
        };
        let mut gate = Self { verdict, text: None, limits, unpaired: comparison.unpaired.clone() };
        gate.text = gate.sentence(Language::English);
        gate
    }

    /// What failed, as [`Gate::text`] says it in English.
    #[must_use]
    pub fn sentence(&self, language: Language) -> Option<String> {
        if self.verdict != Verdict::Failed {
            return None;
        }
        let all = self.limits.len();
        let failed: Vec<&LimitOutcome> = self.limits.iter().filter(|l| l.is_failure).collect();
        let first = failed.iter().find_map(|outcome| outcome.findings().into_iter().next());
        let first = match (first, self.unpaired.first()) {
            (Some(finding), _) => finding,
            (None, Some(unpaired)) => unpaired.message(),
            (None, None) => return None,
        };
        Some(match failed.len() {
            0 => first.text(language),
            failed => message!("diff-limits-failed", failed = failed, all = all, first = first)
                .text(language),
        })
    }
}

impl Unpaired {
    /// What is missing.
    #[must_use]
    pub fn message(&self) -> Message {
        let unit = self.unit.to_string();
        match self.is_before {
            true => message!("diff-only-before", unit = unit),
            false => message!("diff-only-after", unit = unit),
        }
    }
}

impl LimitOutcome {
    /// What it says, and how it is meant.
    fn state(&self) -> LimitState {
        match self.result {
            _ if self.is_failure => LimitState::Failed,
            LimitResult::Unmatched | LimitResult::Gone => LimitState::Warning,
            LimitResult::Skipped => LimitState::Skipped,
            LimitResult::Failed => LimitState::Failed,
            LimitResult::Ok => LimitState::Ok,
        }
    }

    /// A sentence for each row that failed; one for a limit that did not fail.
    fn findings(&self) -> Vec<Message> {
        let limit = match &self.unit {
            Some(unit) => format!("{unit}: {}", self.limit),
            None => self.limit.to_string(),
        };
        let about =
            |text: Message| message!("diff-limit-about", limit = limit.as_str(), text = text);
        match self.result {
            LimitResult::Failed => {
                self.failures.iter().map(|failure| about(failure.message.clone())).collect()
            }
            LimitResult::Ok => {
                let rows = message!("diff-limit-rows", rows = self.rows);
                let rows = match self.gone.as_slice() {
                    [] => rows,
                    gone => message!("diff-limit-rows-gone", rows = rows, gone = gone.join(", ")),
                };
                vec![message!("diff-limit-holds", limit = limit, rows = rows)]
            }
            LimitResult::Skipped if self.rows > 0 => {
                vec![about(Message::new("diff-limit-no-baseline"))]
            }
            LimitResult::Skipped => vec![about(Message::new("diff-limit-no-number"))],
            LimitResult::Unmatched => vec![about(Message::new("diff-limit-unmatched"))],
            LimitResult::Gone => {
                vec![about(message!("diff-limit-gone", names = self.gone.join(", ")))]
            }
        }
    }

    /// A line for each row that failed; one line for a limit that did not fail.
    #[must_use]
    pub fn lines(&self) -> Vec<LimitLine> {
        let state = self.state();
        self.findings().into_iter().map(|finding| LimitLine::new(state, finding)).collect()
    }
}

impl Limit {
    /// Checks every row that the limit is about.
    fn check(&self, diff: &Diff) -> LimitOutcome {
        let is_named = |row: &&Row| {
            // A limit follows a kernel that was renamed.
            let names = std::iter::once(&row.name).chain(&row.old_name);
            row.subject == self.subject && names.into_iter().any(|name| self.pattern.matches(name))
        };
        let rows = diff.rows.iter().filter(is_named);
        let (mut seen, mut present, mut unknown) = (0, 0, 0);
        let mut failures = Vec::new();
        let mut gone = Vec::new();
        for row in rows {
            let of_metric = |c: &&Change| c.metric == self.metric.name;
            let Some(change) = row.changes.iter().find(of_metric) else { continue };
            // What is no longer on the critical path takes no time there: that is a number.
            if row.presence == Presence::Gone && row.subject != Subject::CriticalPath {
                gone.push(row.name.clone());
            }
            let Some(value) = self.value(row, change) else {
                unknown += u64::from(row.presence == Presence::Both);
                continue;
            };
            seen += 1;
            present +=
                u64::from(row.presence != Presence::Gone || row.subject == Subject::CriticalPath);
            let is_beyond = if self.is_upper { value > self.number } else { value < self.number };
            if is_beyond {
                let message = self.sentence(row, change, value);
                failures.push(Failure {
                    subject: row.subject,
                    name: row.name.clone(),
                    metric: change.metric,
                    text: message.text(Language::English),
                    message,
                });
            }
        }
        let result = match (seen, failures.is_empty()) {
            (_, false) => LimitResult::Failed,
            _ if !gone.is_empty() && present == 0 => LimitResult::Gone,
            (0, _) if unknown > 0 => LimitResult::Skipped,
            (0, _) => LimitResult::Unmatched,
            (_, true) => LimitResult::Ok,
        };
        let (limit, unit) = (self.clone(), None);
        LimitOutcome { limit, unit, result, is_failure: false, rows: seen, gone, failures }
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

    fn sentence(&self, row: &Row, change: &Change, value: f64) -> Message {
        let median = |stat: Option<Stat>| stat.map_or(0.0, |s| s.median);
        let (before, after) = (median(change.before), median(change.after));
        let unit = if change.unit.is_empty() { String::new() } else { format!(" {}", change.unit) };
        let (title, metric) = (row.title(), change.metric);
        let by = (value - self.number).abs();
        if self.subject == Subject::Loss && self.kind == Kind::Value {
            let limit = self.number;
            return error_message!("diff-limit-loss", title, metric, value, by, limit);
        }
        let beyond = match self.kind {
            Kind::Relative if value.is_infinite() && row.presence == Presence::New => {
                Message::new("diff-limit-new")
            }
            Kind::Relative if value.is_infinite() => Message::new("diff-limit-was-zero"),
            Kind::Relative => with_interval(
                error_message!(
                    "diff-limit-relative",
                    change = format_args!("{:+.2}", value * 100.0),
                    points = format_args!("{:.2}", by * 100.0),
                    limit = format_args!("{:+.2}", self.number * 100.0)
                ),
                change,
                |x| format!("{:+.2}%", x / before.abs() * 100.0),
            ),
            Kind::Change | Kind::Value => {
                let limit = self.number;
                let beyond = error_message!("diff-limit-beyond", by, limit, unit);
                match self.kind {
                    Kind::Change => with_interval(beyond, change, |x| format!("{x}")),
                    _ => beyond,
                }
            }
        };
        error_message!("diff-limit-went", title, metric, before, after, unit, beyond)
    }
}

/// With the interval of a change, where the noise is known.
fn with_interval(beyond: Message, change: &Change, show: impl Fn(f64) -> String) -> Message {
    let Some(Interval { low, high, confidence }) = change.interval else { return beyond };
    let confidence = Arg::Value(confidence * 100.0, 0);
    message!(
        "diff-limit-interval",
        beyond = beyond,
        confidence = confidence,
        low = show(low),
        high = show(high)
    )
}

#[cfg(test)]
mod tests;
