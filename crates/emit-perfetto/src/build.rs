//! The device's tracks: which there are, where they stand, and what writes them.

use bigtpu_analysis::{Bandwidth, KernelSlice, Lanes, assign_lanes, dma, kernel_slices};
use bigtpu_chip::Engine;
use bigtpu_layers::{LayerSlice, Layers, layer_slices};
use bigtpu_timeline::{Core, Profile, Track};

use crate::device::{CounterSource, SliceSource};
use crate::flows::Flows;
use crate::sequence::Sequence;
use crate::source::{BandwidthSource, KernelSource, LayerSource, Source};
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
    // Of a port's tracks.
    pub(super) const TX: i32 = 0;
    pub(super) const RX: i32 = 1;
    // Of the roots: the host, then devices, or the cores and ports of the only one.
    pub(crate) const CPU: i32 = 0;
    pub(crate) const TPU: i32 = 1;
    pub(crate) const FIRST_DEVICE: i32 = 2;
}

/// Defines the device's tracks and makes their sources.
pub(crate) fn device_sources<'p, 'd>(
    profile: &'p Profile<'d>,
    layers: Option<&'p Layers>,
    offset: i64,
    flows: &'p Flows,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'p>> {
    let mut build = Build { profile, layers, offset, flows, tracks, sources: Vec::new() };
    for core in 0..profile.cores.len() {
        build.core(core);
    }
    let ports: Vec<&Track<'d>> = profile.ports.iter().filter(|t| !t.events.is_empty()).collect();
    if !ports.is_empty() {
        let rank = rank::FIRST_DEVICE + profile.cores.len() as i32;
        let kind = Kind { rank: Some(rank), ranks_children: true, ..Kind::default() };
        let cdma = build.tracks.define("CDMA", kind);
        for port in ports {
            build.port(port, cdma);
        }
    }
    build.sources
}

struct Build<'p, 'd, 't> {
    profile: &'p Profile<'d>,
    layers: Option<&'p Layers>,
    offset: i64,
    flows: &'p Flows,
    tracks: &'t mut Tracks,
    sources: Vec<Box<dyn Source + 'p>>,
}

