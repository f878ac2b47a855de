//! What answers are computed from: the events' times and facts, track by track.

use std::collections::BTreeSet;

use crate::{CommandKind, CommandTable, EngineTrack};
use bigtpu_chip::Engine;
use bigtpu_timeline::{EngineId, Profile, Tag};

use crate::engine_spans::{EngineSpans, SpanFacts};
use crate::flows::Flows;
use crate::kernels::{KernelSlice, Launches};
use crate::reuse::Reuse;
use crate::times::TrackTime;

/// One event of a track.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredEvent<'a> {
    /// Index in its track.
    pub index: usize,
    /// ns.
    pub start: i64,
    /// ns; never before the start.
    pub end: i64,
    /// What it is.
    pub kind: &'a CommandKind,
    /// Its track: for what few readers ask for.
    track: EngineTrack<'a>,
}

impl<'a> MeasuredEvent<'a> {
    #[inline]
    fn find(track: &EngineTrack<'a>, index: usize) -> Option<Self> {
        let events = track.events;
        let start = *events.start.get(index)?;
        let kind = track.kind(index)?;
        Some(Self { index, start, end: *events.end.get(index)?.max(&start), kind, track: *track })
    }
}

/// The events of a track. A type of its own: its [`Iterator::next`] becomes a part of the reader's loop, in which only those
/// parts of an event are made that the reader asks for.
#[derive(Debug, Clone)]
pub struct TrackEvents<'a> {
    track: EngineTrack<'a>,
    next: usize,
}

impl<'a> Iterator for TrackEvents<'a> {
    type Item = MeasuredEvent<'a>;

    #[inline]
    fn next(&mut self) -> Option<MeasuredEvent<'a>> {
        while self.next < self.track.len() {
            let index = self.next;
            self.next += 1;
            if let Some(event) = MeasuredEvent::find(&self.track, index) {
                return Some(event);
            }
        }
        None
    }
}

impl MeasuredEvent<'_> {
    /// Index into the model's tags.
    #[must_use]
    #[inline]
    pub fn tag(&self) -> u32 {
        self.track.events.tag.get(self.index).copied().unwrap_or(0)
    }

    /// Number of its kind among those of all tracks.
    #[must_use]
    #[inline]
    pub fn kind_number(&self) -> usize {
        self.track.columns.kind.get(self.index).map_or(usize::MAX, |kind| *kind as usize)
    }

    /// Bytes moved; 0 for system commands.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        if self.kind.activity.is_work() { self.track.bytes(self.index) } else { 0 }
    }

    /// Stall cycles, or those lost to bank conflicts.
    #[must_use]
    pub fn stalls(&self) -> u64 {
        self.track.stall_cycles(self.index)
    }

    /// Duration in ns.
    #[must_use]
    #[inline]
    pub fn ns(&self) -> i64 {
        self.end - self.start
    }
}

/// How many of the cores that an option leaves out ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Cores that ran anything.
    pub active: u32,
    /// Number of cores that ran each kernel. Empty where no core is left out.
    pub by_kernel: Vec<u32>,
}

impl LeftOut {
    fn count(profile: &Profile<'_>) -> Self {
        let mut counted = Self::default();
        for core in profile.left_out_cores() {
            counted.by_kernel.resize(profile.kernels.len(), 0);
            let tags = core.tracks.iter().flat_map(|track| &track.events.tag);
            let tags: BTreeSet<u32> = tags.copied().collect();
            counted.active += u32::from(!tags.is_empty());
            let of_tag = |tag: &u32| profile.tags.get(*tag as usize)?.kernel;
            for kernel in tags.iter().filter_map(of_tag).collect::<BTreeSet<u32>>() {
                if let Some(cores) = counted.by_kernel.get_mut(kernel as usize) {
                    *cores += 1;
                }
            }
        }
        counted
    }

    /// Cores that ran a kernel, by its number.
    #[must_use]
    pub fn of_kernel(&self, kernel: u32) -> u32 {
        self.by_kernel.get(kernel as usize).copied().unwrap_or(0)
    }
}

/// All events of a dump, for pure functions to look at.
#[derive(Debug, Clone)]
pub struct DumpModel<'a> {
    /// The tracks: cores in order (TIU, GDMA, SDMA), then ports.
    pub tracks: Vec<EngineTrack<'a>>,
    /// Kernels, scopes, batches and modes.
    pub tags: &'a [Tag],
    /// Kernel names.
    pub kernels: &'a [String],
    /// Number of cores.
    pub cores: usize,
    /// The cores that no option leaves out.
    pub shown_cores: Vec<u32>,
    /// An option leaves cores out: what they did is not known here.
    pub leaves_out_cores: bool,
    /// How many of these ran: they shared memory with the others.
    pub left_out: LeftOut,
    /// Kernel launches by core.
    pub core_launches: &'a [Vec<KernelSlice>],
    /// Kernel launches by port.
    pub port_launches: &'a [Vec<KernelSlice>],
    /// Which send released which wait.
    pub flows: &'a Flows,
    /// Loads that read again.
    pub reuse: Reuse,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// Clock of the DMA engines in MHz.
    pub dma_mhz: f64,
    /// Whether no record is known to be lost.
    pub is_complete: bool,
}

