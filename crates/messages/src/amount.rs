//! Amounts for people: times, bytes, rates, shares, counts. One rule for each, the same in Rust and on the page
//! (`crates/emit-web/page/src/ui/format.ts`); `amounts.json` has cases that both are tested with.
//!
//! A unit is chosen by the number as it is shown, so that 999.9999 us is `1 ms` and not `1000 us`. Pages and pictures write
//! `µs`, everything that a script or a terminal reads writes `us`.

/// How a millionth is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Micro {
    /// `µs`: pages and pictures.
    Sign,
    /// `us`: terminals and files for scripts.
    Letter,
}

impl Micro {
    fn unit(self) -> &'static str {
        match self {
            Self::Sign => "µs",
            Self::Letter => "us",
        }
    }
}

/// Decimals of times.
const TIME_DECIMALS: usize = 3;

/// A duration in the unit that suits it, with at most three decimals: `14.56 us`, `2 ms`, `733 ns`.
#[must_use]
pub fn duration(ns: f64, micro: Micro) -> String {
    let units = [("ns", 1.0, 0), (micro.unit(), 1e3, TIME_DECIMALS), ("ms", 1e6, TIME_DECIMALS)];
    for (unit, size, decimals) in units {
        let text = format!("{:.decimals$}", ns / size);
        if text.parse::<f64>().is_ok_and(|shown| shown.abs() < 1000.0) {
            return format!("{} {unit}", trimmed(&text));
        }
    }
    format!("{} s", trimmed(&format!("{:.TIME_DECIMALS$}", ns / 1e9)))
}

/// Bytes in decimal units: `123 B`, `1.54 kB`, `12.3 MB`.
#[must_use]
pub fn bytes(count: u64) -> String {
    if count < 1000 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1e3;
    for unit in ["kB", "MB", "GB"] {
        let text = two_or_one(value);
        if text.parse::<f64>().is_ok_and(|shown| shown < 1000.0) {
            return format!("{text} {unit}");
        }
        value /= 1e3;
    }
    format!("{} TB", two_or_one(value))
}

/// A size of memory on the chip, which comes in powers of two: `512 B`, `2.5 KiB`, `16 MiB`.
#[must_use]
pub fn binary_bytes(count: u64) -> String {
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1024.0;
    for unit in ["KiB", "MiB"] {
        let text = format!("{value:.1}");
        if text.parse::<f64>().is_ok_and(|shown| shown < 1024.0) {
            return format!("{} {unit}", trimmed(&text));
        }
        value /= 1024.0;
    }
    format!("{} GiB", trimmed(&format!("{value:.1}")))
}

/// A rate in GB/s: `8.25 GB/s`, `104.8 GB/s`.
#[must_use]
pub fn gbps(rate: f64) -> String {
    format!("{} GB/s", two_or_one(rate))
}

/// A share as a percentage with one decimal: `55.9%`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A count with groups of three digits: `1,234,567`.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How a part is spoken of: most is more than half.
#[must_use]
pub fn greatest_part(share: f64) -> &'static str {
    if share > 0.5 { "most" } else { "the largest part" }
}

/// Two decimals below 10, one from there on.
fn two_or_one(value: f64) -> String {
    let text = format!("{value:.2}");
    if text.parse::<f64>().is_ok_and(|shown| shown.abs() < 10.0) {
        text
    } else {
        format!("{value:.1}")
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases that the page is tested with, too.
    const CASES: &str = include_str!("amounts.tsv");

    #[test]
    fn amounts_are_as_in_the_cases() {
        let mut seen = 0;
        for line in CASES.lines().filter(|line| !line.starts_with('#')) {
            let [kind, value, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line:?} has not three columns");
            };
            let number: f64 = value.parse().unwrap();
            let found = match kind {
                "duration" => duration(number, Micro::Sign),
                "bytes" => bytes(value.parse().unwrap()),
                "binaryBytes" => binary_bytes(value.parse().unwrap()),
                "gbps" => gbps(number),
                "percent" => percent(number),
                "count" => grouped(value.parse().unwrap()),
                other => panic!("{other}"),
            };
            assert_eq!(found, expected, "{line}");
            if kind == "duration" {
                assert_eq!(duration(number, Micro::Letter), expected.replace('µ', "u"));
            }
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
        assert_eq!([0.51, 0.5].map(greatest_part), ["most", "the largest part"]);
    }
}
