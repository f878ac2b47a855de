//! Numbers of a comparison as people read them.

use bigtpu_answers::{Change, Interval, Noise, Stat};
use bigtpu_measure::percent;
use bigtpu_messages::{Language, Message, message};

/// A number in its unit: times in microseconds, whole counts without decimals.
pub(crate) fn number(value: f64, unit: &str) -> String {
    match unit {
        "ns" => format!("{:.3}", value / 1000.0),
        "" | "B" if value.fract() == 0.0 => format!("{value:.0}"),
        _ => format!("{value:.4}"),
    }
}

/// The unit that [`number`] shows.
pub(crate) fn unit(unit: &str) -> &str {
    if unit == "ns" { "us" } else { unit }
}

/// Median of a side, with its spread where several runs are given; `-` for a missing side.
pub(crate) fn side(stat: Option<Stat>, unit: &str) -> String {
    match stat {
        None => "-".into(),
        Some(stat) if stat.runs > 1 => {
            format!("{} +-{}", number(stat.median, unit), number(stat.spread(), unit))
        }
        Some(stat) => number(stat.median, unit),
    }
}

/// The absolute change, with its sign.
pub(crate) fn absolute(change: &Change) -> String {
    let text = number(change.absolute, change.unit);
    if change.absolute > 0.0 { format!("+{text}") } else { text }
}

/// Where the true change lies: relative where the change is, else in the metric's unit.
pub(crate) fn interval(change: &Change, language: Language) -> String {
    let Some(Interval { low, high, .. }) = change.interval else { return String::new() };
    match change.before.filter(|before| before.median != 0.0) {
        _ if low == high => String::new(),
        Some(before) => {
            let side = |x: f64| format!("{:+.2}%", x / before.median.abs() * 100.0);
            range_text(side(low), side(high), language)
        }
        None => range_text(number(low, change.unit), number(high, change.unit), language),
    }
}

fn range_text(low: String, high: String, language: Language) -> String {
    message!("diff-cell-interval", low = low, high = high).text(language)
}

/// What the runs say about noise.
pub(crate) fn noise(change: &Change, language: Language) -> String {
    let word = match (change.noise, change.absolute == 0.0) {
        (_, true) => return String::new(),
        (Noise::Unknown, _) => Message::new("diff-cell-noise-unknown"),
        (Noise::Within, _) => Message::new("diff-cell-noise"),
        (Noise::Beyond, _) => Message::new("diff-cell-changed"),
    };
    word.text(language)
}

/// The relative change; `new`, `gone`, or `-` where there is none to show.
pub(crate) fn relative(change: &Change, language: Language) -> String {
    match (change.relative, change.before.is_some(), change.after.is_some()) {
        (Some(ratio), ..) if ratio > 0.0 => format!("+{}", percent(ratio, 2)),
        (Some(ratio), ..) => percent(ratio, 2),
        (None, false, true) => Message::new("diff-cell-new").text(language),
        (None, true, false) => Message::new("diff-cell-gone").text(language),
        _ => "-".into(),
    }
}
