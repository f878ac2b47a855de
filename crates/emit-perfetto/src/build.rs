//! The device's tracks: where those of a scene are in a trace, and what writes them.

use bigtpu_answers::Analysis;
use bigtpu_chip::{Engine, PortDirection};
use bigtpu_layers::Layers;
use bigtpu_measure::Bandwidth;
use bigtpu_scene::{Commands, Content, Group, Owner, Rate, Role, Scene, Slices, port_bandwidth};
use bigtpu_timeline::{EngineId, Profile, Track};

use crate::device::{Encoded, SliceSource};
use crate::flows::Flows;
use crate::runtime::RuntimeSource;
use crate::sequence::Sequence;
use crate::source::{BandwidthSource, EncodedPath, PathSource, SampleSource, SceneSource, Source};
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
    pub(super) const TX: i32 = 0;
    pub(super) const RX: i32 = 1;
    pub(super) const PORT_BANDWIDTH: i32 = 2;
    // Of the roots: the host, then devices, or the cores and ports of the only one.
    pub(crate) const CPU: i32 = 0;
    pub(crate) const TPU: i32 = 1;
    pub(crate) const FIRST_DEVICE: i32 = 2;
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
}

/// Defines the device's tracks and makes their sources.
pub(crate) fn device_sources<'p>(
    drawn: Drawn<'p, '_>,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'p>> {
    let mut build = Build { drawn, tracks, sources: Vec::new() };
    let mut cdma = None;
    for group in &drawn.scene.groups {
        match &group.owner {
            Owner::Core(number) => build.core(*number, group),
            Owner::Port(number) => {
                let cdma = *cdma.get_or_insert_with(|| build.ports());
                build.port(*number, group, cdma);
            }
            Owner::Named(name) => build.named(name, group),
        }
    }
    build.sources
}

struct Build<'p, 'd, 't> {
    drawn: Drawn<'p, 'd>,
    tracks: &'t mut Tracks,
    sources: Vec<Box<dyn Source + 'p>>,
}

impl<'p, 'd> Build<'p, 'd, '_> {
    /// The track of all ports.
    fn ports(&mut self) -> u64 {
        let rank = rank::FIRST_DEVICE + self.drawn.profile.cores.len() as i32;
        let kind = Kind { rank: Some(rank), ranks_children: true, ..Kind::default() };
        self.tracks.define("CDMA", kind)
    }

    /// A track below all cores and ports.
    fn named(&mut self, name: &str, group: &'p Group) {
        let rank = rank::FIRST_DEVICE + self.drawn.profile.cores.len() as i32 + 1;
        let kind = Kind { rank: Some(rank), ..Kind::default() };
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
        let Drawn { profile, analysis, offset, .. } = self.drawn;
        let Some(path) = &analysis.critical_path else { return };
        let origin = profile.tracks().flat_map(|track| &track.events.start).min();
        let offset = offset.saturating_add(origin.copied().unwrap_or(0));
        let sequence = self.tracks.lane(name, 0, kind);
        let (segments, kernels) = (path.segments(), &profile.kernels);
        let encoded = EncodedPath::new();
        self.sources.push(Box::new(PathSource { offset, segments, kernels, encoded, sequence }));
    }

    fn core(&mut self, number: u32, group: &'p Group) {
        let profile = self.drawn.profile;
        let Some(core) = profile.cores.get(number as usize) else { return };
        let rank = rank::FIRST_DEVICE + number as i32;
        let kind = Kind { rank: Some(rank), ranks_children: true, ..Kind::default() };
        let root = self.tracks.define(&format!("Core {number}"), kind);
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let [tiu, gdma, sdma] = &core.tracks;
        for track in &group.tracks {
            match (&track.role, &track.content) {
                (Role::Kernels, Content::Slices(slices)) => {
                    self.slices("Kernel Function", slices, under(rank::KERNEL));
                }
                (Role::Layers, Content::Slices(slices)) if !slices.all().is_empty() => {
                    self.slices("Layer", slices, under(rank::LAYER));
                }
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

    /// The runtime's own work around a static model, engine by engine.
    fn runtime(&mut self, core: u32, kind: Kind<'_>) {
        let (profile, offset) = (self.drawn.profile, self.drawn.offset);
        for engine in Engine::ALL {
            let place = EngineId { index: core, engine };
            let events: Vec<_> = profile.runtime.iter().filter(|e| e.engine_id == place).collect();
            if !events.is_empty() {
                let sequence = self.tracks.sequence(&format!("Runtime {}", engine.name()), kind);
                self.sources.push(Box::new(RuntimeSource { events, offset, at: 0, sequence }));
            }
        }
    }

    /// A port sends and receives at the same time: each direction has a track of its own.
    fn port(&mut self, number: u32, group: &'p Group, cdma: u64) {
        let found = self.drawn.profile.ports.iter().find(|port| port.engine_id.index == number);
        let Some(port) = found else { return };
        let name = format!("CDMA port{number}");
        // A port's kernels are above it.
        let above = 2 * number as i32;
        let kernel_kind = Kind { parent: Some(cdma), rank: Some(above), ..Kind::default() };
        let kind = Kind { rank: Some(above + 1), ..kernel_kind };
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
            self.sources.push(Box::new(SampleSource { samples, offset, sequence }));
        }
        let kernels = group.tracks.iter().find(|track| track.role == Role::Kernels);
        if let Some(Content::Slices(slices)) = kernels.map(|track| &track.content) {
            self.slices(&format!("{name} Kernel Function"), slices, kernel_kind);
        }
        // Slices that go neither way are on the port's own track.
        for (lane, rows) in
            side(PortDirection::Neither).into_iter().flat_map(Commands::lanes).enumerate()
        {
            let sequence = match lane {
                0 => Sequence::new(root, root),
                _ => self.tracks.lane(&name, lane, kind),
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
            sequence,
            encoded: Encoded::new(),
        }));
    }

    fn rate(&mut self, name: &str, track: &'p Track<'d>, kind: Kind<'_>, unit: &str) {
        let sequence = self.tracks.sequence(name, Kind { counter: Some(unit), ..kind });
        let Drawn { profile, analysis, offset, .. } = self.drawn;
        if let Some(commands) = analysis.table.commands(profile, track) {
            let samples = Rate::of(commands);
            self.sources.push(Box::new(SampleSource { samples, offset, sequence }));
        }
    }

    fn slices(&mut self, name: &str, slices: &'p Slices, kind: Kind<'_>) {
        for lane in 0..slices.lane_count() {
            let sequence = self.tracks.lane(name, lane, kind);
            let offset = self.drawn.offset;
            self.sources.push(Box::new(SceneSource { offset, slices, lane, at: 0, sequence }));
        }
    }
}
