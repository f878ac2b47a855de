//! The Perfetto trace of a profile, for ui.perfetto.dev and trace processor.
//!
//! One track and packet sequence for each engine's lane, counter and host thread; strings interned;
//! timestamps as differences. A trace of any size is written with a bounded buffer: sources take turns,
//! each writing a piece, and pieces are made by several threads but written in a fixed order.
#![forbid(unsafe_code)]

mod device;
mod host;
mod lanes;
mod metadata;
mod names;
mod sequence;
mod source;
mod tracks;
mod wire;

use std::io::Write as _;
use std::sync::Arc;

use bigtpu_analysis::{Bandwidth, Flow, KernelSlice, dma, kernel_slices};
use bigtpu_chip::Engine;
use bigtpu_emit::{EmitError, Emitter, Input, OutFile, Written};
use bigtpu_host_trace::{ExactNs, HostTrace};
use bigtpu_perfetto_protos::field;
use bigtpu_timeline::{Place, Profile, Track};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;

use device::{CounterSource, SliceSource, TrackFlows};
use lanes::Lanes;
use source::{BandwidthSource, KernelSource, Source};
use tracks::{Kind, Tracks};

/// Where the device's time 0 lies on the host's time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HostAlign {
    /// By the host's `tpudnn` events; without one, device time stays as it is.
    #[default]
    Anchors,
    /// At the host trace's first event.
    Start,
}

/// The trace.
#[derive(Debug, Clone, Default)]
pub struct Perfetto {
    /// Host trace to merge.
    pub host: Option<Arc<HostTrace>>,
    /// How to merge it.
    pub align: HostAlign,
    /// Deflate the packets inside the trace (`compressed_packets`).
    pub compress: bool,
}

/// Name of the file.
pub const TRACE_FILE: &str = "perfetto.pftrace";

impl Emitter for Perfetto {
    fn name(&self) -> &'static str {
        "perfetto"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let profile = input.profile;
        let host = self.host.as_deref();
        let offset = device_offset(profile, host, self.align);
        let flows = Flows::of(&input.analysis.flows);
        let mut tracks = Tracks::default();
        let mut sources = device_sources(profile, offset, &flows, &mut tracks);
        if let Some(host) = host {
            sources.extend(host::sources(host, &mut tracks));
        }
        let mut file = input.out.file(TRACE_FILE)?;
        let mut head = metadata::packets(profile);
        head.extend(tracks.take_descriptors());
        self.write(&mut file, &mut head)?;
        let host_events = host.map_or(0, |h| h.slices.len());
        let task = input.progress.task("trace", (profile.event_count() + host_events) as u64);
        let mut pieces: Vec<(Box<dyn Source + '_>, Vec<u8>, usize)> =
            sources.into_iter().map(|s| (s, Vec::new(), 0)).collect();
        while !pieces.is_empty() {
            pieces.par_iter_mut().for_each(|(source, out, events)| {
                *events = source.fill(out);
                if self.compress {
                    deflate(out);
                }
            });
            for (_, out, events) in &mut pieces {
                file.append(out)?;
                out.clear();
                task.advance(*events as u64);
            }
            pieces.retain(|(_, _, events)| *events > 0);
        }
        Ok(vec![file.commit()?])
    }
}

impl Perfetto {
    fn write(&self, file: &mut OutFile, packets: &mut Vec<u8>) -> Result<(), EmitError> {
        if self.compress {
            deflate(packets);
        }
        file.append(packets)
    }
}

