//! The Perfetto trace of a profile, for ui.perfetto.dev and trace processor.
//!
//! One track and packet sequence for each engine's lane, counter and host thread; strings interned;
//! timestamps as differences. A trace of any size is written with a bounded buffer: sources take turns,
//! each writing a piece, and pieces are made by several threads but written in a fixed order.
#![forbid(unsafe_code)]

mod args;
mod build;
mod device;
mod flows;
mod host;
mod merged;
mod metadata;
mod names;
mod runtime;
mod sequence;
mod short;
mod source;
mod templates;
mod tracks;
mod wire;
mod writer;

use std::sync::Arc;

use bigtpu_emit::{EmitError, Emitter, Input, Written};
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_layers::Layers;
use bigtpu_timeline::Profile;

use build::{Drawn, device_sources};
use flows::Flows;
use tracks::Tracks;
use writer::Writer;

pub use merged::{Device, MergedTrace};

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

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let profile = input.profile;
        let host = self.host.as_deref();
        let offset = host.map_or(0, |host| {
            self.align.device_offset(host, profile.tail_offset_ns, profile.latest_end)
        });
        let flows = Flows::of(profile, &input.analysis.flows, 1);
        let mut tracks = Tracks::default();
        let layers = self.layers.as_deref();
        let (analysis, scene) = (input.analysis, input.scene.scene());
        let drawn = Drawn { profile, analysis, scene, layers, offset, flows: &flows };
        let mut sources = device_sources(drawn, &mut tracks);
        if let Some(host) = host {
            sources.extend(host::sources(host, &mut tracks));
        }
        let mut writer = Writer::create(input.out, TRACE_FILE, self.compress)?;
        let mut head = metadata::packets(profile, host);
        head.extend(tracks.take_descriptors());
        writer.packets(head)?;
        let host_events = host.map_or(0, |h| h.slices.len());
        let task = input.progress.task("trace", (profile.event_count() + host_events) as u64);
        writer.sources(sources, &*task)?;
        Ok(vec![writer.commit()?])
    }
}

/// How many events of device and host start before 0, where a trace can't show them: they are at 0.
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
