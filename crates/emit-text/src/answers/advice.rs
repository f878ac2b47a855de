//! Advice in words.

use bigtpu_answers::{Advice, Evidence, Report};
use bigtpu_measure::{float_text, percent};
use bigtpu_output::amount::{self, Micro};

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
    let mut text = format!("{} {}", evidence.what, amount_text(evidence.value, &evidence.unit));
    if !evidence.place.is_empty() {
        text.push_str(&format!(" [{}]", evidence.place));
    }
    text
}

/// A number in the unit that people read it in, as on the page.
fn amount_text(value: f64, unit: &str) -> String {
    match unit {
        "us" => amount::duration(value * 1000.0, Micro::Letter),
        "B" => amount::bytes(value.max(0.0).round() as u64),
        "GB/s" => amount::gbps(value),
        _ => {
            let text = float_text(value);
            let text = text.strip_suffix(".0").unwrap_or(&text);
            if unit.is_empty() { text.to_owned() } else { format!("{text} {unit}") }
        }
    }
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
    use super::amount_text;

    #[test]
    fn numbers_have_the_units_that_people_read_them_in() {
        assert_eq!(amount_text(134_217_728.0, "B"), "134.2 MB");
        assert_eq!(amount_text(1500.25, "us"), "1.5 ms");
        assert_eq!((&*amount_text(12.5, "us"), &*amount_text(7.0, "")), ("12.5 us", "7"));
        assert_eq!(
            (&*amount_text(0.5, "us"), &*amount_text(0.9091, "GB/s")),
            ("500 ns", "0.91 GB/s")
        );
        assert_eq!(amount_text(3.25, "cycles"), "3.25 cycles");
    }
}
