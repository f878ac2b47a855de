//! Which slices are shown, and which moments tie device time to host time (section 8.4).

use crate::decimal::ExactNs;
use crate::model::{HostSlice, HostTrace};
use crate::strings::StrId;

/// The category of tpudnn's own slices.
pub const TPUDNN: &str = "tpudnn";

/// The slice whose end is `tail_offset_ns` after the PMU's pause.
pub const DISABLE_PROFILE: &str = "disable_profile";

/// Slices of these names are the profiler's own doing and are dropped.
pub const DROPPED_NAMES: [&str; 5] = [
    "PyTorch Profiler (0)",
    "enable_profile",
    "disable_profile",
    "my_ops::enable_profile",
    "my_ops::disable_profile",
];

/// The moments of a trace that device time can be tied to; of `X` events only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// The greatest end of the slices named exactly `disable_profile` with category `tpudnn`.
    pub disable_end: Option<ExactNs>,
    /// The end of the first `tpudnn` slice in file order that is not dropped.
    pub first_tpudnn_end: Option<ExactNs>,
}

impl Anchors {
    /// Whether some slice that is not dropped has category `tpudnn`.
    #[must_use]
    pub fn has_tpudnn(&self) -> bool {
        self.first_tpudnn_end.is_some()
    }

    /// The host's time of the latest PMU record: trunc(end of `disable_profile` - `tail_offset`), ns.
    ///
    /// `None` without such a slice, or if the difference leaves 64 bits.
    #[must_use]
    pub fn device_end_ns(&self, tail_offset: &ExactNs) -> Option<i64> {
        Some(self.disable_end.as_ref()?.checked_sub(tail_offset)?.trunc_ns())
    }

    /// The host's time of the PMU's start where [`device_end_ns`](Self::device_end_ns) is not to be had, ns.
    #[must_use]
    pub fn device_start_ns(&self) -> Option<i64> {
        self.first_tpudnn_end.as_ref().map(ExactNs::trunc_ns)
    }

    /// Takes note of the next `X` slice of the file.
    pub(crate) fn see(&mut self, name: &str, cat: &str, end: &ExactNs) {
        if cat != TPUDNN {
            return;
        }
        if name == DISABLE_PROFILE
            && self.disable_end.as_ref().is_none_or(|greatest| greatest < end)
        {
            self.disable_end = Some(end.clone());
        }
        if self.first_tpudnn_end.is_none() && !DROPPED_NAMES.contains(&name) {
            self.first_tpudnn_end = Some(end.clone());
        }
    }
}

impl HostTrace {
    /// The slices to show and their positions in [`HostTrace::slices`]: all but the dropped names'.
    pub fn kept_slices(&self) -> impl Iterator<Item = (usize, &HostSlice)> {
        let dropped: Vec<StrId> =
            DROPPED_NAMES.iter().filter_map(|name| self.strings.lookup(name)).collect();
        self.slices.iter().enumerate().filter(move |(_, slice)| !dropped.contains(&slice.name))
    }

    /// The positions of the [kept slices](Self::kept_slices) of each thread.
    #[must_use]
    pub fn kept_by_thread(&self) -> Vec<Vec<usize>> {
        let mut threads = vec![Vec::new(); self.threads.len()];
        for (place, slice) in self.kept_slices() {
            if let Some(places) = threads.get_mut(slice.thread as usize) {
                places.push(place);
            }
        }
        threads
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn anchors(slices: &[(&str, &str, &str)]) -> Anchors {
        let mut anchors = Anchors::default();
        for (name, cat, end) in slices {
            anchors.see(name, cat, &ExactNs::parse_us(end).unwrap());
        }
        anchors
    }

    #[test]
    fn the_greatest_end_of_disable_profile_counts() {
        let anchors = anchors(&[
            ("disable_profile", "tpudnn", "20.5"),
            ("disable_profile", "tpudnn", "10"),
            ("disable_profile", "cpu_op", "99"),
            ("my_ops::disable_profile", "tpudnn", "99"),
        ]);
        assert_eq!(anchors.disable_end, Some(ExactNs::from_ns(20_500)));
        assert!(!anchors.has_tpudnn());
        assert_eq!(anchors.device_start_ns(), None);
    }

    #[test]
    fn the_first_kept_tpudnn_slice_counts_whatever_its_time() {
        let slices =
            [("enable_profile", "tpudnn", "1"), ("op", "tpudnn", "9"), ("op", "tpudnn", "5")];
        let anchors = anchors(&slices);
        assert!(anchors.has_tpudnn());
        assert_eq!(anchors.device_start_ns(), Some(9000));
        assert_eq!(anchors.device_end_ns(&ExactNs::from_ns(0)), None);
    }

    #[test]
    fn the_tail_comes_off_before_truncation() {
        let anchors = anchors(&[("disable_profile", "tpudnn", "1700000000000917.0004")]);
        let tail = |text: &str| anchors.device_end_ns(&ExactNs::parse_ns(text).unwrap()).unwrap();
        assert_eq!(tail("0.4"), 1_700_000_000_000_917_000);
        assert_eq!(tail("0.5"), 1_700_000_000_000_916_999);
        assert_eq!(tail("250000"), 1_700_000_000_000_667_000);
    }
}
