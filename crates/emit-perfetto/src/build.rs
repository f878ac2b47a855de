//! The device's tracks: where those of a scene are in a trace, and what writes them.

use std::borrow::Cow;

use bigtpu_answers::Analysis;
use bigtpu_chip::{Chip, Engine, PortDirection};
use bigtpu_layers::Layers;
use bigtpu_measure::Bandwidth;
use bigtpu_scene::{Commands, Content, Group, Owner, Rate, Role, Scene, Slices, port_bandwidth};
use bigtpu_timeline::{Core, EngineId, Profile, Track};

use crate::device::{SliceSource, stamps};
use crate::flows::{Flows, origin};
use crate::overview;
use crate::runtime::{LatePause, PauseSource, RuntimeSource};
use crate::sequence::Sequence;
use crate::slice_texts::Texts;
use crate::source::{
    BandwidthSource, PathSource, PathTexts, SampleSource, SceneSource, Source, Thinned,
};
use crate::stamp::Stamps;
use crate::tracks::{Kind, Tracks};

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
    // Of a device's tracks: what holds for all of it, then its cores, then its ports.
    pub(super) const NAMED: i32 = 0;
    pub(super) const PAUSE: i32 = 9;
    pub(super) const FIRST_CORE: i32 = 10;
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
    /// Other roots are next to it or its root's, so that viewers show it folded.
    pub(crate) is_folded: bool,
}

/// Names of a chip, such as `AKS (SG2260, BM1690)`.
pub(crate) fn chip_title(chip: &Chip) -> String {
    let aliases: Vec<&str> = chip.aliases.iter().rev().copied().collect();
    if aliases.is_empty() {
        return chip.name.to_owned();
    }
    format!("{} ({})", chip.name, aliases.join(", "))
}

/// Defines the device's tracks, all under one of its own, and makes their sources.
pub(crate) fn device_sources<'p>(
    name: &str,
    place: Kind<'_>,
    drawn: Drawn<'p, '_>,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'p>> {
    let device = tracks.define(name, Kind { ranks_children: true, ..place });
    let pause = LatePause::of(drawn.profile);
    let mut build = Build { drawn, tracks, device, pause, sources: Vec::new() };
    if drawn.is_folded {
        let slices = overview::of_device(drawn.profile, &drawn.scene.groups);
        let sequence = build.tracks.on(device);
        build.slice_lane(Cow::Owned(slices), 0, sequence);
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
    /// The device's own track.
    device: u64,
    pause: Option<LatePause>,
    sources: Vec<Box<dyn Source + 'p>>,
}

