//! Decimal text of a timestamp to [`ExactNs`].
//!
//! ```text
//! 1712195495519698.687   1.6e15   -12.5E-3   (as a JSON number or inside a JSON string)
//! ```

use crate::decimal::ExactNs;
use bigtpu_messages::error_message;

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// The text is not a decimal number.
    #[error("{}", error_message!("error-host-trace-decimal-parse-not-a-number"))]
    NotANumber,
    /// The value leaves the range of 64-bit nanoseconds (292 years either side of zero).
    #[error("{}", error_message!("error-host-trace-decimal-parse-out-of-range"))]
    OutOfRange,
    /// The value has more than 4096 zeros between its point and its first digit.
    #[error("{}", error_message!("error-host-trace-decimal-parse-too-small"))]
    TooSmall,
}

/// Most zeros between the point and the first digit: more than any double needs.
const MAX_LEADING_ZEROS: i64 = 4096;

impl ExactNs {
    /// Parses decimal microseconds, the unit of `ts` and `dur`.
    ///
    /// # Errors
    /// [`DecimalError`] if the text is no decimal number or the value does not fit.
    pub fn parse_us(text: &str) -> Result<Self, DecimalError> {
        match short_us(text.as_bytes()) {
            Some(ns) => Ok(Self::from_ns(ns)),
            None => parse(text, 3),
        }
    }

    /// Parses decimal nanoseconds, the unit of `tail_offset_ns`.
    ///
    /// # Errors
    /// [`DecimalError`] if the text is no decimal number or the value does not fit.
    pub fn parse_ns(text: &str) -> Result<Self, DecimalError> {
        parse(text, 0)
    }
}

/// The usual case, for speed: digits, and up to 3 after a point.
fn short_us(text: &[u8]) -> Option<i64> {
    let (whole, fraction) = match text.iter().position(|&b| b == b'.') {
        Some(point) => (text.get(..point)?, text.get(point + 1..)?),
        None => (text, &[][..]),
    };
    if whole.is_empty() || fraction.len() > 3 {
        return None;
    }
    let digits = whole.iter().chain(fraction).chain(b"000".iter().skip(fraction.len()));
    let mut ns = 0i64;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        ns = ns.checked_mul(10)?.checked_add(i64::from(digit))?;
    }
    Some(ns)
}

/// Parses `text` · 10^`shift`.
fn parse(text: &str, shift: i64) -> Result<ExactNs, DecimalError> {
    let text = text.trim_ascii().as_bytes();
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (whole, text) = split_digits(text);
    let (fraction, text) = match text {
        [b'.', rest @ ..] => split_digits(rest),
        _ => (&text[..0], text),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Err(DecimalError::NotANumber);
    }
    let exponent = parse_exponent(text)?;

    // The number is 0.d1 d2 d3 … · 10^point, with d1 the first digit that is not zero.
    let zeros = whole.iter().chain(fraction).take_while(|&&d| d == b'0').count();
    let digits = || whole.iter().chain(fraction).skip(zeros).map(|&d| d - b'0');
    if digits().next().is_none() {
        return Ok(ExactNs::from_ns(0));
    }
    let point = offset(whole.len())
        .saturating_sub(offset(zeros))
        .saturating_add(exponent)
        .saturating_add(shift);
    if point > 19 {
        return Err(DecimalError::OutOfRange);
    }
    if point < -MAX_LEADING_ZEROS {
        return Err(DecimalError::TooSmall);
    }
    let before = usize::try_from(point).unwrap_or(0);
    let after_zeros = usize::try_from(-point).unwrap_or(0);
    let mut value: u64 = 0;
    for digit in digits().chain(std::iter::repeat(0)).take(before) {
        value = value
            .checked_mul(10)
            .and_then(|v| v.checked_add(u64::from(digit)))
            .ok_or(DecimalError::OutOfRange)?;
    }
    let value = i64::try_from(value).map_err(|_| DecimalError::OutOfRange)?;
    let fraction = std::iter::repeat_n(0, after_zeros).chain(digits().skip(before));
    let exact = ExactNs::from_digits(value, fraction);
    if negative { exact.checked_neg().ok_or(DecimalError::OutOfRange) } else { Ok(exact) }
}

/// The leading ASCII digits, and what follows them.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// An exponent part that ends the text; nothing is 0, and a huge one saturates.
fn parse_exponent(text: &[u8]) -> Result<i64, DecimalError> {
    let (negative, digits) = match text {
        [] => return Ok(0),
        [b'e' | b'E', b'-', digits @ ..] => (true, digits),
        [b'e' | b'E', b'+', digits @ ..] | [b'e' | b'E', digits @ ..] => (false, digits),
        _ => return Err(DecimalError::NotANumber),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(DecimalError::NotANumber);
    }
    let value =
        digits.iter().fold(0i64, |v, d| v.saturating_mul(10).saturating_add(i64::from(d - b'0')));
    Ok(if negative { -value } else { value })
}

fn offset(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ns(text: &str) -> Result<i64, DecimalError> {
        ExactNs::parse_us(text).map(|t| t.trunc_ns())
    }

    #[test]
    fn parses_what_profilers_write() {
        assert_eq!(ns("1712195495519698.687"), Ok(1_712_195_495_519_698_687));
        assert_eq!(ns("1695835542481129"), Ok(1_695_835_542_481_129_000));
        assert_eq!(ns("1.7e15"), Ok(1_700_000_000_000_000_000));
        assert_eq!(ns("1.7000000000001918E+15"), Ok(1_700_000_000_000_191_800));
        assert_eq!(ns("12.527924999999998"), Ok(12_527));
        assert_eq!(ns("-12.5E-3"), Ok(-12));
        assert_eq!(ns(" +7. "), Ok(7000));
        assert_eq!(ns(".5"), Ok(500));
        assert_eq!(ns("000000000000000000000000000001"), Ok(1000));
    }

    #[test]
    fn extremes() {
        assert_eq!(ns("9223372036854775.807999"), Ok(i64::MAX));
        assert_eq!(ns("9223372036854775.808"), Err(DecimalError::OutOfRange));
        assert_eq!(ns("1e300"), Err(DecimalError::OutOfRange));
        assert_eq!(ns("1e99999999999999999999999"), Err(DecimalError::OutOfRange));
        assert_eq!(ns("5e-324"), Ok(0));
        assert_eq!(ns("1e-99999999999999999999999"), Err(DecimalError::TooSmall));
        assert_eq!(ns("0e99999999999999999999999"), Ok(0));
        assert_eq!(ns("1000000000000000000000000e-24"), Ok(1000));
    }

    proptest! {
        #[test]
        fn the_short_way_agrees_with_the_long_one(text in "[0-9]{0,20}([.][0-9]{0,4})?|[-+.e0-9]{0,5}") {
            if let Some(ns) = short_us(text.as_bytes()) {
                prop_assert_eq!(parse(&text, 3), Ok(ExactNs::from_ns(ns)));
            }
        }
    }

    #[test]
    fn rejects_the_rest() {
        for text in [
            "", "-", ".", "abc", "1x", "1e", "1e+", "1e5x", "NaN", "Infinity", "0x10", "1 2", "--1",
        ] {
            assert_eq!(ns(text), Err(DecimalError::NotANumber), "{text:?}");
        }
    }
}