/// Turns packets into one packet that holds them deflated.
fn deflate(packets: &mut Vec<u8>) {
    if packets.is_empty() {
        return;
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing into a vector cannot fail; if it did, the packets would stay as they are.
    if encoder.write_all(packets).is_err() {
        return;
    }
    let Ok(deflated) = encoder.finish() else { return };
    packets.clear();
    wire::message(packets, field::trace::PACKET, |out| {
        wire::bytes(out, field::trace_packet::COMPRESSED_PACKETS, &deflated);
    });
}

/// What to add to device times (section 8).
fn device_offset(profile: &Profile<'_>, host: Option<&HostTrace>, align: HostAlign) -> i64 {
    let Some(host) = host else { return 0 };
    if align == HostAlign::Start {
        return host.kept_slices().map(|(_, s)| s.start_ns).min().unwrap_or(0);
    }
    let pause = profile
        .tail_offset_ns
        .filter(|_| host.anchors.has_tpudnn() || host.anchors.disable_end.is_some())
        .and_then(|tail| host.anchors.device_end_ns(&ExactNs::from_ns(tail)));
    match pause {
        Some(pause) => pause - profile.latest_end,
        None => host.anchors.device_start_ns().unwrap_or(0),
    }
}

/// Sync flows by the tracks that they touch.
struct Flows(std::collections::HashMap<Place, TrackFlows>);

impl Flows {
    fn of(flows: &[Flow]) -> Self {
        let mut by_track: std::collections::HashMap<Place, TrackFlows> =
            std::collections::HashMap::new();
        for (number, flow) in (1u64..).zip(flows) {
            for ((place, i), ends) in [(flow.send, false), (flow.wait, true)] {
                by_track.entry(place).or_default().push((i as u32, number, ends));
            }
        }
        for list in by_track.values_mut() {
            list.sort_unstable();
        }
        Self(by_track)
    }

    fn on(&self, place: Place) -> &[(u32, u64, bool)] {
        self.0.get(&place).map_or(&[], Vec::as_slice)
    }
}

/// Ranks of a core's tracks, from the top.
mod rank {
    pub(super) const KERNEL: i32 = 5;
    pub(super) const TIU: i32 = 4;
    pub(super) const TIU_RATE: i32 = 3;
    pub(super) const GDMA: i32 = 2;
    pub(super) const GDMA_BANDWIDTH: i32 = 1;
    pub(super) const SDMA: i32 = 0;
    pub(super) const DDR_BANDWIDTH: i32 = -1;
    pub(super) const L2_BANDWIDTH: i32 = -2;
}

/// Defines the device's tracks and makes their sources.
fn device_sources<'p, 'd>(
    profile: &'p Profile<'d>,
    offset: i64,
    flows: &'p Flows,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'p>> {
    let mut build = Build { profile, offset, flows, tracks, sources: Vec::new() };
    for core in 0..profile.cores.len() {
        build.core(core);
    }
    let ports: Vec<&Track<'d>> = profile.ports.iter().filter(|t| !t.events.is_empty()).collect();
    if !ports.is_empty() {
        let cdma = build.tracks.define("CDMA", Kind::default());
        for port in ports {
            build.port(port, cdma);
        }
    }
    build.sources
}

struct Build<'p, 'd, 't> {
    profile: &'p Profile<'d>,
    offset: i64,
    flows: &'p Flows,
    tracks: &'t mut Tracks,
    sources: Vec<Box<dyn Source + 'p>>,
}

impl<'p, 'd> Build<'p, 'd, '_> {
    fn core(&mut self, number: usize) {
        let core = &self.profile.cores[number];
        let root = self
            .tracks
            .define(&format!("Core {number}"), Kind { ranks_children: true, ..Kind::default() });
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let counter = |rank, unit| Kind { counter: Some(unit), ..under(rank) };
        let [tiu, gdma, sdma] = &core.tracks;
        let (profile, offset) = (self.profile, self.offset);
        self.kernels("Kernel Function", &[tiu, gdma, sdma], under(rank::KERNEL));
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
        let kind = Kind { parent: Some(cdma), ..Kind::default() };
        let root = self.tracks.define(&name, Kind { ranks_children: true, ..kind });
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let sides: [Vec<u32>; 3] = by_direction(self.profile, port);
        let [tx, rx, neither] = sides;
        self.lanes(&format!("{name} TX"), port, Some(tx), under(1));
        self.lanes(&format!("{name} RX"), port, Some(rx), under(0));
        let kernels = Kind { rank: Some(1), ..kind };
        self.kernels(&format!("{name} Kernel Function"), &[port], kernels);
        // Slices that go neither way stand on the port's own track.
        let split = split_lanes(port, Some(neither));
        for (lane, order) in split.into_iter().enumerate() {
            let sequence = match lane {
                0 => sequence::Sequence::new(root, root),
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

    fn add_slices(
        &mut self,
        track: &'p Track<'d>,
        order: Option<Vec<u32>>,
        sequence: sequence::Sequence,
    ) {
        self.sources.push(Box::new(SliceSource {
            profile: self.profile,
            track,
            offset: self.offset,
            order,
            at: 0,
            flows: self.flows.on(track.place),
            sequence,
        }));
    }

    fn kernels(&mut self, name: &str, tracks: &[&Track<'d>], kind: Kind<'_>) {
        let mut slices = kernel_slices(self.profile, tracks);
        slices.sort_by_key(|s| (s.start, s.end));
        let start: Vec<i64> = slices.iter().map(|s| s.start).collect();
        let end: Vec<i64> = slices.iter().map(|s| s.end).collect();
        let lanes: Vec<Vec<KernelSlice>> = match lanes::assign(&start, &end) {
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
        return match lanes::assign(&events.start, &events.end) {
            Lanes::Single => vec![None],
            Lanes::Several(lanes) => lanes.into_iter().map(Some).collect(),
        };
    };
    let start: Vec<i64> = subset.iter().map(|&i| events.start[i as usize]).collect();
    let end: Vec<i64> = subset.iter().map(|&i| events.end[i as usize]).collect();
    match lanes::assign(&start, &end) {
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
