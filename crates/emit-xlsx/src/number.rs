//! Values as cells: numbers as numbers, with formats that render to the texts of other views.

use bigtpu_measure::percent;

/// How a number is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As it is.
    General,
    /// All digits of a whole number.
    Whole,
    /// One decimal.
    OneDecimal,
    /// Three decimals.
    ThreeDecimals,
    /// A whole percentage.
    Percent0,
    /// A percentage with one decimal.
    Percent1,
    /// A percentage with two decimals.
    Percent2,
    /// A percentage with three decimals.
    Percent3,
    /// Three decimals and `(us)`.
    Microseconds,
    /// Two decimals and `MiB`.
    Mebibytes,
}

impl Shape {
    /// All shapes, each once.
    pub(crate) const ALL: [Self; 10] = [
        Self::General,
        Self::Whole,
        Self::OneDecimal,
        Self::ThreeDecimals,
        Self::Percent0,
        Self::Percent1,
        Self::Percent2,
        Self::Percent3,
        Self::Microseconds,
        Self::Mebibytes,
    ];

    /// The number format.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::General => "General",
            Self::Whole => "0",
            Self::OneDecimal => "0.0",
            Self::ThreeDecimals => "0.000",
            Self::Percent0 => "0%",
            Self::Percent1 => "0.0%",
            Self::Percent2 => "0.00%",
            Self::Percent3 => "0.000%",
            Self::Microseconds => "0.000\"(us)\"",
            Self::Mebibytes => "0.00\"MiB\"",
        }
    }
}

/// Beyond this many digits, `General` turns to exponents.
const WIDE: f64 = 1e11;

/// A whole number. Negative ones keep all digits: other programs have them as texts.
pub(crate) fn whole(n: i128) -> (f64, Shape) {
    let x = n as f64;
    (
        if n < 0 { x } else { sixteen_digits(x) },
        if x.abs() < WIDE { Shape::General } else { Shape::Whole },
    )
}

/// ns as microseconds.
pub(crate) fn microseconds(ns: i64) -> (f64, Shape) {
    (sixteen_digits(ns as f64 / 1000.0), Shape::ThreeDecimals)
}

/// `x` with at most 16 significant digits: spreadsheets keep no more.
pub(crate) fn sixteen_digits(x: f64) -> f64 {
    if x.abs() < WIDE { x } else { format!("{x:.15e}").parse().unwrap_or(x) }
}

/// `x` with at most 6 significant digits.
pub(crate) fn six_digits(x: f64) -> (f64, Shape) {
    (format!("{x:.5e}").parse().unwrap_or(x), Shape::General)
}

/// A bandwidth, or a plain 0 where none was computed. A whole one shows its decimal, as its text does.
pub(crate) fn bandwidth(gbps: Option<f64>) -> (f64, Shape) {
    match gbps {
        None => (0.0, Shape::General),
        Some(x) if x.fract() == 0.0 => (sixteen_digits(x), Shape::OneDecimal),
        Some(x) => (sixteen_digits(x), Shape::General),
    }
}

/// A ratio as a percentage with two decimals: what its text says, not more.
pub(crate) fn percent2(ratio: f64) -> (f64, Shape) {
    (of_text(&percent(ratio, 2)).map_or(ratio, |(x, _)| x), Shape::Percent2)
}

/// A text such as `55.9%`, `7.949(us)`, `2.26MiB` or `12` as the number that it is and how to render it to
/// that text again. `None` where it is none.
pub(crate) fn of_text(text: &str) -> Option<(f64, Shape)> {
    let decimals = |digits: &str| digits.split_once('.').map_or(0, |(_, d)| d.len());
    let is_number = |digits: &str| {
        digits.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && digits.ends_with(|c: char| c.is_ascii_digit())
    };
    let (digits, exponent, shape) = if let Some(digits) = text.strip_suffix('%') {
        let shape = match decimals(digits) {
            0 => Shape::Percent0,
            1 => Shape::Percent1,
            2 => Shape::Percent2,
            3 => Shape::Percent3,
            _ => return None,
        };
        (digits, "e-2", shape)
    } else if let Some(digits) = text.strip_suffix("(us)") {
        (digits, "", Shape::Microseconds)
    } else if let Some(digits) = text.strip_suffix("MiB") {
        (digits, "", Shape::Mebibytes)
    } else {
        let shape = match decimals(text) {
            1 if text.ends_with(".0") => Shape::OneDecimal,
            3 => Shape::ThreeDecimals,
            _ => Shape::General,
        };
        (text, "", shape)
    };
    let value: f64 = match exponent {
        "" => digits.parse(),
        _ => format!("{digits}{exponent}").parse(),
    }
    .ok()
    .filter(|_| is_number(digits))?;
    let is_wide = shape == Shape::General && value.abs() >= WIDE;
    Some((value, if is_wide { Shape::Whole } else { shape }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_numbers_that_render_to_them() {
        for (text, number, shape) in [
            ("55.9%", 0.559, Shape::Percent1),
            ("-91284.21%", -912.8421, Shape::Percent2),
            ("7.949(us)", 7.949, Shape::Microseconds),
            ("2.26MiB", 2.26, Shape::Mebibytes),
            ("582.453", 582.453, Shape::ThreeDecimals),
            ("56.8", 56.8, Shape::General),
            ("56.0", 56.0, Shape::OneDecimal),
            ("101615512064", 101_615_512_064.0, Shape::Whole),
        ] {
            assert_eq!(of_text(text), Some((number, shape)), "{text}");
        }
        for text in ["", "-", "Overall", "nan", "inf", "1e5x", "12.%", "1.2345%"] {
            assert_eq!(of_text(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_keep_sixteen_digits() {
        assert_eq!(whole(12_345_678_901_234_567), (12_345_678_901_234_570.0, Shape::Whole));
        assert_eq!(whole(-5), (-5.0, Shape::General));
        assert_eq!(bandwidth(Some(62.0)), (62.0, Shape::OneDecimal));
        assert_eq!(bandwidth(Some(0.0)), (0.0, Shape::OneDecimal));
        assert_eq!(bandwidth(None), (0.0, Shape::General));
    }
}
