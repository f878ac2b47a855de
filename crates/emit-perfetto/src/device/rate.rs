//! How busy an engine is, told with its slices.

/// How busy the engine is: a counter whose values come with the beginnings and ends of slices that do not overlap. As of
/// any other counter, of several values at one moment only the last is written, and only where it changes.
#[derive(Default)]
pub(crate) struct RateOfSlices {
    /// The value that was written last.
    shown: Option<f64>,
}

impl RateOfSlices {
    /// Whether a slice's value is written where it begins, and 0 where it ends; `next`: where the next one begins.
    #[inline]
    pub(super) fn changes(
        &mut self,
        value: f64,
        start: i64,
        end: i64,
        next: Option<i64>,
    ) -> (bool, bool) {
        let begins = start < end && self.shown != Some(value);
        if begins {
            self.shown = Some(value);
        }
        let ends = next != Some(end) && self.shown != Some(0.0);
        if ends {
            self.shown = Some(0.0);
        }
        (begins, ends)
    }
}
