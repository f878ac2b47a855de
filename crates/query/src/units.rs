//! Amounts as a query writes them: a number and a unit that suits the field.

/// What a field's values are, and so in which units they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A text.
    Text,
    /// A number without a unit.
    Count,
    /// Bytes.
    Bytes,
    /// A time in ns.
    Ns,
    /// Cycles of the engine's clock.
    Cycles,
    /// A share of 1.
    Percent,
    /// GB/s.
    Gbps,
    /// A ratio.
    Times,
    /// An address.
    Address,
}

/// A unit in small letters, and how many of the field's own unit it is.
type Unit = (&'static str, f64);

const TIMES: &[Unit] =
    &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)];
const CYCLES: &[Unit] = &[("cycles", 1.0), ("cycle", 1.0)];
const BYTES: &[Unit] = &[
    ("b", 1.0),
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
];
const PERCENT: &[Unit] = &[("%", 1.0)];
const RATES: &[Unit] = &[("gb/s", 1.0), ("mb/s", 1e-3), ("kb/s", 1e-6)];
const RATIOS: &[Unit] = &[("x", 1.0), ("×", 1.0)];

impl ValueKind {
    fn units(self) -> &'static [Unit] {
        match self {
            Self::Text | Self::Count | Self::Address => &[],
            Self::Bytes => BYTES,
            Self::Ns => TIMES,
            Self::Cycles => CYCLES,
            Self::Percent => PERCENT,
            Self::Gbps => RATES,
            Self::Times => RATIOS,
        }
    }

    /// Its units as a person writes them; nothing for plain numbers.
    #[must_use]
    pub fn written_units(self) -> &'static str {
        match self {
            Self::Text | Self::Count | Self::Address => "",
            Self::Bytes => "B, KiB, MiB, GiB, kB, MB, GB",
            Self::Ns => "ns, us, ms, s, cycles",
            Self::Cycles => "cycles, ns, us, ms, s",
            Self::Percent => "%",
            Self::Gbps => "GB/s, MB/s, kB/s",
            Self::Times => "x",
        }
    }

    /// A value that is right for it.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Text => "conv*",
            Self::Count => "100",
            Self::Bytes => "1MiB",
            Self::Ns => "5us",
            Self::Cycles => "1000",
            Self::Percent => "50%",
            Self::Gbps => "20GB/s",
            Self::Times => "1.3",
            Self::Address => "0x1000",
        }
    }

    /// The operator that is written most with it.
    pub(crate) fn usual_operator(self) -> &'static str {
        match self {
            Self::Text | Self::Address => ":",
            Self::Count => "=",
            Self::Percent | Self::Gbps => "<",
            Self::Bytes | Self::Ns | Self::Cycles | Self::Times => ">",
        }
    }
}

/// A number in the field's own unit, or one that a clock converts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Amount {
    /// In the field's own unit.
    Own(f64),
    /// Cycles, of a field that is a time in ns.
    InCycles(f64),
    /// ns, of a field that is a number of cycles.
    InNs(f64),
}

impl Amount {
    /// Reads an amount; `None` if it is none, or has a unit that does not suit.
    pub(crate) fn read(kind: ValueKind, text: &str) -> Option<Self> {
        let plain = text.trim();
        let own = |value: f64| match kind {
            ValueKind::Percent => Self::Own(value / 100.0),
            _ => Self::Own(value),
        };
        if let Some(value) = hexadecimal(plain) {
            return Some(Self::Own(value));
        }
        let (number, unit) = split_number(plain)?;
        let unit = unit.trim_start().to_lowercase();
        if unit.is_empty() {
            return Some(own(number));
        }
        if let Some(size) = size(kind.units(), &unit) {
            return Some(own(number * size));
        }
        match kind {
            ValueKind::Ns => size(CYCLES, &unit).map(|size| Self::InCycles(number * size)),
            ValueKind::Cycles => size(TIMES, &unit).map(|size| Self::InNs(number * size)),
            _ => None,
        }
    }

    /// In the field's own unit, on an engine with this clock.
    pub(crate) fn in_unit(self, mhz: f64) -> f64 {
        match self {
            Self::Own(value) => value,
            Self::InCycles(cycles) => cycles * 1000.0 / mhz,
            Self::InNs(ns) => ns * mhz / 1000.0,
        }
    }
}

fn size(units: &[Unit], unit: &str) -> Option<f64> {
    units.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size)
}

/// The number of `0x…`.
pub(crate) fn hexadecimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| {
        let value = |digit: char| f64::from(digit.to_digit(16).unwrap_or(0));
        // Digits beyond those that a double holds are rounded.
        u64::from_str_radix(digits, 16).map_or_else(
            |_| digits.chars().fold(0.0, |all, digit| all * 16.0 + value(digit)),
            |exact| exact as f64,
        )
    })
}

/// A decimal number at the start of a text, and what follows it.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes.get(from..).into_iter().flatten().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(at);
    at += whole;
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        fraction = digits(at + 1);
        if whole + fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    let (number, rest) = text.split_at_checked(at)?;
    Some((number.parse().ok()?, rest))
}

/// A text that is a number as a whole.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    hexadecimal(text)
        .or_else(|| split_number(text).filter(|(_, rest)| rest.is_empty()).map(|(n, _)| n))
}

/// Whether a word is a unit, so that `1.5 ms` is one amount.
pub(crate) fn is_unit(word: &str) -> bool {
    let unit = word.to_lowercase();
    [TIMES, CYCLES, BYTES, PERCENT, RATES, RATIOS].iter().any(|units| size(units, &unit).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units_that_suit() {
        let read = |kind, text| Amount::read(kind, text);
        assert_eq!(read(ValueKind::Bytes, "1.5KiB"), Some(Amount::Own(1536.0)));
        assert_eq!(read(ValueKind::Ns, "2 µs"), Some(Amount::Own(2000.0)));
        assert_eq!(read(ValueKind::Percent, "12.5%"), Some(Amount::Own(0.125)));
        assert_eq!(read(ValueKind::Count, "1e3"), Some(Amount::Own(1000.0)));
        assert_eq!(read(ValueKind::Count, ".5"), Some(Amount::Own(0.5)));
        assert_eq!(read(ValueKind::Bytes, "5us"), None);
        assert_eq!(read(ValueKind::Count, "-"), None);
        assert_eq!(read(ValueKind::Count, "."), None);
        assert_eq!(read(ValueKind::Address, "0xZZ"), None);
    }

    #[test]
    fn clocks_convert_cycles() {
        assert_eq!(
            Amount::read(ValueKind::Ns, "1000 cycles").map(|a| a.in_unit(500.0)),
            Some(2000.0)
        );
        assert_eq!(Amount::read(ValueKind::Cycles, "2us").map(|a| a.in_unit(500.0)), Some(1000.0));
    }
}
