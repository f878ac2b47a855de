//! Numbers as the texts print them: exact quotients, percentages, bandwidths.

/// `a / b` as the nearest double, also where either is larger than a double can hold exactly.
/// 0 when `b` is 0.
#[must_use]
pub fn quotient(a: i128, b: i128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let (x, y) = (a.unsigned_abs(), b.unsigned_abs());
    if y == 0 {
        return 0.0;
    }
    let magnitude =
        if x <= EXACT && y <= EXACT { x as f64 / y as f64 } else { long_division(x, y) };
    if (a < 0) != (b < 0) { -magnitude } else { magnitude }
}

/// Divides to at least 60 significant bits and folds the remainder into the last one, so that the
/// conversion to a double rounds once, to even at exact ties.
fn long_division(x: u128, y: u128) -> f64 {
    let (mut quotient, mut rest) = (x / y, x % y);
    let mut exponent = 0i32;
    while quotient < 1 << 60 && rest != 0 {
        let (doubled, over) = rest.overflowing_add(rest);
        let bit = over || doubled >= y;
        rest = if bit { doubled.wrapping_sub(y) } else { doubled };
        quotient = quotient << 1 | u128::from(bit);
        exponent -= 1;
    }
    let sticky = quotient | u128::from(rest != 0);
    sticky as f64 * 2f64.powi(exponent)
}

/// `a / b` with 4 decimals, as reports show it; 0 when `b` is 0.
#[must_use]
pub fn ratio(a: i64, b: i64) -> f64 {
    round4(quotient(a.into(), b.into()))
}

/// A number of things: `1 core`, `2 cores`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A ratio as a percentage with `decimals` decimals, such as `55.9%`.
#[must_use]
pub fn percent(ratio: f64, decimals: usize) -> String {
    let x = ratio * 100.0;
    let quick = if decimals == 1 { tenths(x) } else { None };
    quick.unwrap_or_else(|| format!("{x:.decimals$}%"))
}

/// A percentage with one decimal, made of whole numbers: each command of a register text has one, and formatting a double
/// takes ten times as long. `None` where the way through the decimal text is needed, see [`nearest`].
fn tenths(percentage: f64) -> Option<String> {
    let tenths = nearest(percentage, 10.0)?;
    let mut text = (tenths / 10).to_string();
    if percentage.is_sign_negative() {
        text.insert(0, '-');
    }
    text.push('.');
    text.push(char::from(b'0' + (tenths % 10) as u8));
    text.push('%');
    Some(text)
}

/// A ratio as a percentage with one decimal, as a number: what [`percent`] prints.
#[must_use]
pub fn percent_number(ratio: f64) -> f64 {
    rounded(ratio * 100.0, 10.0)
        .unwrap_or_else(|| format!("{:.1}", ratio * 100.0).parse().unwrap_or(0.0))
}

/// `x` rounded to 4 decimals, to even at exact ties of the double.
#[must_use]
#[inline]
pub fn round4(x: f64) -> f64 {
    rounded(x, 1e4).unwrap_or_else(|| round4_by_text(x))
}

#[cold]
fn round4_by_text(x: f64) -> f64 {
    format!("{x:.4}").parse().unwrap_or(x)
}

/// `x` rounded to 1 / `scale`, where [`nearest_whole`] knows it: the quotient of the whole number by the scale is the nearest
/// double.
#[inline]
fn rounded(x: f64, scale: f64) -> Option<f64> {
    nearest_whole(x, scale).map(|whole| (whole / scale).copysign(x))
}

/// The size of `x` in 1 / `scale`, rounded, where a shorter way than through the decimal text is certain.
fn nearest(x: f64, scale: f64) -> Option<u64> {
    nearest_whole(x, scale).map(|whole| whole as u64)
}

/// The size of `x` in 1 / `scale`, rounded, as a double; `None` unless it is away from a tie by more than the product's
/// own error.
#[inline]
fn nearest_whole(x: f64, scale: f64) -> Option<f64> {
    let (whole, is_sure) = nearest_if_sure(x, scale);
    is_sure.then_some(whole)
}

/// The size of `x` in 1 / `scale`, rounded, as a double, and whether it is certain.
#[inline]
pub(crate) fn nearest_if_sure(x: f64, scale: f64) -> (f64, bool) {
    /// Doubles from here on are whole numbers, so that a sum is rounded to one; casts take longer, and `round` is a call.
    const WHOLE: f64 = (1_u64 << 52) as f64;
    let scaled = (x * scale).abs();
    let whole = (scaled + WHOLE) - WHOLE;
    let from_tie = 0.5 - (scaled - whole).abs();
    // Not so where it is no number.
    (whole, (scaled < 1e15) & (from_tie > 1e-9 + scaled * 1e-15))
}

/// A double's shortest text that reads back as the same number, with at least one decimal.
#[must_use]
pub fn float_text(x: f64) -> String {
    format!("{x:?}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decimals_round_to_even_at_exact_ties() {
        assert_eq!(format!("{:.1} {:.1} {:.0}", 0.25, 0.75, 2.5), "0.2 0.8 2");
        assert_eq!(percent(0.559, 1), "55.9%");
        assert_eq!(round4(0.00005), 0.0001);
        assert_eq!(round4(0.03125), 0.0312);
        assert_eq!(float_text(62.0), "62.0");
    }

    #[test]
    fn huge_quotients_are_exact() {
        assert_eq!(quotient(3 << 100, 1 << 101), 1.5);
        assert_eq!(quotient(-(1 << 90), 1 << 90), -1.0);
        assert_eq!(quotient((1 << 53) + 1, 1), 9_007_199_254_740_992.0);
        assert_eq!(quotient((1 << 54) + 3, 2), 9_007_199_254_740_994.0);
        assert_eq!(quotient(5, 0), 0.0);
    }

    proptest! {
        #[test]
        fn long_division_agrees_with_the_fpu(x in 1u128..1 << 53, y in 1u128..1 << 53) {
            prop_assert_eq!(long_division(x, y), x as f64 / y as f64);
        }

        #[test]
        fn percent_numbers_agree_with_the_text(a in 0i64..1 << 40, b in 1i64..1 << 40) {
            let ratio = a as f64 / b as f64;
            let text = percent(ratio, 1);
            prop_assert_eq!(format!("{:.1}%", percent_number(ratio)), text);
        }

        #[test]
        fn percentages_agree_with_the_formatted_double(a in -12_000i32..12_000, b in 1i32..2000, exact in any::<f64>()) {
            let near_tie = (f64::from(a) + 0.5) / 1000.0;
            for ratio in [f64::from(a) / f64::from(b), exact, f64::from(a) / 2048.0, near_tie, -0.0] {
                prop_assert_eq!(percent(ratio, 1), format!("{:.1}%", ratio * 100.0));
            }
        }

        #[test]
        fn round4_agrees_with_the_decimal_text(bytes in 0u64..1 << 32, ns in 1u64..1 << 24) {
            let x = bytes as f64 / ns as f64;
            prop_assert_eq!(round4(x), format!("{x:.4}").parse::<f64>().unwrap());
        }
    }
}
