//! Advice in words.

use bigtpu_answers::{Advice, Evidence, Report};
use bigtpu_measure::{float_text, percent};
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::amount::{self, Micro};

use super::us;

/// How well a rule is known, in words.
pub(super) fn mark_message(mark: &str) -> Message {
    match mark {
        "exact" => Message::new("report-mark-exact"),
        "fitted" => Message::new("report-mark-fitted"),
        "estimated" => Message::new("report-mark-estimated"),
        "not validated" => Message::new("report-mark-not-validated"),
        other => Message::verbatim(other),
    }
}

fn gain(advice: &Advice) -> Message {
    let mark = advice.mark.as_deref().map(mark_message);
    let mark =
        mark.map_or(Message::new("report-no-gain"), |mark| message!("report-mark", mark = mark));
    let mark = match advice.beyond_first_ns {
        Some(0) => message!("report-nothing-beyond-first", mark = mark),
        Some(left) => message!("report-beyond-first", mark = mark, left = us(left)),
        None => mark,
    };
    if let (Some((least, most)), Some(ratio)) = (advice.gain_range_ns, advice.most()) {
        let (least, most, share) = (us(least), us(most), percent(ratio, 1));
        return if advice.most_is_bound {
            message!(
                "report-gain-and-bound",
                least = least,
                most = most,
                share = share,
                mark = mark
            )
        } else {
            message!("report-gain-range", least = least, most = most, share = share, mark = mark)
        };
    }
    match (advice.gain_ns, advice.gain) {
        (Some(ns), Some(ratio)) => {
            let (time, share) = (us(ns), percent(ratio, 1));
            if advice.is_estimate {
                message!("report-gain-estimate", time = time, share = share, mark = mark)
            } else if advice.is_bound {
                message!("report-gain-bound", time = time, share = share, mark = mark)
            } else {
                message!("report-gain", time = time, share = share, mark = mark)
            }
        }
        _ => Message::new("report-no-gain"),
    }
}

fn line(advice: &Advice, language: Language) -> String {
    let (gain, text) = (gain(advice), advice.text.to(language));
    message!("report-advice-line", rule = &advice.id, gain = gain, text = text).text(language)
}

fn evidence(evidence: &Evidence, language: Language) -> String {
    let what = language.choose(&evidence.what, &evidence.what_zh);
    let place = language.choose(&evidence.place, &evidence.place_zh);
    let mut text = format!("{what} {}", amount_text(evidence));
    if !place.is_empty() {
        text.push_str(&format!(" [{place}]"));
    }
    text
}

/// Sizes of memory on the chip, which people count in KiB; the page has the same list.
const MEMORY: [&str; 5] = [
    "evidence-second-buffers",
    "evidence-memory-in-use",
    "evidence-memory-highest",
    "evidence-local-memory",
    "evidence-mean-size",
];
/// Shares, which people read in percent; the page has the same list.
const SHARES: [&str; 4] = [
    "evidence-uarch-rate",
    "evidence-overlap-ratio",
    "evidence-share-of-cycles",
    "evidence-share-of-one",
];

/// A number in the unit that people read it in, as on the page.
fn amount_text(evidence: &Evidence) -> String {
    let (id, value) = (evidence.id.as_str(), evidence.value);
    match evidence.unit.as_str() {
        "us" => amount::duration(value * 1000.0, Micro::Letter),
        "B" if MEMORY.contains(&id) => amount::binary_bytes(value.max(0.0).round() as u64),
        "B" => amount::bytes(value.max(0.0).round() as u64),
        "" if SHARES.contains(&id) => percent(value, 1),
        "GB/s" => amount::gbps(value),
        _ => {
            let text = float_text(value);
            let text = text.strip_suffix(".0").unwrap_or(&text);
            if evidence.unit.is_empty() {
                text.to_owned()
            } else {
                format!("{text} {}", evidence.unit)
            }
        }
    }
}

/// What several pieces of advice give together; `None` for one, or where the run can't be replayed.
#[must_use]
pub fn advice_together(report: &Report, language: Language) -> Option<String> {
    let all = report.advice_together.filter(|_| report.advice.len() > 1)?;
    let (time, share) = (us(all.gain_ns), percent(all.gain, 1));
    // The rows of a list leave out what the verdict says.
    let verdict =
        if advice_besides(report).count() < report.advice.len() { "advice" } else { "other" };
    let together = match all.gain_range_ns {
        Some((least, most)) => {
            let (least, most, share) = (us(least), us(most), percent(all.most(), 1));
            message!(
                "report-together-range",
                verdict = verdict,
                least = least,
                most = most,
                share = share
            )
        }
        None => message!("report-together", verdict = verdict, time = time, share = share),
    };
    Some(together.text(language))
}

/// The advice besides that of the verdict.
pub fn advice_besides(report: &Report) -> impl Iterator<Item = &Advice> {
    report.advice.iter().filter(|advice| report.verdict.rule.as_ref() != Some(&advice.id))
}

/// One line for each piece besides that of the verdict, the first `most` of them.
#[must_use]
pub fn advice_brief(report: &Report, most: usize, language: Language) -> Vec<String> {
    advice_besides(report).take(most).map(|advice| line(advice, language)).collect()
}

/// Every piece with its evidence, line by line.
#[must_use]
pub fn advice_full(report: &Report, language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    for advice in &report.advice {
        lines.push(line(advice, language));
        lines.extend(advice.evidence.iter().map(|e| format!("  {}", evidence(e, language))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(id: &str, value: f64, unit: &str) -> String {
        let evidence = serde_json::json!({
            "id": id, "what": "", "value": value, "unit": unit, "place": ""
        });
        amount_text(&serde_json::from_value(evidence).unwrap())
    }

    #[test]
    fn numbers_have_the_units_that_people_read_them_in() {
        assert_eq!(shown("", 134_217_728.0, "B"), "134.2 MB");
        assert_eq!(shown("evidence-local-memory", 262_144.0, "B"), "256 KiB");
        assert_eq!(shown("", 1500.25, "us"), "1.5 ms");
        assert_eq!((&*shown("", 12.5, "us"), &*shown("", 7.0, "")), ("12.5 us", "7"));
        assert_eq!((&*shown("", 0.5, "us"), &*shown("", 0.9091, "GB/s")), ("500 ns", "0.91 GB/s"));
        assert_eq!(shown("", 3.25, "cycles"), "3.25 cycles");
        assert_eq!(shown("evidence-uarch-rate", 0.0349, ""), "3.5%");
    }

    /// The page shows the same evidence.
    #[test]
    fn the_page_has_the_same_units() {
        let page = include_str!("../../../emit-web/page/src/views/overview/answers/advice.ts");
        for (name, ids) in [("MEMORY", &MEMORY[..]), ("SHARES", &SHARES[..])] {
            let list: Vec<String> = ids.iter().map(|id| format!("{id:?}")).collect();
            let line =
                format!("const {name}: ReadonlySet<string> = new Set([{}]);", list.join(", "));
            assert!(page.contains(&line), "{line}");
        }
    }
}
