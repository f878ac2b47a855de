//! Limits on a comparison, such as `kernel:matmul*>+5%` (`docs/ci.md`).
//!
//! ```text
//! SUBJECT[:PATTERN][.METRIC] (> | <) [+ | -]NUMBER[% | ns | us | ms | s]
//! ```
//!
//! With a sign the number is a change (with `%` relative, else absolute), without one it is the value after.

use bigtpu_messages::{Message, error_message};
use std::fmt;
use std::str::FromStr;

use bigtpu_measure::NamePattern;
use serde::{Serialize, Serializer};

use super::subject::{Measure, Metric, Subject};

/// What a limit's number means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Value,
    Change,
    Relative,
}

/// A limit.
#[derive(Debug, Clone)]
pub struct Limit {
    text: String,
    pub(super) subject: Subject,
    pub(super) pattern: NamePattern,
    pub(super) metric: Metric,
    pub(super) is_upper: bool,
    pub(super) kind: Kind,
    /// In the metric's unit, ns for times; a ratio for relative changes.
    pub(super) number: f64,
}

/// A text that is no limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-limit", text = format_args!("{:?}", text), what))]
pub struct LimitError {
    text: String,
    what: Message,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        parse(text).map_err(|what| LimitError { text: text.to_owned(), what })
    }
}

fn parse(text: &str) -> Result<Limit, Message> {
    let at = text.rfind(['>', '<']).ok_or_else(|| error_message!("problem-limit-no-comparison"))?;
    let (left, right) = text.split_at(at);
    let is_upper = right.starts_with('>');
    let right = right.get(1..).unwrap_or_default().trim();
    let (subject, metric, pattern) = subject_metric_pattern(left.trim())?;
    let (kind, number) = number(right, subject, metric)?;
    let pattern = NamePattern::new(pattern);
    Ok(Limit { text: text.to_owned(), subject, pattern, metric, is_upper, kind, number })
}

/// What is before the comparison.
fn subject_metric_pattern(left: &str) -> Result<(Subject, Metric, &str), Message> {
    let end = left.find([':', '.']).unwrap_or(left.len());
    let (name, rest) = left.split_at(end);
    let subject = Subject::ALL.into_iter().find(|s| s.name() == name.trim()).ok_or_else(|| {
        let names = Subject::ALL.map(Subject::name).join(", ");
        error_message!("problem-limit-subject", names)
    })?;
    let known = |name: &str| subject.metrics().iter().find(|m| m.name == name.trim()).copied();
    let unknown = |name: &str| {
        let names: Vec<&str> = subject.metrics().iter().map(|m| m.name).collect();
        error_message!(
            "problem-limit-metric",
            subject = subject.name(),
            name = format_args!("{:?}", name.trim()),
            names = names.join(", ")
        )
    };
    let default = subject
        .metrics()
        .first()
        .copied()
        .ok_or_else(|| error_message!("problem-limit-no-metric"))?;
    let Some(rest) = rest.strip_prefix(':') else {
        let Some(name) = rest.strip_prefix('.') else { return Ok((subject, default, "*")) };
        return Ok((subject, known(name).ok_or_else(|| unknown(name))?, "*"));
    };
    if subject.is_single() {
        return Err(error_message!("problem-limit-no-names", subject = subject.name()));
    }
    // A kernel's name may hold dots; a metric's name is one of few.
    let (pattern, metric) = match rest.rsplit_once('.') {
        Some((pattern, name)) if known(name).is_some() => (pattern, known(name).unwrap_or(default)),
        Some((_, name)) if is_metric_of_any_subject(name) => return Err(unknown(name)),
        _ => (rest, default),
    };
    let pattern = pattern.trim();
    if pattern.is_empty() {
        return Err(error_message!("problem-limit-empty"));
    }
    // Names of templates hold < and > in pairs; one without the other is a slip of the keyboard.
    if pattern.matches('<').count() != pattern.matches('>').count() {
        return Err(error_message!(
            "problem-limit-bracket",
            pattern = format_args!("{:?}", pattern)
        ));
    }
    Ok((subject, metric, pattern))
}

fn is_metric_of_any_subject(name: &str) -> bool {
    Subject::ALL.iter().flat_map(|s| s.metrics()).any(|m| m.name == name.trim())
}

