//! Limits that a comparison must keep, such as `kernel:matmul*>+5%` (`docs/ci.md`).
//!
//! ```text
//! SUBJECT[:PATTERN][.METRIC] (> | <) [+ | -]NUMBER[% | ns | us | ms]
//! ```
//!
//! With a sign the number is a change (with `%` relative, else absolute), without one it is the value after.

use std::fmt;
use std::str::FromStr;

use wildmatch::WildMatch;

use super::{Change, Diff, Row, Subject};

/// What a limit's number means.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Value,
    Change,
    Relative,
}

/// A limit.
#[derive(Debug, Clone)]
pub struct Limit {
    text: String,
    subject: Subject,
    pattern: WildMatch,
    metric: Option<String>,
    is_upper: bool,
    kind: Kind,
    /// In the metric's unit, ns for times; a ratio for relative changes.
    number: f64,
}

/// A text that is no limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no limit: {what}; write SUBJECT[:PATTERN][.METRIC]>NUMBER, such as total>+3%, kernel:matmul*>+5%, \
     kernel:*.bandwidth<-10%, loss>0"
)]
pub struct LimitError {
    text: String,
    what: String,
}

/// A limit that was passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The limit as it was given.
    pub limit: String,
    /// Which row and number passed it, and by how much, in a sentence.
    pub text: String,
}

/// What became of a limit.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Kept by this many rows.
    Kept(usize),
    /// It looks at nothing: no row of that name.
    NothingMatches,
    /// Passed.
    Passed(Vec<Violation>),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let error = |what: &str| LimitError { text: text.to_owned(), what: what.to_owned() };
        let at = text.rfind(['>', '<']).ok_or_else(|| error("it has neither > nor <"))?;
        let (left, right) = text.split_at(at);
        let is_upper = right.starts_with('>');
        let number = right.get(1..).unwrap_or_default().trim();
        let (subject, rest) = match left.split_once(':') {
            Some((subject, rest)) => (subject.trim(), Some(rest.trim())),
            None => (left.split('.').next().unwrap_or_default().trim(), None),
        };
        let subject = Subject::ALL.into_iter().find(|s| s.name() == subject).ok_or_else(|| {
            error("it starts with none of total, core, engine, kernel, opcode, loss")
        })?;
        // A kernel's name may hold dots; a metric's name is one of few.
        let (pattern, metric) = match rest {
            Some(rest) => match rest.rsplit_once('.') {
                Some((pattern, metric)) if METRICS.contains(&metric) => (pattern, Some(metric)),
                _ => (rest, None),
            },
            None => match left.split_once('.') {
                Some((_, metric)) if METRICS.contains(&metric.trim()) => ("*", Some(metric.trim())),
                Some(_) => {
                    return Err(error(&format!("its metric is none of {}", METRICS.join(", "))));
                }
                None => ("*", None),
            },
        };
        let signed = number.starts_with(['+', '-']);
        let (digits, kind, factor) = if let Some(digits) = number.strip_suffix('%') {
            let kind = if signed { Kind::Relative } else { Kind::Value };
            (digits, kind, 0.01)
        } else {
            let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6)];
            let unit = units.iter().find(|(unit, _)| number.ends_with(unit));
            let digits = unit.map_or(number, |(unit, _)| number.trim_end_matches(unit));
            (digits, if signed { Kind::Change } else { Kind::Value }, unit.map_or(1.0, |u| u.1))
        };
        let value: f64 = digits.trim().parse().map_err(|_| error("its number can't be read"))?;
        if !value.is_finite() {
            return Err(error("its number is not finite"));
        }
        Ok(Self {
            text: text.to_owned(),
            subject,
            pattern: WildMatch::new(pattern),
            metric: metric.map(str::to_owned),
            is_upper,
            kind,
            number: value * factor,
        })
    }
}

/// Names of what can be limited.
const METRICS: [&str; 19] = [
    "time",
    "count",
    "p50",
    "p95",
    "bytes",
    "bandwidth",
    "ops",
    "tops",
    "uarch_rate",
    "sync",
    "idle",
    "utilization",
    "overlap_ratio",
    "compute_only",
    "overlapped",
    "transfer_only",
    "events",
    "losses",
    "lost_records",
];

