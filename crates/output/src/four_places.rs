//! Numbers with few decimal places, as bandwidths are.

/// A positive number with at most four decimal places. Decimals of up to 15 digits are different numbers, so these are the
/// fewest digits with which it is read back as itself; they are found several times faster than those of any number.
pub(crate) struct FourPlaces {
    whole: u64,
    /// In ten thousandths.
    rest: u64,
}

impl FourPlaces {
    /// `None` of another number.
    pub(crate) fn round(number: f64) -> Option<Self> {
        const SCALE: f64 = 1e4;
        let scaled = (number * SCALE).round();
        let is_exact = number > 0.0 && scaled < 1e15 && scaled / SCALE == number;
        is_exact.then(|| {
            let scaled = scaled as u64;
            Self { whole: scaled / 10_000, rest: scaled % 10_000 }
        })
    }

    /// Appends it, with at least one decimal place.
    pub(crate) fn append(&self, text: &mut String) {
        let Self { whole, rest } = self;
        text.push_str(itoa::Buffer::new().format(*whole));
        text.push('.');
        let digits = [rest / 1000, rest / 100 % 10, rest / 10 % 10, rest % 10];
        let last = digits.iter().rposition(|&digit| digit > 0).unwrap_or(0);
        text.extend(digits.into_iter().take(last + 1).map(|digit| char::from(b'0' + digit as u8)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(number: f64) -> Option<String> {
        let mut text = String::new();
        FourPlaces::round(number)?.append(&mut text);
        Some(text)
    }

    #[test]
    fn other_numbers_are_not_taken() {
        let others = [
            0.0,
            -1.5,
            0.00001,
            1.00005,
            1e12,
            f64::NAN,
            f64::INFINITY,
            f64::MIN_POSITIVE,
            0.1 + 0.2,
        ];
        assert!(others.iter().all(|number| shown(*number).is_none()));
        assert_eq!(
            [1.0, 0.0001, 12.05].map(shown),
            ["1.0", "0.0001", "12.05"].map(|s| Some(s.into()))
        );
    }

    proptest! {
        #[test]
        fn digits_are_the_fewest_that_are_read_back(scaled in 1u64..1_000_000_000_000_000, number: f64) {
            let places = scaled as f64 / 1e4;
            prop_assert_eq!(shown(places), Some(format!("{places:?}")));
            let is_right = shown(number).is_none_or(|text| text == format!("{number:?}"));
            prop_assert!(is_right);
        }
    }
}
