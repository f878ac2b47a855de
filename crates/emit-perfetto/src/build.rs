//! The device's tracks: where those of a scene are in a trace, and what writes them.

use std::borrow::Cow;

use bigtpu_answers::Analysis;
use bigtpu_chip::{Chip, Engine, PortDirection};
use bigtpu_measure::Bandwidth;
use bigtpu_measure::layers::Layers;
use bigtpu_scene::{
    Commands, Content, Cut, Group, Owner, Rate, Role, Sample, Scene, Slice, Slices, port_bandwidth,
};
use bigtpu_timeline::{Core, EngineId, Profile, Track};

use crate::detail::TraceDetail;
use crate::device::{RateOfSlices, SliceSource, stamps};
use crate::flows::{Flows, origin};
use crate::launches::{KernelFlows, LaunchFlow};
use crate::overview;
use crate::runtime::{LatePause, PauseSource, RuntimeSource};
use crate::sequence::Sequence;
use crate::slice_texts::Texts;
use crate::source::{
    BandwidthSource, PathSource, PathTexts, SampleSource, SceneSource, Source, Thinned,
};
use crate::stamp::Stamps;
use crate::tracks::{Kind, Tracks};
use crate::windows::Windows;

/// Ranks among siblings: a viewer shows the smallest first.
pub(crate) mod rank {
    // Of a core's tracks: what ran, then the engines, each above its counter.
    pub(super) const KERNEL: i32 = 0;
    pub(super) const LAYER: i32 = 1;
    pub(super) const TIU: i32 = 2;
    pub(super) const TIU_RATE: i32 = 3;
    pub(super) const GDMA: i32 = 4;
    pub(super) const GDMA_BANDWIDTH: i32 = 5;
    pub(super) const SDMA: i32 = 6;
    pub(super) const DDR_BANDWIDTH: i32 = 7;
    pub(super) const L2_BANDWIDTH: i32 = 8;
    pub(super) const RUNTIME: i32 = 9;
    // Of a port's tracks.
    pub(super) const PORT_KERNEL: i32 = 0;
    pub(super) const TX: i32 = 1;
    pub(super) const RX: i32 = 2;
    pub(super) const PORT_BANDWIDTH: i32 = 3;
    pub(super) const PORT_LANE: i32 = 4;
    pub(super) const PORT_PHASES: i32 = 5;
    // Of a device's tracks: what holds for all of it, then its cores, then its ports.
    pub(super) const NAMED: i32 = 0;
    pub(super) const PAUSE: i32 = 9;
    pub(super) const FIRST_CORE: i32 = 10;
}

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
}

/// Names of a chip, such as `AKS (SG2260, BM1690)`.
pub(crate) fn chip_title(chip: &Chip) -> String {
    let aliases: Vec<&str> = chip.aliases.iter().rev().copied().collect();
    if aliases.is_empty() {
        return chip.name.to_owned();
    }
    format!("{} ({})", chip.name, aliases.join(", "))
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
        Root::Top if named.count() > 1 => None,
        _ => Some(tracks.define(name, Kind { ranks_children: true, ..place })),
    };
    let pause = LatePause::of(drawn.profile);
    let mut build = Build { drawn, tracks, device, lead: device, pause, sources: Vec::new() };
    if let Some(device) = device.filter(|_| drawn.root != Root::Alone) {
        let groups = &drawn.scene.groups;
        let slices = overview::of_device(drawn.profile, groups, drawn.layers, drawn.cut);
        let sequence = build.tracks.on(device);
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
            Owner::Named(name) => build.named(name, group, at),
        }
    }
    build.pause();
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
    sources: Vec<Box<dyn Source + 'p>>,
}

