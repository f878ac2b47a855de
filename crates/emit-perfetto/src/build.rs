//! The device's tracks: where those of a scene are in a trace, and what writes them.

mod cores;
mod engine;
mod port;

use std::borrow::Cow;

use bigtpu_answers::Analysis;
use bigtpu_measure::layers::Layers;
use bigtpu_scene::{Content, Cut, Group, Owner, Sample, Scene, Slice, Slices};
use bigtpu_timeline::Profile;

use crate::detail::TraceDetail;
use crate::device::{SharedBySlices, Units};
use crate::flows::Flows;
use crate::launches::{KernelFlows, LaunchFlow};
use crate::layer_names::LayerNames;
use crate::overview;
use crate::path::{PathOf, PathSource};
use crate::runtime::{LatePause, PauseSource};
use crate::sequence::Sequence;
use crate::source::{SceneSource, Source};
use crate::tracks::{Kind, Tracks};
use crate::turn_ends::turns_of_engines;
use crate::windows::Windows;

// Ranks of a device's tracks, of which a viewer shows the smallest first: what holds for all of it, then its cores, then its
// ports.
const NAMED: i32 = 0;
const PAUSE: i32 = 9;
const FIRST_CORE: i32 = 10;

/// What a device's tracks are below. Viewers unfold a track by itself only where no other is next to it at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    /// A track of its own, alone at the top: it is shown unfolded.
    Alone,
    /// A track of its own next to others: it is shown folded, and sums up what is below it.
    Folded,
    /// None: its tracks are at the top, above the host's processes.
    Top,
}

/// A device that is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Drawn<'p, 'd> {
    pub(crate) profile: &'p Profile<'d>,
    pub(crate) analysis: &'p Analysis,
    pub(crate) scene: &'p Scene,
    pub(crate) layers: Option<&'p Layers>,
    /// Layers that are told by their names alone.
    pub(crate) layer_names: &'p LayerNames,
    /// Added to its times.
    pub(crate) offset: i64,
    pub(crate) flows: &'p Flows,
    /// Flows from the host's calls to what they launched.
    pub(crate) launches: &'p [LaunchFlow],
    /// What its tracks are below.
    pub(crate) root: Root,
    /// Only what runs then is drawn; the scene is that part.
    pub(crate) cut: Option<&'p Cut>,
    /// How much is told of each command.
    pub(crate) detail: TraceDetail,
    /// Whoever reads it has the views of `tpu.sql`.
    pub(crate) has_views: bool,
}

impl<'p> Drawn<'p, '_> {
    /// What its commands belong to.
    pub(crate) fn units(&self) -> Units<'p> {
        // bigTpuProfile tells no steps.
        let steps = self.analysis.steps(self.profile).filter(|_| !self.detail.repeats());
        let looks_up = self.has_views && !self.detail.is_full();
        // Cut slices may begin later than the commands whose steps they tell, and steps may, too.
        let finds_steps = looks_up && self.cut.is_none();
        let Self { layers, layer_names, .. } = *self;
        Units { layers, layer_names, steps, looks_up, finds_steps }
    }
}

/// Defines the device's tracks, below one of its own or at the top, and makes their sources.
pub(crate) fn device_sources<'p>(
    name: &str,
    place: Kind<'_>,
    drawn: Drawn<'p, '_>,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'p>> {
    // At the top a viewer hides tracks without any below them: a single one is below the device's then.
    let named = drawn.scene.groups.iter().filter(|group| matches!(group.owner, Owner::Named(_)));
    let device = match drawn.root {
        Root::Alone | Root::Top if drawn.detail.repeats() => None,
        Root::Top if named.count() > 1 => None,
        _ => Some(tracks.define(name, Kind { ranks_children: true, ..place })),
    };
    let pause = LatePause::find(drawn.profile);
    let shared = SharedBySlices::new(
        drawn.profile,
        &drawn.analysis.table.kinds,
        drawn.units(),
        drawn.detail,
    );
    let mut build =
        Build { drawn, tracks, device, lead: device, pause, shared, sources: Vec::new() };
    if let Some(device) = device.filter(|_| drawn.root != Root::Alone) {
        let groups = &drawn.scene.groups;
        let slices = overview::of_device(drawn.profile, groups, drawn.layers, drawn.cut);
        let sequence = build.tracks.sequence_of(device);
        build.slice_lane(Cow::Owned(slices), 0, sequence, KernelFlows::default());
    }
    let mut cdma = None;
    for (at, group) in (0..).zip(&drawn.scene.groups) {
        match &group.owner {
            Owner::Core(number) => build.core(*number, group),
            Owner::Port(number) => {
                let cdma = *cdma.get_or_insert_with(|| build.ports());
                build.port(*number, group, cdma);
            }
            // bigTpuProfile has no such tracks.
            Owner::Named(_) if drawn.detail.repeats() => {}
            Owner::Named(name) => build.named(name, group, at),
        }
    }
    if !drawn.detail.repeats() {
        build.pause();
    }
    build.sources
}

struct Build<'p, 'd, 't> {
    drawn: Drawn<'p, 'd>,
    tracks: &'t mut Tracks,
    /// The device's own track, if it has one.
    device: Option<u64>,
    /// What tracks of the whole device are below: the device's track, or the first of them.
    lead: Option<u64>,
    pause: Option<LatePause>,
    shared: SharedBySlices,
    sources: Vec<Box<dyn Source + 'p>>,
}

