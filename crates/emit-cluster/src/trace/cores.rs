//! Cores and engines of ranks: what parts do not hold, so whoever has the dump gives it.

use bigtpu_cluster::RankView;

use super::packets::{Packets, Slice};
use super::tracks::{Times, Tracks};

/// The events of an engine of a core.
#[derive(Debug, Clone, Default)]
pub struct CoreTrack {
    /// Core.
    pub core: u32,
    /// Engine.
    pub engine: &'static str,
    /// Names of its commands.
    pub names: Vec<String>,
    /// Its events.
    pub events: Vec<CoreEvent>,
}

/// An event, in ns of the dump's own time line.
#[derive(Debug, Clone, Copy, Default)]
pub struct CoreEvent {
    /// Start.
    pub start: i64,
    /// End.
    pub end: i64,
    /// Index of its command's name.
    pub name: u32,
}

/// Bytes that an event of a core takes at most, about.
pub(super) const BYTES_PER_EVENT: u64 = 90;

/// Writes the engines of a rank below its track.
pub(super) fn write(
    all: Vec<CoreTrack>,
    rank: &RankView<'_>,
    below: u64,
    tracks: &mut Tracks,
    times: &Times,
    packets: &mut Packets,
) {
    let mut core: Option<(u32, u64)> = None;
    for CoreTrack { core: number, engine, names, events } in all {
        if events.is_empty() {
            continue;
        }
        let parent = match core.filter(|(known, _)| *known == number) {
            Some((_, parent)) => parent,
            None => tracks.add(below, format!("Core {number}")),
        };
        core = Some((number, parent));
        let slice = |event: &CoreEvent| {
            let name = names.get(event.name as usize).cloned().unwrap_or_default();
            let (start, end) = (times.own(rank, event.start), times.own(rank, event.end));
            (Slice::new(start, end, name, "command"), Vec::new())
        };
        tracks.add_slices(parent, engine, events.iter().map(slice).collect());
    }
    for descriptor in std::mem::take(&mut tracks.descriptors) {
        packets.track(descriptor);
    }
    for content in std::mem::take(&mut tracks.content) {
        content.write(packets);
    }
}
