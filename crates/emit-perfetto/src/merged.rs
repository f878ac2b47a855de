//! One trace of several devices: a group of tracks each, and the host's tracks once.
//!
//! Devices are added one after another, so that only one of them has to be in memory; ids of tracks and flows continue
//! from one to the next.

use bigtpu_answers::Analysis;
use bigtpu_emit::{EmitError, OutDir, Progress, Written};
use bigtpu_host_trace::HostTrace;
use bigtpu_layers::Layers;
use bigtpu_scene::Scene;
use bigtpu_timeline::Profile;

use crate::build::{Drawn, device_sources, rank};
use crate::flows::Flows;
use crate::tracks::{Kind, Tracks};
use crate::writer::Writer;
use crate::{TRACE_FILE, host, metadata};

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

/// A trace of several devices that is being written.
pub struct MergedTrace {
    writer: Writer,
    tracks: Tracks,
    next_flow: u64,
    devices: i32,
}

impl MergedTrace {
    /// Starts the file; `time_line` says how the devices lie on it, `compress` deflates the packets.
    ///
    /// # Errors
    /// [`EmitError`] when the file can't be created or written.
    pub fn create(out: &OutDir, time_line: &str, compress: bool) -> Result<Self, EmitError> {
        Self::create_named(out, TRACE_FILE, time_line, compress)
    }

    /// The same with a file name of its own.
    ///
    /// # Errors
    /// [`EmitError`] when the file can't be created or written.
    pub fn create_named(
        out: &OutDir,
        name: &str,
        time_line: &str,
        compress: bool,
    ) -> Result<Self, EmitError> {
        let mut writer = Writer::create(out, name, compress)?;
        writer.packets(metadata::of_trace(time_line))?;
        Ok(Self { writer, tracks: Tracks::default(), next_flow: 1, devices: 0 })
    }

    /// Appends a device: its tracks are those of a trace of its own, under a track of its name.
    ///
    /// # Errors
    /// [`EmitError`] when the file can't be written.
    pub fn device(&mut self, device: Device<'_, '_>, on: &dyn Progress) -> Result<(), EmitError> {
        let Device { name, profile, analysis, scene, layers, start_ns } = device;
        self.tracks.under(None);
        let rank = rank::FIRST_DEVICE + self.devices;
        self.devices += 1;
        let root = self
            .tracks
            .define(name, Kind { rank: Some(rank), ranks_children: true, ..Kind::default() });
        self.tracks.under(Some(root));
        let flows = Flows::of(profile, &analysis.flows, self.next_flow);
        self.next_flow += analysis.flows.len() as u64;
        let drawn = Drawn { profile, analysis, scene, layers, offset: start_ns, flows: &flows };
        let sources = device_sources(drawn, &mut self.tracks);
        let mut head = metadata::of_device(name, start_ns, profile);
        head.extend(self.tracks.take_descriptors());
        self.writer.packets(head)?;
        let task = on.task(&format!("trace {name}"), profile.event_count() as u64);
        self.writer.sources(sources, &*task)
    }

    /// Appends the host's tracks.
    ///
    /// # Errors
    /// [`EmitError`] when the file can't be written.
    pub fn host(&mut self, host: &HostTrace, on: &dyn Progress) -> Result<(), EmitError> {
        self.tracks.under(None);
        let sources = host::sources(host, &mut self.tracks);
        let mut head = metadata::of_host(host);
        head.extend(self.tracks.take_descriptors());
        self.writer.packets(head)?;
        let task = on.task("trace host", host.slices.len() as u64);
        self.writer.sources(sources, &*task)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`EmitError`] when its last bytes can't be written.
    pub fn finish(self) -> Result<Written, EmitError> {
        self.writer.commit()
    }
}