impl<'p, 'd> Build<'p, 'd, '_> {
    /// A track of the device.
    fn device_track(&self, rank: i32) -> Kind<'static> {
        Kind { parent: self.device, rank: Some(rank), ..Kind::default() }
    }

    /// The parts of slices that are drawn.
    fn cut(&self, slices: Vec<Slice>) -> Vec<Slice> {
        self.drawn.cut.map_or_else(|| slices.clone(), |cut| cut.clipped(&slices))
    }

    /// A curve's steps that are drawn: behind a stretch it is at 0, and a light trace has means.
    fn steps<const N: usize>(
        &self,
        steps: impl Iterator<Item = (i64, [f64; N])> + Send + 'p,
    ) -> Box<dyn Iterator<Item = (i64, [f64; N])> + Send + 'p> {
        let Drawn { profile, cut, detail, flows, .. } = self.drawn;
        match (cut, detail.is_full()) {
            (None, true) => Box::new(steps),
            (Some(cut), true) => Box::new(cut.steps(steps, [0.0; N])),
            (None, false) => {
                let (begin, end) = (flows.origin, profile.latest_end);
                Box::new(Windows::new(steps, (end - begin) / TraceDetail::WINDOWS, end))
            }
            (Some(cut), false) => {
                let ((begin, end), steps) = (cut.whole(), cut.steps(steps, [0.0; N]));
                Box::new(Windows::new(steps, (end - begin) / TraceDetail::WINDOWS, end))
            }
        }
    }

    /// A counter's samples that are drawn: behind a stretch the counter is at 0, and a light trace has means.
    fn samples(
        &self,
        samples: impl Iterator<Item = Sample> + Send + 'p,
    ) -> Box<dyn Iterator<Item = Sample> + Send + 'p> {
        if self.drawn.cut.is_none() && self.drawn.detail.is_full() {
            return Box::new(samples);
        }
        let steps = self.steps(samples.map(|sample| (sample.time, [sample.value])));
        Box::new(steps.map(|(time, [value])| Sample { time, value }))
    }
    /// A track above all cores and ports; `at`: its place in the scene.
    fn named(&mut self, name: &str, group: &'p Group, at: i32) {
        // The scene has the cores and ports first.
        let cores = self.drawn.profile.cores.len() as i32;
        let rank = NAMED + (at - cores).clamp(0, PAUSE - 1);
        let kind = Kind { parent: self.lead, ..self.device_track(rank) };
        let is_lead = self.lead.is_none();
        let kind = Kind { ranks_children: is_lead, ..kind };
        for track in &group.tracks {
            let first = match &track.content {
                Content::Slices(slices) => Some(self.slices(name, slices, kind)),
                Content::CriticalPath => self.path(name, kind),
                Content::Commands(_)
                | Content::Rate
                | Content::Bandwidth
                | Content::Samples { .. } => None,
            };
            if is_lead {
                self.lead = first;
            }
        }
    }

    /// The path's times count from the first event.
    fn path(&mut self, name: &str, kind: Kind<'_>) -> Option<u64> {
        let Drawn { profile, analysis, offset, flows, .. } = self.drawn;
        let path = analysis.critical_path(profile)?;
        let track = self.tracks.define(name, kind);
        let segments = path.segments();
        let cut = self.drawn.cut;
        let units = self.drawn.units();
        let turns = turns_of_engines(profile, self.drawn.detail);
        let of = PathOf { profile, segments, units, flows, offset, cut, turns };
        self.sources.push(Box::new(PathSource::new(of, self.tracks.sequence_of(track))));
        Some(track)
    }

    /// The mark of a pause behind the model.
    fn pause(&mut self) {
        let is_drawn = |pause: &LatePause| {
            self.drawn.cut.is_none_or(|cut| cut.holds(pause.start, pause.start + pause.drawn()))
        };
        if let Some(pause) = self.pause.filter(is_drawn) {
            let sequence = self
                .tracks
                .sequence("Pause", Kind { parent: self.lead, ..self.device_track(PAUSE) });
            let offset = self.drawn.offset;
            self.sources.push(Box::new(PauseSource { pause, offset, is_done: false, sequence }));
        }
    }

    /// The track of the first lane.
    fn slices(&mut self, name: &str, slices: &'p Slices, kind: Kind<'_>) -> u64 {
        let first = self.tracks.define(name, kind);
        for lane in 0..slices.lane_count() {
            let sequence = match lane {
                0 => self.tracks.sequence_of(first),
                _ => self.tracks.lane(name, lane, kind),
            };
            self.slice_lane(Cow::Borrowed(slices), lane, sequence, KernelFlows::default());
        }
        first
    }

    fn slice_lane(
        &mut self,
        slices: Cow<'p, Slices>,
        lane: usize,
        sequence: Sequence,
        launches: KernelFlows,
    ) {
        let (offset, units) = (self.drawn.offset, self.drawn.units());
        self.sources.push(Box::new(SceneSource {
            offset,
            units,
            slices,
            lane,
            at: 0,
            launches,
            sequence,
        }));
    }
}
