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
    let number = ratio * 100.0;
    let tenths = if decimals == 1 { units(number, 10.0) } else { None };
    match tenths {
        // Each command has some, and the digits of a small whole number are found sooner.
        Some(tenths) if number.is_sign_positive() && tenths < 10_000.0 => {
            tenths_text(tenths as u32)
        }
        _ => format!("{number:.decimals$}%"),
    }
}

/// A percentage below 1 000 %, in tenths.
fn tenths_text(tenths: u32) -> String {
    let mut text = String::with_capacity(6);
    let digit = |unit: u32| char::from(b'0' + (tenths / unit % 10) as u8);
    let first = if tenths >= 1_000 {
        0
    } else if tenths >= 100 {
        1
    } else {
        2
    };
    text.extend([1_000, 100, 10].into_iter().skip(first).map(digit));
    text.extend(['.', digit(1), '%']);
    text
}

/// A ratio as a percentage with one decimal, as a number: what [`percent`] prints.
#[must_use]
pub fn percent_number(ratio: f64) -> f64 {
    rounded(ratio * 100.0, 10.0)
        .unwrap_or_else(|| format!("{:.1}", ratio * 100.0).parse().unwrap_or(0.0))
}

/// `x` rounded to 4 decimals, to even at exact ties of the double.
#[must_use]
pub fn round4(x: f64) -> f64 {
    rounded(x, 1e4).unwrap_or_else(|| format!("{x:.4}").parse().unwrap_or(x))
}

/// `x` rounded to 1 / `scale`, where [`units`] are certain: their quotient by the scale is the nearest double.
fn rounded(x: f64, scale: f64) -> Option<f64> {
    units(x, scale).map(|units| (units / scale).copysign(x))
}

/// The absolute value in units of 1 / `scale`, rounded to a whole number, where a shorter way than through the decimal text is
/// certain: away from a tie by more than the product's own error.
fn units(x: f64, scale: f64) -> Option<f64> {
    let scaled = (x * scale).abs();
    if scaled.is_nan() || scaled >= 1e15 {
        return None;
    }
    // Whole numbers of that size are doubles; a cast is cheaper than `floor` and `round`, which are calls.
    let whole = scaled as i64 as f64;
    let fraction = scaled - whole;
    let is_certain = (fraction - 0.5).abs() > 1e-9 + scaled * 1e-15;
    is_certain.then_some(if fraction > 0.5 { whole + 1.0 } else { whole })
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
        fn percentages_are_those_of_the_formatter(ratio in -2.0f64..20.0, tenths in 0u32..12_000) {
            prop_assert_eq!(percent(ratio, 1), format!("{:.1}%", ratio * 100.0));
            let near_tie = (f64::from(tenths) + 0.5) / 1_000.0;
            prop_assert_eq!(percent(near_tie, 1), format!("{:.1}%", near_tie * 100.0));
        }

        #[test]
        fn round4_agrees_with_the_decimal_text(bytes in 0u64..1 << 32, ns in 1u64..1 << 24) {
            let x = bytes as f64 / ns as f64;
            prop_assert_eq!(round4(x), format!("{x:.4}").parse::<f64>().unwrap());
        }
    }
}