impl<'p, 'd> Build<'p, 'd, '_> {
    /// A track of the device.
    fn below(&self, rank: i32) -> Kind<'static> {
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
        let Drawn { profile, cut, detail, .. } = self.drawn;
        match (cut, detail.is_full()) {
            (None, true) => Box::new(steps),
            (Some(cut), true) => Box::new(cut.steps(steps, [0.0; N])),
            (None, false) => {
                let (begin, end) = (origin(profile), profile.latest_end);
                Box::new(Windows::new(steps, (end - begin) / TraceDetail::WINDOWS, end))
            }
            (Some(cut), false) => {
                let ((begin, end), steps) = (cut.whole(), cut.steps(steps, [0.0; N]));
                Box::new(Windows::new(steps, (end - begin) / TraceDetail::WINDOWS, end))
            }
        }
    }

    /// The same of a counter.
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

    /// The track of all ports.
    fn ports(&mut self) -> u64 {
        let profile = self.drawn.profile;
        let rank = rank::FIRST_CORE + profile.cores.len() as i32;
        let cdma = self.tracks.define("CDMA", Kind { ranks_children: true, ..self.below(rank) });
        let busy = self.cut(overview::busy(profile, &mut profile.ports.iter()));
        let sequence = self.tracks.on(cdma);
        self.slice_lane(Cow::Owned(Slices::new(busy)), 0, sequence, KernelFlows::default());
        cdma
    }

    /// A track above all cores and ports; `at`: its place in the scene.
    fn named(&mut self, name: &str, group: &'p Group, at: i32) {
        // The scene has the cores and ports first.
        let cores = self.drawn.profile.cores.len() as i32;
        let rank = rank::NAMED + (at - cores).clamp(0, rank::PAUSE - 1);
        let kind = Kind { parent: self.lead, ..self.below(rank) };
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
        let path = analysis.critical_path.as_ref()?;
        let track = self.tracks.define(name, kind);
        self.sources.push(Box::new(PathSource {
            origin: origin(profile),
            offset,
            segments: path.segments(),
            at: 0,
            profile,
            flows,
            stamps: Stamps::default(),
            texts: PathTexts::default(),
            sequence: self.tracks.on(track),
            cut: self.drawn.cut,
        }));
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
                .sequence("Pause", Kind { parent: self.lead, ..self.below(rank::PAUSE) });
            let offset = self.drawn.offset;
            self.sources.push(Box::new(PauseSource { pause, offset, is_done: false, sequence }));
        }
    }

    fn core(&mut self, number: u32, group: &'p Group) {
        let profile = self.drawn.profile;
        let Some(core) = profile.cores.get(number as usize) else { return };
        let kind = self.below(rank::FIRST_CORE + number as i32);
        let parent = kind.parent.filter(|_| self.drawn.root != Root::Top);
        let kind = Kind { ranks_children: true, parent, ..kind };
        let own = self.tracks.define(&format!("Core {number}"), kind);
        let under = |rank| Kind { parent: Some(own), rank: Some(rank), ..Kind::default() };
        self.what_ran((own, number), core, group);
        let [tiu, gdma, sdma] = &core.tracks;
        for track in &group.tracks {
            match (&track.role, &track.content) {
                (Role::Engine(engine), Content::Commands(commands)) => {
                    let (events, rank) = match engine {
                        Engine::Tiu => (tiu, rank::TIU),
                        Engine::Gdma => (gdma, rank::GDMA),
                        Engine::Sdma | Engine::Cdma => (sdma, rank::SDMA),
                    };
                    let rate = match engine {
                        Engine::Tiu => ("TIU Utilization", "%", rank::TIU_RATE),
                        _ => ("GDMA Bandwidth", "GB/s", rank::GDMA_BANDWIDTH),
                    };
                    let has_rate = group.tracks.iter().any(|t| t.role == Role::Rate(*engine));
                    let rate = Some(rate).filter(|_| has_rate);
                    let rate = rate.map(|(name, unit, rank)| {
                        (name, Kind { counter: Some(unit), ..under(rank) })
                    });
                    self.engine(events, commands, under(rank), rate);
                }
                (Role::Bandwidth, Content::Bandwidth) => {
                    let counter = |rank| Kind { counter: Some("GB/s"), ..under(rank) };
                    let ddr = self.tracks.sequence("DDR Bandwidth", counter(rank::DDR_BANDWIDTH));
                    let l2 = self.tracks.sequence("L2M Bandwidth", counter(rank::L2_BANDWIDTH));
                    let steps = Bandwidth::of(profile, &self.drawn.analysis.table, core);
                    let steps = steps.map(|step| (step.time, [step.ddr_gbps, step.l2_gbps]));
                    let steps = self.steps(steps);
                    let offset = self.drawn.offset;
                    let source = BandwidthSource { steps, offset, ddr, l2, last: [0.0; 2] };
                    self.sources.push(Box::new(source));
                }
                _ => {}
            }
        }
        self.runtime(number, under(rank::RUNTIME));
    }

    /// Layers of a static model or else kernels on the core's own track, so that they are seen while it is folded. What
    /// overlaps them is on tracks below it; kernels are, too, where there are layers.
    fn what_ran(&mut self, (own, number): (u64, u32), core: &'p Core<'d>, group: &'p Group) {
        let Drawn { launches, profile, .. } = self.drawn;
        let ends = KernelFlows::of(launches, number, profile);
        let of = |role: &Role| {
            group.tracks.iter().find_map(|track| match &track.content {
                Content::Slices(slices) if track.role == *role && !slices.all().is_empty() => {
                    Some(slices)
                }
                _ => None,
            })
        };
        let (kernels, layers) = (of(&Role::Kernels), of(&Role::Layers));
        let under = |rank| Kind { parent: Some(own), rank: Some(rank), ..Kind::default() };
        if let Some(kernels) = kernels.filter(|_| layers.is_some()) {
            for lane in 0..kernels.lane_count() {
                let sequence = self.tracks.lane("Kernel Function", lane, under(rank::KERNEL));
                self.slice_lane(Cow::Borrowed(kernels), lane, sequence, ends.clone());
            }
        }
        let (slices, name, kind) = match (layers, kernels) {
            (Some(layers), _) => (Cow::Borrowed(layers), "Layer", under(rank::LAYER)),
            (None, Some(kernels)) => {
                (Cow::Borrowed(kernels), "Kernel Function", under(rank::KERNEL))
            }
            (None, None) => {
                let busy = overview::busy(self.drawn.profile, &mut core.tracks.iter());
                let busy = self.cut(busy);
                (Cow::Owned(Slices::new(busy)), "", Kind::default())
            }
        };
        for lane in 0..slices.lane_count() {
            let sequence = match lane {
                0 => self.tracks.on(own),
                _ => self.tracks.lane(name, lane, kind),
            };
            self.slice_lane(slices.clone(), lane, sequence, ends.clone());
        }
    }

    /// The runtime's own work around a static model, engine by engine.
    fn runtime(&mut self, core: u32, kind: Kind<'_>) {
        let (profile, offset, pause) = (self.drawn.profile, self.drawn.offset, self.pause);
        for engine in Engine::ALL {
            let place = EngineId { index: core, engine };
            let events = profile.runtime.iter().filter(|event| {
                let is_drawn = |cut: &Cut| cut.holds(event.start, event.end);
                event.engine_id == place && self.drawn.cut.is_none_or(is_drawn)
            });
            let events: Vec<_> = events.collect();
            if !events.is_empty() {
                let sequence = self.tracks.sequence(&format!("Runtime {}", engine.name()), kind);
                self.sources.push(Box::new(RuntimeSource {
                    events,
                    offset,
                    pause,
                    at: 0,
                    sequence,
                }));
            }
        }
    }

    /// A port sends and receives at the same time: each direction has a track of its own.
    fn port(&mut self, number: u32, group: &'p Group, cdma: u64) {
        let found = self.drawn.profile.ports.iter().find(|port| port.engine_id.index == number);
        let Some(port) = found else { return };
        let name = format!("CDMA port{number}");
        let kind = Kind { parent: Some(cdma), rank: Some(number as i32), ..Kind::default() };
        let root = self.tracks.define(&name, Kind { ranks_children: true, ..kind });
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let side = |direction| {
            group.tracks.iter().find_map(|track| match &track.content {
                Content::Commands(rows) if track.role == Role::Side(direction) => Some(rows),
                _ => None,
            })
        };
        if let Some(rows) = side(PortDirection::Transmit) {
            self.commands(&format!("{name} TX"), port, rows, under(rank::TX));
        }
        if let Some(rows) = side(PortDirection::Receive) {
            self.commands(&format!("{name} RX"), port, rows, under(rank::RX));
        }
        if group.tracks.iter().any(|track| track.role == Role::Bandwidth) {
            let counter = Kind { counter: Some("GB/s"), ..under(rank::PORT_BANDWIDTH) };
            let sequence = self.tracks.sequence(&format!("{name} Bandwidth"), counter);
            let Drawn { profile, analysis, offset, .. } = self.drawn;
            let steps = port_bandwidth(Bandwidth::of_port(profile, &analysis.table, port));
            let samples = self.samples(steps);
            self.sources.push(Box::new(SampleSource {
                samples,
                offset,
                sequence,
                thinned: Thinned::default(),
            }));
        }
        let kernels = group.tracks.iter().find(|track| track.role == Role::Kernels);
        if let Some(Content::Slices(slices)) = kernels.map(|track| &track.content) {
            let kind = under(rank::PORT_KERNEL);
            self.slices(&format!("{name} Kernel Function"), slices, kind);
        }
        // Slices that go neither way are on the port's own track.
        for (lane, rows) in
            side(PortDirection::Neither).into_iter().flat_map(Commands::lanes).enumerate()
        {
            let sequence = match lane {
                0 => self.tracks.on(root),
                _ => self.tracks.lane(&name, lane, under(rank::PORT_LANE)),
            };
            self.lane(port, rows, sequence, None);
        }
        for track in &group.tracks {
            if let (Role::Phases(direction), Content::Slices(slices)) =
                (&track.role, &track.content)
            {
                let side = if *direction == PortDirection::Transmit { "TX" } else { "RX" };
                self.slices(&format!("{name} {side} phases"), slices, under(rank::PORT_PHASES));
            }
        }
    }

    /// An engine's commands, and how busy it is. Where all values are shown and no command overlaps another, the values of this
    /// counter come with the slices.
    fn engine(
        &mut self,
        track: &'p Track<'d>,
        commands: &'p Commands,
        kind: Kind<'_>,
        rate: Option<(&str, Kind<'_>)>,
    ) {
        let name = track.engine_id.engine.name();
        let Drawn { cut, detail, .. } = self.drawn;
        let comes_along = commands.are_serial() && cut.is_none() && detail.is_full();
        match rate {
            Some((rate, kind_of_rate)) if comes_along => {
                let sequence = self.tracks.sequence(name, kind);
                let counter = self.tracks.define(rate, kind_of_rate);
                let rate = Some(RateOfSlices::default());
                self.lane(track, None, sequence.with_counter(counter), rate);
            }
            _ => {
                self.commands(name, track, commands, kind);
                rate.into_iter().for_each(|(name, kind)| self.rate(name, track, kind));
            }
        }
    }

    fn commands(
        &mut self,
        name: &str,
        track: &'p Track<'d>,
        commands: &'p Commands,
        kind: Kind<'_>,
    ) {
        for (lane, rows) in commands.lanes().enumerate() {
            let sequence = self.tracks.lane(name, lane, kind);
            self.lane(track, rows, sequence, None);
        }
    }

    fn lane(
        &mut self,
        track: &'p Track<'d>,
        rows: Option<&'p [u32]>,
        sequence: Sequence,
        rate: Option<RateOfSlices>,
    ) {
        let Drawn { profile, analysis, layers, offset, flows, detail, .. } = self.drawn;
        let Some(commands) = analysis.table.commands(profile, track) else { return };
        self.sources.push(Box::new(SliceSource {
            commands,
            offset,
            rows,
            at: 0,
            flows: flows.on(track.engine_id),
            causes: analysis.event_causes.as_ref().and_then(|all| all.of_engine(track.engine_id)),
            layers,
            detail,
            stamps: stamps(&commands, offset - sequence.zero()),
            sequence,
            texts: Texts::default(),
            rate,
        }));
    }

    fn rate(&mut self, name: &str, track: &'p Track<'d>, kind: Kind<'_>) {
        let sequence = self.tracks.sequence(name, kind);
        let Drawn { profile, analysis, offset, .. } = self.drawn;
        if let Some(commands) = analysis.table.commands(profile, track) {
            let samples = self.samples(Rate::of(commands));
            self.sources.push(Box::new(SampleSource {
                samples,
                offset,
                sequence,
                thinned: Thinned::default(),
            }));
        }
    }

    /// The track of the first lane.
    fn slices(&mut self, name: &str, slices: &'p Slices, kind: Kind<'_>) -> u64 {
        let first = self.tracks.define(name, kind);
        for lane in 0..slices.lane_count() {
            let sequence = match lane {
                0 => self.tracks.on(first),
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
        let Drawn { offset, layers, .. } = self.drawn;
        self.sources.push(Box::new(SceneSource {
            offset,
            layers,
            slices,
            lane,
            at: 0,
            launches,
            sequence,
        }));
    }
}
