//! How busy an engine is, told with its slices.

/// How busy the engine is: a counter whose values come with the beginnings and ends of slices that do not overlap. As of
/// any other counter, of several values at one moment only the last is written, and only where it changes.
pub(crate) struct RateOfSlices {
    /// The value that was written last, a double's bits; before the first, no number, so that every value differs from it.
    shown: u64,
}

impl RateOfSlices {
    pub(crate) fn new() -> Self {
        Self { shown: f64::NAN.to_bits() }
    }

    /// Whether a slice's value is written where it begins, and 0 where it ends. `value`: the bits of a double, none of a value
    /// below 0; `next`: where the next slice begins.
    #[inline]
    pub(super) fn changes(&mut self, value: u64, start: i64, end: i64, next: i64) -> (bool, bool) {
        let begins = (start < end) & (self.shown != value);
        let shown = if begins { value } else { self.shown };
        let ends = (next != end) & (shown != 0);
        self.shown = if ends { 0 } else { shown };
        (begins, ends)
    }
}
