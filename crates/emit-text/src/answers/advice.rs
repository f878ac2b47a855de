//! Advice in words.

use bigtpu_analysis::{Advice, Evidence, Report, float_text, percent};

use super::us;

fn gain(advice: &Advice) -> String {
    match (advice.gain_ns, advice.gain) {
        (Some(ns), Some(ratio)) => format!(" (up to {} us, {})", us(ns), percent(ratio, 1)),
        _ => String::new(),
    }
}

fn evidence(evidence: &Evidence) -> String {
    let value = float_text(evidence.value);
    let value = value.strip_suffix(".0").unwrap_or(&value);
    let mut text = format!("{} {value}", evidence.what);
    if !evidence.unit.is_empty() {
        text.push_str(&format!(" {}", evidence.unit));
    }
    if !evidence.place.is_empty() {
        text.push_str(&format!(" [{}]", evidence.place));
    }
    text
}

/// One line for each piece, the first `most` of them.
#[must_use]
pub fn advice_brief(report: &Report, most: usize) -> Vec<String> {
    let line = |a: &Advice| format!("{}{}: {}", a.id, gain(a), a.text);
    report.advice.iter().take(most).map(line).collect()
}

/// Every piece with its evidence, line by line.
#[must_use]
pub fn advice_full(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for advice in &report.advice {
        lines.push(format!("{}{}: {}", advice.id, gain(advice), advice.text));
        lines.extend(advice.evidence.iter().map(|e| format!("  {}", evidence(e))));
    }
    lines
}
