//! Where the device's time 0 lies on the host's time line (section 8.4).

use crate::anchor::Anchors;
use crate::decimal::ExactNs;
use crate::model::HostTrace;

/// Offsets beyond this many ns (146 years) are taken for it, so that sums stay within 64 bits.
pub const MOST_OFFSET: i64 = i64::MAX / 2;

/// How device time is put on the host's time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HostAlign {
    /// At the host's `tpudnn` events; without one, at the host trace's first event.
    #[default]
    Anchors,
    /// At the host trace's first event.
    Start,
}

impl HostAlign {
    /// What to add to device times, in ns. `tail_offset_ns`: host time from the PMU's pause to the end of
    /// `disable_profile`, if the dump says; `latest_end`: device time of the pause.
    #[must_use]
    pub fn device_offset(
        self,
        host: &HostTrace,
        tail_offset_ns: Option<i64>,
        latest_end: i64,
    ) -> i64 {
        let anchored = match self {
            Self::Start => None,
            Self::Anchors => host.anchors.device_offset(tail_offset_ns, latest_end),
        };
        let start = || {
            let starts = host.kept_slices().map(|(_, slice)| host.bulk.shown_ns(slice.start_ns));
            starts.min().unwrap_or(0)
        };
        let offset = anchored.unwrap_or_else(start);
        offset.clamp(-MOST_OFFSET, MOST_OFFSET)
    }
}

impl Anchors {
    /// What to add to device times, in ns, so that they lie on the host's time line; `None` where the host
    /// trace has nothing to go by. See [`HostAlign::device_offset`].
    #[must_use]
    pub fn device_offset(&self, tail_offset_ns: Option<i64>, latest_end: i64) -> Option<i64> {
        let tail = tail_offset_ns.map(ExactNs::from_ns);
        let pause = tail.and_then(|tail| self.device_end_ns(&tail));
        pause.map(|pause| pause.saturating_sub(latest_end)).or_else(|| self.device_start_ns())
    }
}
