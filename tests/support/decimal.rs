//! Exact times: decimal text without a double in between.

use std::ops::{Add, Sub};

/// Digits kept after the point of a microsecond.
const DIGITS: i32 = 18;

/// Microseconds, in units of 10^-18 of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Micros(i128);

impl Micros {
    /// Reads a decimal number, with an exponent or not.
    pub(crate) fn parse(text: &str) -> Self {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse().unwrap()),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits: i128 = format!("{whole}{fraction}").parse().unwrap();
        let shift = DIGITS - fraction.len() as i32 + exponent;
        let power = 10i128.pow(shift.unsigned_abs());
        if shift >= 0 {
            return Self(digits * power);
        }
        assert_eq!(digits % power, 0, "{text} has too many digits for this test");
        Self(digits / power)
    }

    /// Whole nanoseconds.
    pub(crate) fn of_ns(ns: i64) -> Self {
        Self(i128::from(ns) * 10i128.pow(15))
    }

    /// Nanoseconds, the fraction cut off.
    pub(crate) fn ns(self) -> i64 {
        i64::try_from(self.0 / 10i128.pow(15)).unwrap()
    }
}

impl Add for Micros {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Micros {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

#[test]
fn decimals_are_exact() {
    let ns = |text: &str| Micros::parse(text).ns();
    assert_eq!(ns("1700000000000191.8"), 1_700_000_000_000_191_800);
    assert_eq!(ns("1.7000000000001918E+15"), 1_700_000_000_000_191_800);
    assert_eq!((ns("25.055849999999996"), ns("12.5e-3")), (25_055, 12));
    let sum = Micros::parse("0.0004") + Micros::parse("0.0006");
    assert_eq!(sum, Micros::of_ns(1));
}