impl<'p, 'd> Build<'p, 'd, '_> {
    /// A track of the device.
    fn below(&self, rank: i32) -> Kind<'static> {
        Kind { parent: Some(self.device), rank: Some(rank), ..Kind::default() }
    }

    /// The track of all ports.
    fn ports(&mut self) -> u64 {
        let profile = self.drawn.profile;
        let rank = rank::FIRST_CORE + profile.cores.len() as i32;
        let cdma = self.tracks.define("CDMA", Kind { ranks_children: true, ..self.below(rank) });
        let busy = overview::busy(profile, &mut profile.ports.iter());
        let sequence = self.tracks.on(cdma);
        self.slice_lane(Cow::Owned(Slices::new(busy)), 0, sequence);
        cdma
    }

    /// A track above all cores and ports; `at`: its place in the scene.
    fn named(&mut self, name: &str, group: &'p Group, at: i32) {
        // The scene has the cores and ports first.
        let cores = self.drawn.profile.cores.len() as i32;
        let rank = rank::NAMED + (at - cores).clamp(0, rank::PAUSE - 1);
        let kind = self.below(rank);
        for track in &group.tracks {
            match &track.content {
                Content::Slices(slices) => self.slices(name, slices, kind),
                Content::CriticalPath => self.path(name, kind),
                Content::Commands(_)
                | Content::Rate
                | Content::Bandwidth
                | Content::Samples { .. } => {}
            }
        }
    }

    /// The path's times count from the first event.
    fn path(&mut self, name: &str, kind: Kind<'_>) {
        let Drawn { profile, analysis, offset, flows, .. } = self.drawn;
        let Some(path) = &analysis.critical_path else { return };
        self.sources.push(Box::new(PathSource {
            origin: origin(profile),
            offset,
            segments: path.segments(),
            at: 0,
            profile,
            flows,
            stamps: Stamps::default(),
            texts: PathTexts::default(),
            sequence: self.tracks.lane(name, 0, kind),
        }));
    }

    /// The mark of a pause behind the model.
    fn pause(&mut self) {
        if let Some(pause) = self.pause {
            let sequence = self.tracks.sequence("Pause", self.below(rank::PAUSE));
            let offset = self.drawn.offset;
            self.sources.push(Box::new(PauseSource { pause, offset, is_done: false, sequence }));
        }
    }

    fn core(&mut self, number: u32, group: &'p Group) {
        let profile = self.drawn.profile;
        let Some(core) = profile.cores.get(number as usize) else { return };
        let kind = self.below(rank::FIRST_CORE + number as i32);
        let kind = Kind { ranks_children: true, ..kind };
        let own = self.tracks.define(&format!("Core {number}"), kind);
        let under = |rank| Kind { parent: Some(own), rank: Some(rank), ..Kind::default() };
        self.what_ran(own, core, group);
        let [tiu, gdma, sdma] = &core.tracks;
        for track in &group.tracks {
            match (&track.role, &track.content) {
                (Role::Engine(engine), Content::Commands(commands)) => {
                    let (events, rank) = match engine {
                        Engine::Tiu => (tiu, rank::TIU),
                        Engine::Gdma => (gdma, rank::GDMA),
                        Engine::Sdma | Engine::Cdma => (sdma, rank::SDMA),
                    };
                    self.commands(engine.name(), events, commands, under(rank));
                }
                (Role::Rate(Engine::Tiu), Content::Rate) => {
                    self.rate("TIU Utilization", tiu, under(rank::TIU_RATE), "%");
                }
                (Role::Rate(_), Content::Rate) => {
                    self.rate("GDMA Bandwidth", gdma, under(rank::GDMA_BANDWIDTH), "GB/s");
                }
                (Role::Bandwidth, Content::Bandwidth) => {
                    let counter = |rank| Kind { counter: Some("GB/s"), ..under(rank) };
                    let ddr = self.tracks.sequence("DDR Bandwidth", counter(rank::DDR_BANDWIDTH));
                    let l2 = self.tracks.sequence("L2M Bandwidth", counter(rank::L2_BANDWIDTH));
                    let steps = Bandwidth::of(profile, &self.drawn.analysis.table, core);
                    let offset = self.drawn.offset;
                    let source = BandwidthSource { steps, offset, ddr, l2, last: (0.0, 0.0) };
                    self.sources.push(Box::new(source));
                }
                _ => {}
            }
        }
        self.runtime(number, under(rank::RUNTIME));
    }

    /// Layers of a static model or else kernels on the core's own track, so that they are seen while it is folded. What
    /// overlaps them is on tracks below it; kernels are, too, where there are layers.
    fn what_ran(&mut self, own: u64, core: &'p Core<'d>, group: &'p Group) {
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
            self.slices("Kernel Function", kernels, under(rank::KERNEL));
        }
        let (slices, name, kind) = match (layers, kernels) {
            (Some(layers), _) => (Cow::Borrowed(layers), "Layer", under(rank::LAYER)),
            (None, Some(kernels)) => {
                (Cow::Borrowed(kernels), "Kernel Function", under(rank::KERNEL))
            }
            (None, None) => {
                let busy = overview::busy(self.drawn.profile, &mut core.tracks.iter());
                (Cow::Owned(Slices::new(busy)), "", Kind::default())
            }
        };
        for lane in 0..slices.lane_count() {
            let sequence = match lane {
                0 => self.tracks.on(own),
                _ => self.tracks.lane(name, lane, kind),
            };
            self.slice_lane(slices.clone(), lane, sequence);
        }
    }

    /// The runtime's own work around a static model, engine by engine.
    fn runtime(&mut self, core: u32, kind: Kind<'_>) {
        let (profile, offset, pause) = (self.drawn.profile, self.drawn.offset, self.pause);
        for engine in Engine::ALL {
            let place = EngineId { index: core, engine };
            let events: Vec<_> = profile.runtime.iter().filter(|e| e.engine_id == place).collect();
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
            let samples = port_bandwidth(Bandwidth::of_port(profile, &analysis.table, port));
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
            self.lane(port, rows, sequence);
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
            self.lane(track, rows, sequence);
        }
    }

    fn lane(&mut self, track: &'p Track<'d>, rows: Option<&'p [u32]>, sequence: Sequence) {
        let Drawn { profile, analysis, layers, offset, flows, .. } = self.drawn;
        let Some(commands) = analysis.table.commands(profile, track) else { return };
        self.sources.push(Box::new(SliceSource {
            commands,
            offset,
            rows,
            at: 0,
            flows: flows.on(track.engine_id),
            causes: analysis.event_causes.as_ref().and_then(|all| all.of_engine(track.engine_id)),
            layers,
            stamps: stamps(&commands, offset - sequence.zero()),
            sequence,
            texts: Texts::default(),
        }));
    }

    fn rate(&mut self, name: &str, track: &'p Track<'d>, kind: Kind<'_>, unit: &str) {
        let sequence = self.tracks.sequence(name, Kind { counter: Some(unit), ..kind });
        let Drawn { profile, analysis, offset, .. } = self.drawn;
        if let Some(commands) = analysis.table.commands(profile, track) {
            let samples = Rate::of(commands);
            self.sources.push(Box::new(SampleSource {
                samples,
                offset,
                sequence,
                thinned: Thinned::default(),
            }));
        }
    }

    fn slices(&mut self, name: &str, slices: &'p Slices, kind: Kind<'_>) {
        for lane in 0..slices.lane_count() {
            let sequence = self.tracks.lane(name, lane, kind);
            self.slice_lane(Cow::Borrowed(slices), lane, sequence);
        }
    }

    fn slice_lane(&mut self, slices: Cow<'p, Slices>, lane: usize, sequence: Sequence) {
        let Drawn { offset, layers, .. } = self.drawn;
        self.sources.push(Box::new(SceneSource { offset, layers, slices, lane, at: 0, sequence }));
    }
}