impl<'p, 'd> Build<'p, 'd, '_> {
    fn core(&mut self, number: usize) {
        let core = &self.profile.cores[number];
        let rank = rank::FIRST_DEVICE + number as i32;
        let kind = Kind { rank: Some(rank), ranks_children: true, ..Kind::default() };
        let root = self.tracks.define(&format!("Core {number}"), kind);
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let counter = |rank, unit| Kind { counter: Some(unit), ..under(rank) };
        let [tiu, gdma, sdma] = &core.tracks;
        let (profile, offset) = (self.profile, self.offset);
        self.kernels("Kernel Function", &[tiu, gdma, sdma], under(rank::KERNEL));
        self.layers(core, under(rank::LAYER));
        self.slices("TIU", tiu, under(rank::TIU));
        let sequence = self.tracks.sequence("TIU Utilization", counter(rank::TIU_RATE, "%"));
        self.sources.push(Box::new(CounterSource::new(profile, tiu, offset, sequence)));
        self.slices("GDMA", gdma, under(rank::GDMA));
        let sequence =
            self.tracks.sequence("GDMA Bandwidth", counter(rank::GDMA_BANDWIDTH, "GB/s"));
        self.sources.push(Box::new(CounterSource::new(profile, gdma, offset, sequence)));
        if !sdma.events.is_empty() {
            self.slices("SDMA", sdma, under(rank::SDMA));
        }
        if !gdma.events.is_empty() || !sdma.events.is_empty() {
            let ddr = self.tracks.sequence("DDR Bandwidth", counter(rank::DDR_BANDWIDTH, "GB/s"));
            let l2 = self.tracks.sequence("L2M Bandwidth", counter(rank::L2_BANDWIDTH, "GB/s"));
            let steps = Bandwidth::of(profile, core);
            let source = BandwidthSource { steps, offset, ddr, l2, last: (0.0, 0.0) };
            self.sources.push(Box::new(source));
        }
    }

    /// A port sends and receives at the same time: each direction has a track of its own.
    fn port(&mut self, port: &'p Track<'d>, cdma: u64) {
        let name = format!("CDMA port{}", port.place.index);
        // A port's kernels stand above it.
        let above = 2 * port.place.index as i32;
        let kernels = Kind { parent: Some(cdma), rank: Some(above), ..Kind::default() };
        let kind = Kind { rank: Some(above + 1), ..kernels };
        let root = self.tracks.define(&name, Kind { ranks_children: true, ..kind });
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let sides: [Vec<u32>; 3] = by_direction(self.profile, port);
        let [tx, rx, neither] = sides;
        self.lanes(&format!("{name} TX"), port, Some(tx), under(rank::TX));
        self.lanes(&format!("{name} RX"), port, Some(rx), under(rank::RX));
        self.kernels(&format!("{name} Kernel Function"), &[port], kernels);
        // Slices that go neither way stand on the port's own track.
        let split = split_lanes(port, Some(neither));
        for (lane, order) in split.into_iter().enumerate() {
            let sequence = match lane {
                0 => Sequence::new(root, root),
                _ => self.tracks.lane(&name, lane, kind),
            };
            self.add_slices(port, order, sequence);
        }
    }

    fn slices(&mut self, name: &str, track: &'p Track<'d>, kind: Kind<'_>) {
        self.lanes(name, track, None, kind);
    }

    fn lanes(
        &mut self,
        name: &str,
        track: &'p Track<'d>,
        subset: Option<Vec<u32>>,
        kind: Kind<'_>,
    ) {
        for (lane, order) in split_lanes(track, subset).into_iter().enumerate() {
            let sequence = self.tracks.lane(name, lane, kind);
            self.add_slices(track, order, sequence);
        }
    }

    fn add_slices(&mut self, track: &'p Track<'d>, order: Option<Vec<u32>>, sequence: Sequence) {
        self.sources.push(Box::new(SliceSource {
            profile: self.profile,
            track,
            offset: self.offset,
            order,
            at: 0,
            flows: self.flows.on(track.place),
            layers: self.layers,
            sequence,
        }));
    }

    fn layers(&mut self, core: &'p Core<'d>, kind: Kind<'_>) {
        let Some(layers) = self.layers else { return };
        let slices = layer_slices(layers, core);
        let start: Vec<i64> = slices.iter().map(|s| s.start).collect();
        let end: Vec<i64> = slices.iter().map(|s| s.end).collect();
        let lanes: Vec<Vec<LayerSlice>> = match assign_lanes(&start, &end) {
            _ if slices.is_empty() => Vec::new(),
            Lanes::Single => vec![slices],
            Lanes::Several(lanes) => lanes
                .into_iter()
                .map(|lane| lane.into_iter().map(|i| slices[i as usize]).collect())
                .collect(),
        };
        for (lane, slices) in lanes.into_iter().enumerate() {
            let sequence = self.tracks.lane("Layer", lane, kind);
            let offset = self.offset;
            self.sources.push(Box::new(LayerSource { layers, offset, slices, at: 0, sequence }));
        }
    }

    fn kernels(&mut self, name: &str, tracks: &[&Track<'d>], kind: Kind<'_>) {
        let mut slices = kernel_slices(self.profile, tracks);
        slices.sort_by_key(|s| (s.start, s.end));
        let start: Vec<i64> = slices.iter().map(|s| s.start).collect();
        let end: Vec<i64> = slices.iter().map(|s| s.end).collect();
        let lanes: Vec<Vec<KernelSlice>> = match assign_lanes(&start, &end) {
            Lanes::Single => vec![slices],
            Lanes::Several(lanes) => lanes
                .into_iter()
                .map(|lane| lane.into_iter().map(|i| slices[i as usize].clone()).collect())
                .collect(),
        };
        for (lane, slices) in lanes.into_iter().enumerate() {
            let sequence = self.tracks.lane(name, lane, kind);
            let (profile, offset) = (self.profile, self.offset);
            self.sources.push(Box::new(KernelSource { profile, offset, slices, at: 0, sequence }));
        }
    }
}

/// Lanes of a track's events, or of some of them: each in time order, `None` for all as they stand.
fn split_lanes(track: &Track<'_>, subset: Option<Vec<u32>>) -> Vec<Option<Vec<u32>>> {
    let events = &track.events;
    let Some(subset) = subset else {
        return match assign_lanes(&events.start, &events.end) {
            Lanes::Single => vec![None],
            Lanes::Several(lanes) => lanes.into_iter().map(Some).collect(),
        };
    };
    let start: Vec<i64> = subset.iter().map(|&i| events.start[i as usize]).collect();
    let end: Vec<i64> = subset.iter().map(|&i| events.end[i as usize]).collect();
    match assign_lanes(&start, &end) {
        Lanes::Single => vec![Some(subset)],
        Lanes::Several(lanes) => lanes
            .into_iter()
            .map(|lane| Some(lane.into_iter().map(|i| subset[i as usize]).collect()))
            .collect(),
    }
}

/// A port's events that go out, that come in, and the rest.
fn by_direction(profile: &Profile<'_>, port: &Track<'_>) -> [Vec<u32>; 3] {
    debug_assert_eq!(port.place.engine, Engine::Cdma);
    let mut sides: [Vec<u32>; 3] = Default::default();
    for i in 0..port.events.len() {
        let view = dma(profile, port, i);
        let side = match &*view.function_name {
            "send" | "sys_msg_tx_send" | "sys_msg_tx_wait" | "tcp_send" => 0,
            "receive" | "read" | "sys_msg_rx_send" | "sys_msg_rx_wait" | "tcp_receive" => 1,
            _ => 2,
        };
        sides[side].push(i as u32);
    }
    sides
}