impl Limit {
    /// Checks every row that the limit is about. What is no more than noise passes no limit on changes.
    #[must_use]
    pub fn check(&self, diff: &Diff) -> Outcome {
        let rows = diff
            .rows
            .iter()
            .filter(|row| row.subject == self.subject && self.pattern.matches(&row.name));
        let mut seen = 0;
        let mut violations = Vec::new();
        for row in rows {
            let change = match &self.metric {
                None => row.first(),
                Some(metric) => row.changes.iter().find(|c| c.metric == metric),
            };
            let Some(change) = change else { continue };
            seen += 1;
            if let Some(text) = self.violation(row, change) {
                violations.push(Violation { limit: self.text.clone(), text });
            }
        }
        match (seen, violations.is_empty()) {
            (0, _) => Outcome::NothingMatches,
            (_, true) => Outcome::Kept(seen),
            (_, false) => Outcome::Passed(violations),
        }
    }

    fn violation(&self, row: &Row, change: &Change) -> Option<String> {
        let median = |stat: Option<super::Stat>| stat.map_or(0.0, |s| s.median);
        let (before, after) = (median(change.before), median(change.after));
        let is_new = change.before.is_none_or(|s| s.median == 0.0) && after != 0.0;
        let value = match self.kind {
            Kind::Value => after,
            Kind::Change => change.absolute,
            // What was not there before grew without bound.
            Kind::Relative if is_new => f64::INFINITY,
            Kind::Relative => {
                change.relative.unwrap_or(if change.after.is_none() { -1.0 } else { 0.0 })
            }
        };
        let passed = if self.is_upper { value > self.number } else { value < self.number };
        let is_noise = change.is_noise && self.kind != Kind::Value;
        if !passed || is_noise {
            return None;
        }
        let name = match row.name.as_str() {
            "" => row.subject.name().to_owned(),
            name => format!("{} {name}", row.subject.name()),
        };
        let unit = if change.unit.is_empty() { String::new() } else { format!(" {}", change.unit) };
        let beyond = match self.kind {
            Kind::Relative if value.is_infinite() => "new".to_owned(),
            Kind::Relative => format!(
                "{:+.2}%, {:.2} points beyond {:+.2}%",
                value * 100.0,
                (value - self.number).abs() * 100.0,
                self.number * 100.0
            ),
            _ => format!("{} beyond {}{unit}", (value - self.number).abs(), self.number),
        };
        Some(format!("{name}: {} went from {before} to {after}{unit} ({beyond})", change.metric))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::diff;
    use crate::diff::testing::run;

    fn check(limit: &str, diff: &Diff) -> Outcome {
        limit.parse::<Limit>().unwrap().check(diff)
    }

    fn changed() -> Diff {
        let before = run(&[("matmul_a", 1000), ("v1.5", 500)], 0);
        let after = run(&[("matmul_a", 1060), ("v1.5", 500), ("fresh", 1)], 2);
        diff(&[before], &[after])
    }

    #[test]
    fn limits_are_passed_and_kept() {
        let diff = changed();
        let passed = [
            "total>+3%",
            "total > +60ns",
            "total>1us",
            "kernel:matmul*>+5%",
            "kernel:*.bandwidth<-5%",
            "loss>0",
            "kernel:fresh>+1000%",
            "kernel:v1.5.count<2",
            "loss.lost_records>1",
        ];
        for limit in passed {
            assert!(matches!(check(limit, &diff), Outcome::Passed(_)), "{limit}");
        }
        let kept = [
            "total>+5%",
            "kernel:matmul*>+6%",
            "kernel:v1.5>+0%",
            "loss>2",
            "engine:GDMA*>+70ns",
            "total<1us",
        ];
        for limit in kept {
            assert!(
                matches!(check(limit, &diff), Outcome::Kept(_)),
                "{limit}: {:?}",
                check(limit, &diff)
            );
        }
        assert_eq!(check("kernel:conv*>+1%", &diff), Outcome::NothingMatches);
        let Outcome::Passed(violations) = check("kernel:matmul*>+5%", &diff) else { panic!() };
        assert_eq!(
            violations[0].text,
            "kernel matmul_a: time went from 1000 to 1060 ns (+6.00%, 1.00 points beyond +5.00%)"
        );
    }

    #[test]
    fn noise_passes_no_limit_on_changes() {
        let runs = |times: &[i64]| times.iter().map(|t| run(&[("k", *t)], 0)).collect::<Vec<_>>();
        let diff = diff(&runs(&[100, 120]), &runs(&[119, 139]));
        assert_eq!(check("kernel:k>+5%", &diff), Outcome::Kept(1));
        assert!(matches!(check("kernel:k>110ns", &diff), Outcome::Passed(_)));
    }

    #[test]
    fn what_is_no_limit_is_named() {
        for (text, what) in [
            ("total", "neither > nor <"),
            ("speed>3", "it starts with none of"),
            ("total>+x%", "its number can't be read"),
            ("total.luck>3", "its metric is none of"),
            ("total>inf", "not finite"),
        ] {
            let error = text.parse::<Limit>().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
