//! Where the page's time line lies.

use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_timeline::Profile;

use crate::build::Sources;
use crate::head::Notice;

/// Where the page's time line lies, in ns.
pub(crate) struct Span {
    /// Added to device times it makes times of the host.
    pub(crate) device: i64,
    /// First moment and length.
    pub(crate) start: i64,
    pub(crate) length: i64,
}

impl Span {
    pub(crate) fn new(
        profile: &Profile<'_>,
        sources: &Sources<'_>,
        notices: &mut Vec<Notice>,
    ) -> Self {
        let aligned = |host: &HostTrace| match sources.align {
            HostAlign::Start => None,
            HostAlign::Anchors => {
                host.anchors.device_offset(profile.tail_offset_ns, profile.latest_end)
            }
        };
        let device = sources.host.map_or(0, |host| {
            aligned(host).unwrap_or_else(|| {
                notices.push(Notice { key: "host-unaligned", args: Vec::new() });
                HostAlign::Start.device_offset(host, None, 0)
            })
        });
        let host = sources.host.into_iter().flat_map(HostTrace::shown_slices);
        let (mut start, mut end) = (i64::MAX, i64::MIN);
        let tracks = profile.tracks().map(|t| &t.events);
        let device_spans =
            tracks.flat_map(|e| e.start.iter().zip(&e.end)).map(|(s, e)| (s + device, e + device));
        for (from, to) in device_spans.chain(host.map(|(_, span)| (span.start_ns, span.end_ns))) {
            start = start.min(from);
            end = end.max(to);
        }
        let start = if start == i64::MAX { 0 } else { start };
        Self { device, start, length: end.saturating_sub(start).max(1) }
    }
}
