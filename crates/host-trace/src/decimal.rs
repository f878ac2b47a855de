//! Exact decimal nanoseconds: what a timestamp's text says, with nothing rounded.
//!
//! A double holds today's epoch in nanoseconds only to 256 ns, so times never pass through one:
//! they are parsed from their decimal text (`decimal_parse.rs`), added and subtracted digit by
//! digit, and truncated once, at the end.

/// Parts of a nanosecond in one unit of [`ExactNs::atto`].
pub(crate) const ATTO: u64 = 1_000_000_000_000_000_000;

/// A time in nanoseconds, exact to the last decimal digit.
///
/// ```text
/// value = whole + atto / 10^18 + 0.rest / 10^18        (0 <= fraction < 1)
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExactNs {
    /// The value rounded down.
    whole: i64,
    /// The first 18 digits of the fraction.
    atto: u64,
    /// The further digits of the fraction (0 to 9 each), the last one not 0. Nearly always empty.
    rest: Vec<u8>,
}

impl ExactNs {
    /// A whole number of nanoseconds.
    #[must_use]
    pub fn from_ns(ns: i64) -> Self {
        Self { whole: ns, atto: 0, rest: Vec::new() }
    }

    /// From the whole part of a non-negative value and all digits of its fraction.
    pub(crate) fn from_digits(whole: i64, fraction: impl Iterator<Item = u8>) -> Self {
        let mut fraction = fraction.fuse();
        let mut atto = 0;
        for _ in 0..18 {
            atto = atto * 10 + u64::from(fraction.next().unwrap_or(0));
        }
        let mut exact = Self { whole, atto, rest: fraction.collect() };
        exact.trim();
        exact
    }

    /// The sum, exact; `None` if it leaves the range of 64-bit nanoseconds.
    #[must_use]
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        let (rest, carry) = add_digits(&self.rest, &other.rest);
        let atto = self.atto + other.atto + u64::from(carry);
        let carry = i128::from(atto >= ATTO);
        let whole = i128::from(self.whole) + i128::from(other.whole) + carry;
        Some(Self { whole: i64::try_from(whole).ok()?, atto: atto % ATTO, rest })
    }

    /// The difference, exact; `None` if it leaves the range of 64-bit nanoseconds.
    #[must_use]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        self.checked_add(&other.checked_neg()?)
    }

    /// The value with the other sign; `None` if it leaves the range of 64-bit nanoseconds.
    #[must_use]
    pub fn checked_neg(&self) -> Option<Self> {
        if self.is_whole() {
            return Some(Self::from_ns(self.whole.checked_neg()?));
        }
        let mut rest = self.rest.clone();
        let last = rest.len().saturating_sub(1);
        for (i, digit) in rest.iter_mut().enumerate() {
            *digit = if i == last { 10 - *digit } else { 9 - *digit };
        }
        let borrow = u64::from(!rest.is_empty());
        Some(Self { whole: -1 - self.whole, atto: ATTO - borrow - self.atto, rest })
    }

    /// Whole nanoseconds, the fraction cut off (toward zero).
    #[must_use]
    pub fn trunc_ns(&self) -> i64 {
        if self.whole < 0 && !self.is_whole() { self.whole + 1 } else { self.whole }
    }

    /// Whether the value is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.whole < 0
    }

    fn is_whole(&self) -> bool {
        self.atto == 0 && self.rest.is_empty()
    }

    fn trim(&mut self) {
        while self.rest.last() == Some(&0) {
            self.rest.pop();
        }
    }
}

/// Adds two fractions given as digits after the point; the flag is the carry out of the first.
fn add_digits(a: &[u8], b: &[u8]) -> (Vec<u8>, bool) {
    let len = a.len().max(b.len());
    let digit = |digits: &[u8], i: usize| digits.get(i).copied().unwrap_or(0);
    let mut carry = 0;
    let mut sum: Vec<u8> = (0..len)
        .rev()
        .map(|i| {
            let d = digit(a, i) + digit(b, i) + carry;
            carry = d / 10;
            d % 10
        })
        .skip_while(|&d| d == 0)
        .collect();
    sum.reverse();
    (sum, carry == 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn us(text: &str) -> ExactNs {
        ExactNs::parse_us(text).unwrap()
    }

    #[test]
    fn sum_is_exact_before_truncation() {
        let end = us("1700000000000150.0004").checked_add(&us("25.0556")).unwrap();
        assert_eq!(end.trunc_ns(), 1_700_000_000_000_175_056);
        let end = us("0.0003").checked_add(&us("0.0007")).unwrap();
        assert_eq!(end, ExactNs::from_ns(1));
    }

    #[test]
    fn carries_through_digits_past_the_eighteenth() {
        let third = us("0.333333333333333333333333333333333333333333");
        let two = us("0.666666666666666666666666666666666666666667");
        assert_eq!(third.checked_add(&two).unwrap(), ExactNs::from_ns(1000));
        let two = us("0.666666666666666666666666666666666666666666");
        assert_eq!(third.checked_add(&two).unwrap().trunc_ns(), 999);
    }

    #[test]
    fn truncates_toward_zero() {
        assert_eq!(us("-0.0019").trunc_ns(), -1);
        assert_eq!(us("-0.0009").trunc_ns(), 0);
        assert_eq!(us("0.0019").trunc_ns(), 1);
        assert!(us("-0.0009").is_negative());
    }

    #[test]
    fn overflow_is_none() {
        let max = ExactNs::from_ns(i64::MAX);
        assert_eq!(max.checked_add(&ExactNs::from_ns(1)), None);
        assert_eq!(ExactNs::from_ns(i64::MIN).checked_neg(), None);
        assert_eq!(max.checked_sub(&max), Some(ExactNs::from_ns(0)));
    }

    proptest! {
        #[test]
        fn agrees_with_wide_integers(a in -10i128.pow(30)..10i128.pow(30), b in -10i128.pow(30)..10i128.pow(30)) {
            // Both in units of 10^-24 us, so that truncation divides by 10^21.
            let text = |v: i128| format!("{v}e-24");
            let (x, y) = (us(&text(a)), us(&text(b)));
            let unit = 10i128.pow(21);
            let (sum, difference) = (x.checked_add(&y).unwrap(), x.checked_sub(&y).unwrap());
            prop_assert_eq!(i128::from(sum.trunc_ns()), (a + b) / unit);
            prop_assert_eq!(i128::from(difference.trunc_ns()), (a - b) / unit);
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }
    }
}
