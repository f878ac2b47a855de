//! What answers are computed from: the events' times and facts, track by track.

use bigtpu_chip::Engine;
use bigtpu_timeline::{Place, Profile, Tag};

use super::{Class, Columns, Facts, Reuse};
use crate::flows::Flow;
use crate::intervals::TrackTime;
use crate::kernels::KernelSlice;
use crate::spans::Spans;

/// One engine's events.
#[derive(Debug, Clone, Copy)]
pub struct EngineTrack<'a> {
    /// Which engine of which core or port.
    pub place: Place,
    /// ns.
    pub start: &'a [i64],
    /// ns.
    pub end: &'a [i64],
    /// Cycles of the engine's clock.
    pub cycles: &'a [i64],
    /// Classes, tags, bytes and stalls.
    pub columns: &'a Columns,
}

/// One event of a track.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// Index in its track.
    pub index: usize,
    /// ns.
    pub start: i64,
    /// ns; never before the start.
    pub end: i64,
    /// Cycles of the engine's clock.
    pub cycles: i64,
    /// What it is.
    pub class: &'a Class,
    /// Index into the model's tags.
    pub tag: u32,
    /// Bytes moved.
    pub bytes: u64,
    /// Stall cycles, or those lost to bank conflicts.
    pub stalls: u32,
}

impl Event<'_> {
    /// Duration in ns.
    #[must_use]
    pub fn ns(&self) -> i64 {
        self.end - self.start
    }
}

/// All events of a dump, for pure functions to look at.
#[derive(Debug, Clone)]
pub struct Model<'a> {
    /// The tracks: cores in order (TIU, GDMA, SDMA), then ports.
    pub tracks: Vec<EngineTrack<'a>>,
    /// Kinds of commands.
    pub classes: &'a [Class],
    /// Kernels, scopes, batches and modes.
    pub tags: &'a [Tag],
    /// Kernel names.
    pub kernels: &'a [String],
    /// Number of cores.
    pub cores: usize,
    /// Kernel launches by core.
    pub core_launches: &'a [Vec<KernelSlice>],
    /// Kernel launches by port.
    pub port_launches: &'a [Vec<KernelSlice>],
    /// Which send released which wait.
    pub flows: &'a [Flow],
    /// Loads that read again.
    pub reuse: Reuse,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
}

impl<'a> Model<'a> {
    /// Of a profile and what is known of its events.
    #[must_use]
    pub fn new(profile: &'a Profile<'_>, facts: &'a Facts, flows: &'a [Flow]) -> Self {
        let tracks = profile.tracks().zip(&facts.columns).map(|(track, columns)| EngineTrack {
            place: track.place,
            start: &track.events.start,
            end: &track.events.end,
            cycles: &track.events.cycles,
            columns,
        });
        Self {
            tracks: tracks.collect(),
            classes: &facts.classes,
            tags: &facts.tags,
            kernels: &profile.kernels,
            cores: profile.cores.len(),
            core_launches: &facts.core_launches,
            port_launches: &facts.port_launches,
            flows,
            reuse: facts.reuse,
            tiu_mhz: profile.clocks.mhz(Engine::Tiu),
        }
    }

    /// An event of a track; `None` where the track has no such event.
    #[must_use]
    pub fn event(&self, track: &EngineTrack<'a>, index: usize) -> Option<Event<'a>> {
        let start = *track.start.get(index)?;
        Some(Event {
            index,
            start,
            end: track.end.get(index)?.max(&start).to_owned(),
            cycles: *track.cycles.get(index)?,
            class: self.classes.get(*track.columns.class.get(index)? as usize)?,
            tag: *track.columns.tag.get(index)?,
            bytes: *track.columns.bytes.get(index)?,
            stalls: *track.columns.stalls.get(index)?,
        })
    }

    /// A track's events, in the engine's order.
    pub fn events<'m>(
        &'m self,
        track: &EngineTrack<'a>,
    ) -> impl Iterator<Item = Event<'a>> + use<'m, 'a> {
        let track = *track;
        (0..track.start.len()).filter_map(move |index| self.event(&track, index))
    }

    /// From the earliest start to the latest end, in ns; `None` without any event.
    #[must_use]
    pub fn window(&self) -> Option<(i64, i64)> {
        let start = self.tracks.iter().flat_map(|t| t.start).min()?;
        let end = self.tracks.iter().flat_map(|t| t.end).max()?;
        Some((*start, *end.max(start)))
    }

    /// A core's tracks.
    pub fn core(&self, core: u32) -> impl Iterator<Item = &EngineTrack<'a>> {
        self.tracks.iter().filter(move |t| t.place.engine != Engine::Cdma && t.place.index == core)
    }

    /// The ports' tracks.
    pub fn ports(&self) -> impl Iterator<Item = &EngineTrack<'a>> {
        self.tracks.iter().filter(|t| t.place.engine == Engine::Cdma)
    }

    /// When a track worked, and when it was in system commands.
    #[must_use]
    pub fn work_and_sync(&self, track: &EngineTrack<'a>) -> TrackTime {
        let spans = |work: bool| {
            let events = self.events(track).filter(move |e| e.class.activity.is_work() == work);
            Spans::union(events.map(|e| (e.start, e.end)))
        };
        TrackTime { work: spans(true), sync: spans(false) }
    }

    /// A tag by its index.
    #[must_use]
    pub fn tag(&self, tag: u32) -> Tag {
        self.tags.get(tag as usize).copied().unwrap_or_default()
    }

    /// Name of a kernel; empty where the number is none.
    #[must_use]
    pub fn kernel_name(&self, kernel: u32) -> &'a str {
        self.kernels.get(kernel as usize).map_or("", String::as_str)
    }
}
