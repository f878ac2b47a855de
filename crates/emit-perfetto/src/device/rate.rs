//! How busy an engine is, told with its slices.

/// How busy the engine is: a counter whose values come with the beginnings and ends of slices that do not overlap. As of
/// any other counter, of several values at one moment only the last is written, and only where it changes.
pub(crate) struct RateOfSlices {
    /// The value that was written last; before the first, no number, so that every value differs from it.
    shown: f64,
}

impl RateOfSlices {
    pub(crate) fn new() -> Self {
        Self { shown: f64::NAN }
    }

    /// Whether a slice's value is written where it begins, and 0 where it ends; `next`: where the next one begins.
    #[inline]
    pub(super) fn changes(&mut self, value: f64, start: i64, end: i64, next: i64) -> (bool, bool) {
        let begins = start < end && self.shown != value;
        if begins {
            self.shown = value;
        }
        let ends = next != end && self.shown != 0.0;
        if ends {
            self.shown = 0.0;
        }
        (begins, ends)
    }
}
