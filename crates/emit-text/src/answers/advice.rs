//! Advice in words.

use bigtpu_answers::{Advice, Evidence, Report};
use bigtpu_measure::{float_text, percent};

use super::us;

fn gain(advice: &Advice) -> String {
    let mark = advice.mark.as_ref().map_or(String::new(), |mark| format!(", {mark}"));
    if let (Some((least, most)), Some(ratio)) = (advice.gain_range_ns, advice.most()) {
        return format!(" ({} to {} us, up to {}{mark})", us(least), us(most), percent(ratio, 1));
    }
    match (advice.gain_ns, advice.gain) {
        (Some(ns), Some(ratio)) => format!(" (up to {} us, {}{mark})", us(ns), percent(ratio, 1)),
        _ => String::new(),
    }
}

fn evidence(evidence: &Evidence) -> String {
    let (value, unit) = human(evidence.value, &evidence.unit);
    let value = float_text(value);
    let value = value.strip_suffix(".0").unwrap_or(&value);
    let mut text = format!("{} {value}", evidence.what);
    if !unit.is_empty() {
        text.push_str(&format!(" {unit}"));
    }
    if !evidence.place.is_empty() {
        text.push_str(&format!(" [{}]", evidence.place));
    }
    text
}

/// A number in the unit that people read it in: 1.5 ms instead of 1500 us, 128 MiB instead of 134217728 B.
fn human(value: f64, unit: &str) -> (f64, &str) {
    let steps: &[(f64, &str)] = match unit {
        "us" => &[(1e6, "s"), (1e3, "ms")],
        "B" => &[(1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1024.0, "KiB")],
        _ => &[],
    };
    let step = steps.iter().find(|(least, _)| value >= *least);
    step.map_or((value, unit), |(least, unit)| ((value / least * 1000.0).round() / 1000.0, unit))
}

/// What several pieces of advice give together; `None` for one, or where the run can't be replayed.
#[must_use]
pub fn advice_together(report: &Report) -> Option<String> {
    let all = report.advice_together.filter(|_| report.advice.len() > 1)?;
    Some(format!("all together up to {} us, {}", us(all.gain_ns), percent(all.gain, 1)))
}

/// The advice besides that of the verdict.
pub fn advice_besides(report: &Report) -> impl Iterator<Item = &Advice> {
    report.advice.iter().filter(|advice| report.verdict.rule.as_ref() != Some(&advice.id))
}

/// One line for each piece besides that of the verdict, the first `most` of them.
#[must_use]
pub fn advice_brief(report: &Report, most: usize) -> Vec<String> {
    let line = |a: &Advice| format!("{}{}: {}", a.id, gain(a), a.text);
    advice_besides(report).take(most).map(line).collect()
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

#[cfg(test)]
mod tests {
    use super::human;

    #[test]
    fn numbers_have_human_units() {
        assert_eq!(human(134_217_728.0, "B"), (128.0, "MiB"));
        assert_eq!(human(1500.25, "us"), (1.5, "ms"));
        assert_eq!((human(12.5, "us"), human(7.0, "")), ((12.5, "us"), (7.0, "")));
    }
}