impl<'a> DumpModel<'a> {
    /// Builds the model from a profile and what is known of its events.
    #[must_use]
    pub fn new(
        profile: &'a Profile<'_>,
        table: &'a CommandTable,
        launches: &'a Launches,
        reuse: Reuse,
        flows: &'a Flows,
    ) -> Self {
        Self {
            tracks: table.tracks(profile).collect(),
            tags: &profile.tags,
            kernels: &profile.kernels,
            cores: profile.cores.len(),
            shown_cores: profile.shown_cores().map(|(core, _)| core).collect(),
            leaves_out_cores: profile.leaves_out_cores(),
            left_out: LeftOut::count(profile),
            core_launches: &launches.cores,
            port_launches: &launches.ports,
            flows,
            reuse,
            tiu_mhz: profile.clocks.mhz(Engine::Tiu),
            dma_mhz: profile.clocks.mhz(Engine::Gdma),
            is_complete: profile.ledger.lines.iter().all(|line| line.counts.lost == 0),
        }
    }

    /// A track by its engine.
    #[must_use]
    #[inline]
    pub fn track(&self, engine_id: EngineId) -> Option<&EngineTrack<'a>> {
        // Cores come first, three tracks each.
        let place = engine_id.index as usize * 3 + engine_id.engine as usize;
        let is_own = |track: &&EngineTrack<'a>| track.engine_id == engine_id;
        self.tracks.get(place).filter(is_own).or_else(|| self.tracks.iter().find(is_own))
    }

    /// An event of a track; `None` where the track has no such event.
    #[must_use]
    #[inline]
    pub fn event(&self, track: &EngineTrack<'a>, index: usize) -> Option<MeasuredEvent<'a>> {
        MeasuredEvent::find(track, index)
    }

    /// A track's events, in the engine's order.
    #[must_use]
    #[inline]
    pub fn events(&self, track: &EngineTrack<'a>) -> TrackEvents<'a> {
        TrackEvents { track: *track, next: 0 }
    }

    /// From the earliest start to the latest end of what is on the common time line, in ns; `None` without any event.
    #[must_use]
    pub fn window(&self) -> Option<(i64, i64)> {
        let placed = || self.tracks.iter().filter(|t| t.is_placed);
        let start = placed().filter_map(|t| t.events.start.iter().min()).min()?;
        let end = placed().filter_map(|t| t.events.end.iter().max()).max()?;
        Some((*start, *end.max(start)))
    }

    /// The earliest start of all, also of ports that are not on the common time line: where the axis of the page begins.
    #[must_use]
    pub fn first_start(&self) -> Option<i64> {
        self.tracks.iter().filter_map(|track| track.events.start.iter().min()).min().copied()
    }

    /// A core's tracks.
    pub fn core(&self, core: u32) -> impl Iterator<Item = &EngineTrack<'a>> {
        self.tracks
            .iter()
            .filter(move |t| t.engine_id.engine != Engine::Cdma && t.engine_id.index == core)
    }

    /// The ports' tracks.
    pub fn ports(&self) -> impl Iterator<Item = &EngineTrack<'a>> {
        self.tracks.iter().filter(|t| t.engine_id.engine == Engine::Cdma)
    }

    /// Whether a command explains any record; in capture mode 0 none does.
    #[must_use]
    pub fn knows_commands(&self) -> bool {
        self.tracks.iter().any(|track| track.event_kinds().any(CommandKind::is_bound))
    }

    /// When a track worked, and when it was in system commands only.
    #[must_use]
    pub fn work_and_sync(&self, track: &EngineTrack<'a>) -> TrackTime {
        EngineSpans::of_track(&SpanFacts::new(self), track).finish().0
    }

    /// A tag by its index.
    #[must_use]
    #[inline]
    pub fn tag(&self, tag: u32) -> Tag {
        self.tags.get(tag as usize).copied().unwrap_or_default()
    }

    /// Name of a kernel; empty if there is no kernel with this number.
    #[must_use]
    pub fn kernel_name(&self, kernel: u32) -> &'a str {
        self.kernels.get(kernel as usize).map_or("", String::as_str)
    }
}
