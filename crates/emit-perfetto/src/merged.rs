//! One trace of several devices: a group of tracks each, and the host's tracks once.
//!
//! Devices are added one after another, so that only one of them has to be in memory; ids of tracks and flows continue
//! from one to the next.

use bigtpu_answers::Analysis;
use bigtpu_emit::Progress;
use bigtpu_host_trace::HostTrace;
use bigtpu_measure::layers::Layers;
use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_scene::Scene;
use bigtpu_timeline::Profile;

use crate::build::{Drawn, Root, device_sources};
use crate::clock::TraceClock;
use crate::detail::TraceDetail;
use crate::flows::Flows;
use crate::launches::{LaunchFlow, launch_flows, starts};
use crate::layer_names::LayerNames;
use crate::tracks::{Kind, Tracks};
use crate::writer::Writer;
use crate::{host, metadata};

/// A device of the trace.
#[derive(Clone, Copy)]
pub struct Device<'a, 'd> {
    /// Name of its group of tracks.
    pub name: &'a str,
    /// Its events.
    pub profile: &'a Profile<'d>,
    /// What was derived from them.
    pub analysis: &'a Analysis,
    /// Its tracks.
    pub scene: &'a Scene,
    /// Layers of a static model.
    pub layers: Option<&'a Layers>,
    /// Where its time 0 lies on the trace's time line, in ns.
    pub start_ns: i64,
}

/// What a trace of several devices is.
#[derive(Clone, Copy)]
pub struct MergedOptions<'a> {
    /// Name of the file; see [`crate::TRACE_FILE`].
    pub file: &'a str,
    /// Name of the group of all devices.
    pub title: &'a str,
    /// How the devices lie on the time line.
    pub time_line: &'a str,
    /// Deflate the packets.
    pub compress: bool,
    /// How much it tells of each command.
    pub detail: TraceDetail,
    /// The host trace that will be appended.
    pub host: Option<&'a HostTrace>,
}

/// A trace of several devices that is being written.
pub struct MergedTrace {
    writer: Writer,
    tracks: Tracks,
    /// Time that is the trace's 0, in ns.
    zero: i64,
    detail: TraceDetail,
    next_flow: u64,
    /// Flows of all devices' launches.
    launches: Vec<LaunchFlow>,
    /// Starts of the host's slices, in ns.
    calls: Vec<i64>,
    devices: i32,
}

impl MergedTrace {
    /// Starts the file.
    ///
    /// # Errors
    /// [`OutputError`] when the file can't be created or written.
    pub fn create(out: &OutDir, options: MergedOptions<'_>) -> Result<Self, OutputError> {
        let MergedOptions { file, title, time_line, compress, detail, host } = options;
        let zero = host.and_then(|host| host.bulk.first_ns).unwrap_or(0);
        let clock = host.and_then(|host| TraceClock::from_host(host, zero));
        let mut writer = Writer::create(out, file, compress)?;
        let mut head = clock.map(TraceClock::snapshot).unwrap_or_default();
        head.extend(metadata::of_trace(time_line, detail));
        writer.packets(head)?;
        let mut tracks = Tracks::starting_at(zero).on_clock(clock);
        // Viewers unfold a group that has no other next to it.
        if host.is_none() {
            let root = tracks.define(title, Kind { ranks_children: true, ..Kind::default() });
            tracks.set_root(Some(root));
        }
        Ok(Self {
            writer,
            tracks,
            zero,
            detail,
            next_flow: 1,
            launches: Vec::new(),
            calls: starts(host),
            devices: 0,
        })
    }

    /// Appends a device: its tracks are those of a trace of its own, under a track of its name.
    ///
    /// # Errors
    /// [`OutputError`] when the file can't be written.
    pub fn device(&mut self, device: Device<'_, '_>, on: &dyn Progress) -> Result<(), OutputError> {
        let Device { name, profile, analysis, scene, layers, start_ns: offset } = device;
        let place = Kind { rank: Some(self.devices), ..Kind::default() };
        self.devices += 1;
        let flows = Flows::number(profile, analysis, (None, self.detail), self.next_flow);
        self.next_flow = flows.next;
        let launches =
            launch_flows(analysis.host_launches(profile), self.launches.len(), &self.calls, offset);
        self.launches.extend(&launches);
        let root = Root::Folded;
        let named = layers.filter(|_| self.detail == TraceDetail::Light);
        let layer_names = named.map(|layers| LayerNames::find(layers, scene)).unwrap_or_default();
        let cut = None;
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
            detail: self.detail,
            has_views: true,
        };
        let sources = device_sources(name, place, drawn, &mut self.tracks);
        let is_early = flows.origin.saturating_add(offset) < self.zero;
        let mut head = metadata::of_device(name, offset, is_early, profile);
        head.extend(self.tracks.take_descriptors());
        self.writer.packets(head)?;
        let task = on.task(&format!("trace {name}"), profile.event_count() as u64);
        self.writer.sources(sources, &*task)
    }

    /// Appends the host's tracks.
    ///
    /// # Errors
    /// [`OutputError`] when the file can't be written.
    pub fn host(&mut self, host: &HostTrace, on: &dyn Progress) -> Result<(), OutputError> {
        self.tracks.set_root(None);
        let sources = host::sources(host, &self.launches, &mut self.tracks);
        let mut head = metadata::of_host(host, self.zero);
        head.extend(self.tracks.take_descriptors());
        self.writer.packets(head)?;
        let task = on.task("trace host", host.slices.len() as u64);
        self.writer.sources(sources, &*task)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`OutputError`] when its last bytes can't be written.
    pub fn finish(self) -> Result<Written, OutputError> {
        self.writer.commit()
    }
}