/// What is behind the comparison.
fn number(text: &str, subject: Subject, metric: Metric) -> Result<(Kind, f64), Message> {
    let is_signed = text.starts_with(['+', '-']);
    let of = error_message!("problem-limit-of", metric = metric.name, subject = subject.name());
    if let Some(digits) = text.strip_suffix('%') {
        let value = finite(digits)?;
        let kind = if is_signed {
            Kind::Relative
        } else if metric.measure == Measure::Share {
            Kind::Value
        } else {
            return Err(error_message!("problem-limit-share", of, text));
        };
        return Ok((kind, value * 0.01));
    }
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let unit = units.iter().find_map(|(unit, ns)| Some((text.strip_suffix(unit)?, *ns)));
    let (digits, factor) = match unit {
        Some(_) if !metric.measure.is_time() => {
            return Err(error_message!("problem-limit-time", of));
        }
        Some(found) => found,
        None => (text, 1.0),
    };
    Ok((if is_signed { Kind::Change } else { Kind::Value }, finite(digits)? * factor))
}

fn finite(digits: &str) -> Result<f64, Message> {
    let digits = digits.trim();
    // The library's parser also reads "inf", "nan" and "infinity".
    let number: Option<f64> =
        if digits.contains(|c: char| c.is_alphabetic() && c != 'e' && c != 'E') {
            None
        } else {
            digits.parse().ok()
        };
    number.filter(|n| n.is_finite()).ok_or_else(|| error_message!("problem-limit-number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_and_units() {
        let read = |text: &str| {
            let limit: Limit = text.parse().unwrap();
            (limit.kind, limit.number)
        };
        assert_eq!(read("total>+3%"), (Kind::Relative, 0.03));
        assert_eq!(read("total > +60ns"), (Kind::Change, 60.0));
        assert_eq!(read("total<1.5ms"), (Kind::Value, 1.5e6));
        assert_eq!(read("total.idle>-2e-3s"), (Kind::Change, -2e6));
        assert_eq!(read("core:0.utilization<80%"), (Kind::Value, 0.8));
        assert_eq!(read("kernel:*.bandwidth<-10%"), (Kind::Relative, -0.1));
        assert_eq!(read("loss>0"), (Kind::Value, 0.0));
    }

    #[test]
    fn names_may_hold_dots_colons_and_templates() {
        let read = |text: &str| {
            let limit: Limit = text.parse().unwrap();
            (limit.pattern.to_string(), limit.metric.name)
        };
        assert_eq!(read("kernel:v1.5.count<2"), ("v1.5".to_owned(), "count"));
        assert_eq!(read("kernel:v1.5>+0%"), ("v1.5".to_owned(), "time"));
        assert_eq!(read("kernel:a::f<float>>+5%"), ("a::f<float>".to_owned(), "time"));
        assert_eq!(read("shape:1x64*.p95>+5%"), ("1x64*".to_owned(), "p95"));
    }

    #[test]
    fn invalid_limits_name_their_error() {
        for (text, what) in [
            ("total", "neither > nor <"),
            ("speed>3", "it must start with one of total, critical_path"),
            ("totals>+3%", "it must start with one of"),
            ("total>+x%", "its number can't be read"),
            ("total>", "its number can't be read"),
            ("total.luck>3", "total has no metric \"luck\", only time, "),
            ("kernel:*.idle>3us", "kernel has no metric \"idle\""),
            ("total:matmul>+3%", "total has no names"),
            ("total>inf", "its number can't be read"),
            ("total>3%", "a change in % needs a sign, +3% or -3%"),
            ("total>10usus", "its number can't be read"),
            ("kernel:matmul.time>>+5%", "contains < or >"),
            ("kernel:matmul.time>=+5%", "its number can't be read"),
            (".time>>+5%", "it must start with one of"),
            ("total.time>>+5%", "total has no metric \"time>\""),
            ("total>++5%", "its number can't be read"),
            ("total>+5%%", "its number can't be read"),
            ("kernel:*.count>5us", "count of kernel is not a time"),
            ("kernel:>+5%", "its pattern is empty"),
        ] {
            let error = text.parse::<Limit>().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
