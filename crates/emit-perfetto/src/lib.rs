//! The Perfetto trace of a profile, for ui.perfetto.dev and trace processor.
//!
//! One track and packet sequence for each engine's lane, counter and host thread; strings interned.
//! A trace of any size is written with a bounded buffer: sources take turns, each writing a piece, and pieces are made and
//! written by several threads, but their places in the file are fixed.
#![forbid(unsafe_code)]

mod args;
mod bandwidth;
mod block;
mod build;
mod chrome;
mod clock;
mod describe;
mod detail;
mod device;
mod event_flows;
mod flows;
mod host;
mod interned;
mod launches;
mod layer_names;
mod merged;
mod metadata;
mod names;
mod numbers;
mod overview;
mod path;
mod room;
mod runtime;
mod sequence;
mod short;
mod slice_texts;
mod source;
mod spread;
mod stamp;
mod step_told;
mod template;
mod tracks;
mod turn_ends;
mod turns;
mod widths;
mod windows;
mod wire;
mod writer;

use std::sync::Arc;

use bigtpu_answers::Depth;
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_measure::layers::Layers;
use bigtpu_output::{OutputError, Written};
use bigtpu_scene::Cut;
use bigtpu_timeline::Profile;

use build::{Drawn, Root, device_sources};
use clock::TraceClock;
use flows::Flows;
use launches::{launch_flows, starts};
use layer_names::LayerNames;
use tracks::{Kind, Tracks};
use turn_ends::{TurnEnds, turns_of_engines};
use writer::Writer;

pub use chrome::{CHROME_TRACE_FILE, ChromeTrace};
pub use detail::TraceDetail;
pub use merged::{Device, MergedOptions, MergedTrace};

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
    /// Write only what runs then; the host's part stays whole.
    pub cut: Option<Cut>,
    /// How much it tells of each command; by their number where this is `None`.
    pub detail: Option<TraceDetail>,
}

/// Name of the file.
pub const TRACE_FILE: &str = "perfetto.pftrace";

/// Views of a trace for Perfetto's SQL: `tpu_command`, `tpu_kernel`, `tpu_layer`, `tpu_gap`, `tpu_transfer`,
/// `tpu_critical_path` and `tpu_flow`.
pub const SQL_VIEWS: &str = include_str!("tpu.sql");

impl Emitter for Perfetto {
    fn name(&self) -> &'static str {
        "trace"
    }

    fn depth(&self) -> Depth {
        Depth::Drawn
    }

    fn draws(&self) -> bool {
        true
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        self.write(input, true)
    }
}

impl Perfetto {
    /// Writes the trace; `has_views`: whoever reads it has [`SQL_VIEWS`], and finds in other slices what a light trace leaves out.
    fn write(
        &self,
        input: &EmitterInput<'_, '_>,
        has_views: bool,
    ) -> Result<Vec<Written>, OutputError> {
        let profile = input.profile;
        let host = self.host.as_deref();
        let offset = host.map_or(0, |host| {
            self.align.device_offset(host, profile.tail_offset_ns, profile.latest_end)
        });
        let (layers, analysis) = (self.layers.as_deref(), input.analysis);
        let cut = self.cut.as_ref();
        let launches = launch_flows(analysis.host_launches(profile), 0, &starts(host), offset);
        let detail = self.detail.unwrap_or_else(|| {
            TraceDetail::of_commands(cut.map_or(profile.event_count(), |cut| held(profile, cut)))
        });
        let flows = Flows::number(profile, analysis, (cut, detail), 1);
        let first = flows.origin.saturating_add(offset);
        // A run without a host starts at 0 of its own.
        let zero = host.map_or(0, |host| host.bulk.first_ns.map_or(first, |host| host.min(first)));
        let clock = host.and_then(|host| TraceClock::from_host(host, zero));
        let mut tracks = Tracks::starting_at(zero).on_clock(clock);
        let scene = input.scene.scene();
        let part = cut.map(|cut| scene.part(profile, cut));
        let scene = part.as_ref().unwrap_or(scene);
        let root = if host.is_some() { Root::Top } else { Root::Alone };
        let looks_up = has_views && detail == TraceDetail::Light;
        let layer_names = layers.filter(|_| looks_up).map(|layers| LayerNames::find(layers, scene));
        let layer_names = layer_names.unwrap_or_default();
        let drawn = Drawn {
            profile,
            analysis,
            scene,
            layers,
            layer_names: &layer_names,
            offset,
            flows: &flows,
            launches: &launches,
            root,
            cut,
            detail,
            has_views,
        };
        let name = profile.chip.title();
        let mut sources = device_sources(&name, Kind::default(), drawn, &mut tracks);
        if let Some(host) = host {
            sources.extend(host::sources(host, &launches, &mut tracks));
        } else if detail == TraceDetail::Light && cut.is_none() {
            // The host's sources go back in time, and pieces of cut ones may have nothing.
            sources.push(Box::new(TurnEnds::of_turns(turns_of_engines(profile, detail))));
        }
        let mut writer = Writer::create(input.out, TRACE_FILE, self.compress)?;
        let mut head = clock.map(TraceClock::snapshot).unwrap_or_default();
        head.extend(metadata::packets(profile, host.map(|host| (host, zero)), detail));
        head.extend(tracks.take_descriptors());
        writer.packets(head)?;
        let task = input.progress.task("trace", profile.event_count() as u64);
        writer.sources(sources, &*task)?;
        Ok(vec![writer.commit()?])
    }
}

/// Commands that run in the stretches.
#[must_use]
pub fn held(profile: &Profile<'_>, cut: &Cut) -> usize {
    let events = profile.tracks().map(|track| &track.events);
    let times = events.flat_map(|events| events.start.iter().zip(&events.end));
    times.filter(|&(&start, &end)| cut.holds(start, end)).count()
}
