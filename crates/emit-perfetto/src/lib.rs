//! The Perfetto trace of a profile, for ui.perfetto.dev and trace processor.
//!
//! One track and packet sequence for each engine's lane, counter and host thread; strings interned;
//! timestamps as differences. A trace of any size is written with a bounded buffer: sources take turns,
//! each writing a piece, and pieces are made by several threads but written in a fixed order.
#![forbid(unsafe_code)]

mod args;
mod build;
mod device;
mod host;
mod metadata;
mod names;
mod sequence;
mod source;
mod tracks;
mod wire;

use std::io::Write as _;
use std::sync::Arc;

use bigtpu_analysis::Flow;
use bigtpu_emit::{EmitError, Emitter, Input, OutFile, Written};
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_layers::Layers;
use bigtpu_perfetto_protos::field;
use bigtpu_timeline::{Place, Profile};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;

use build::device_sources;
use device::TrackFlows;
use source::Source;
use tracks::Tracks;

/// The trace.
#[derive(Debug, Clone, Default)]
pub struct Perfetto {
    /// Host trace to merge.
    pub host: Option<Arc<HostTrace>>,
    /// How to merge it.
    pub align: HostAlign,
    /// Layers of a static model.
    pub layers: Option<Arc<Layers>>,
    /// Deflate the packets inside the trace (`compressed_packets`).
    pub compress: bool,
}

/// Name of the file.
pub const TRACE_FILE: &str = "perfetto.pftrace";

impl Emitter for Perfetto {
    fn name(&self) -> &'static str {
        "trace"
    }

    fn uses_answers(&self) -> bool {
        false
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let profile = input.profile;
        let host = self.host.as_deref();
        let offset = host.map_or(0, |host| {
            self.align.device_offset(host, profile.tail_offset_ns, profile.latest_end)
        });
        let flows = Flows::of(&input.analysis.flows);
        let mut tracks = Tracks::default();
        let mut sources =
            device_sources(profile, self.layers.as_deref(), offset, &flows, &mut tracks);
        if let Some(host) = host {
            sources.extend(host::sources(host, &mut tracks));
        }
        let mut file = input.out.file(TRACE_FILE)?;
        let mut head = metadata::packets(profile, host);
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

/// How many events of device and host start before 0, where a trace can't show them: they stand at 0.
#[must_use]
pub fn events_before_zero(profile: &Profile<'_>, host: &HostTrace, align: HostAlign) -> usize {
    let offset = align.device_offset(host, profile.tail_offset_ns, profile.latest_end);
    let of_device = profile.tracks().flat_map(|t| &t.events.start).map(|start| start + offset);
    let slices = host.kept_slices().map(|(_, slice)| slice.start_ns);
    let asyncs = host.async_slices.iter().map(|slice| slice.start_ns);
    let marks = host.instants.iter().map(|mark| mark.at_ns);
    let async_marks = host.async_instants.iter().map(|mark| mark.at_ns);
    let flows = host.flows.iter().map(|flow| flow.at_ns);
    let samples = host.counters.iter().flat_map(|c| &c.samples).map(|sample| sample.at_ns);
    let of_host = slices.chain(asyncs).chain(marks).chain(async_marks).chain(flows).chain(samples);
    of_device.chain(of_host).filter(|&time| time < 0).count()
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
