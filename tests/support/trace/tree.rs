//! The tree of tracks.
//!
//! Paths are those of a trace of one device: the track that all of a trace's tracks are under is left out, and a host
//! thread is under `cpu op` or `tpudnn op`, whichever process it is of.

use std::collections::BTreeMap;

use bigtpu_perfetto_protos::TrackDescriptor;
use bigtpu_perfetto_protos::track_descriptor::StaticOrDynamicName;

/// A track.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    /// Names from the root, joined by `/`.
    pub(crate) path: String,
    /// The last name of the path.
    pub(crate) name: String,
    /// Path of the track that it is under.
    pub(crate) parent: Option<String>,
    /// Place among its siblings.
    pub(crate) rank: Option<i32>,
    /// The unit, if it is a counter.
    pub(crate) unit: Option<String>,
}

/// Descriptors by track.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<u64, TrackDescriptor>);

impl Tree {
    /// Takes a descriptor in; returns what is wrong with it.
    pub(super) fn add(&mut self, descriptor: TrackDescriptor) -> Option<String> {
        let uuid = descriptor.uuid.unwrap_or(0);
        if uuid == 0 {
            return Some("a track has no id".into());
        }
        let name = name(&descriptor);
        let replaced = self.0.insert(uuid, descriptor);
        replaced.map(|_| format!("track {uuid} ({name}) is defined twice"))
    }

    /// Whether a track is defined, and if so whether it is a counter.
    pub(super) fn is_counter(&self, uuid: u64) -> Option<bool> {
        self.0.get(&uuid).map(|descriptor| descriptor.counter.is_some())
    }

    /// The only root that is no process and no core.
    pub(super) fn root(&self) -> Option<u64> {
        let is_core = |d: &TrackDescriptor| name(d).starts_with("Core ");
        let mut roots =
            self.0.iter().filter(|(_, d)| d.parent_uuid.is_none() && d.process.is_none());
        roots
            .next()
            .filter(|(_, first)| !is_core(first))
            .filter(|_| roots.next().is_none())
            .map(|(uuid, _)| *uuid)
    }

    /// The path of a track, or what is wrong with it.
    pub(super) fn path(&self, uuid: u64) -> Result<String, String> {
        let mut descriptors = Vec::new();
        let (mut at, root) = (Some(uuid), self.root());
        while let Some(uuid) = at.filter(|_| descriptors.is_empty() || at != root) {
            let Some(descriptor) = self.0.get(&uuid) else {
                return Err(format!("track {uuid} is not defined"));
            };
            descriptors.push(descriptor);
            at = descriptor.parent_uuid;
            if descriptors.len() > self.0.len() {
                return Err(format!("track {uuid} is its own ancestor"));
            }
        }
        descriptors.reverse();
        Ok(match descriptors.as_slice() {
            [process, of @ ..] if process.process.is_some() => self.host_path(process, of),
            plain => plain.iter().map(|d| name(d)).collect::<Vec<_>>().join("/"),
        })
    }

    fn host_path(&self, process: &TrackDescriptor, of: &[&TrackDescriptor]) -> String {
        let title = |name: &str, number: i64| match name.contains(&number.to_string()) {
            true => name.to_owned(),
            false if number >= 1 << 30 => name.to_owned(),
            false => format!("{name} {number}"),
        };
        let process = process.process.as_ref().unwrap();
        let process = title(process.process_name(), process.pid().into());
        match of {
            [] => process,
            [thread, side @ ..] if thread.thread.is_some() => {
                let thread = thread.thread.as_ref().unwrap();
                let mut thread = title(thread.thread_name(), thread.tid());
                if self.0.values().filter(|d| d.process.is_some()).count() > 1 {
                    thread = format!("{process}: {thread}");
                }
                match side {
                    [] => format!("{process}/{thread}"),
                    [side, ..] => {
                        let side = name(side);
                        let (side, lane) = side.split_once(" #").unwrap_or((&side, ""));
                        let lane = if lane.is_empty() { "" } else { &format!(" #{lane}") };
                        format!("{side}/{thread}{lane}")
                    }
                }
            }
            [track, ..] => format!("cpu op/{}", name(track)),
        }
    }

    /// All tracks, and what is wrong with them.
    pub(super) fn tracks(&self) -> (Vec<Track>, Vec<String>) {
        let mut tracks = Vec::new();
        let mut problems = Vec::new();
        let root = self.root();
        for (&uuid, descriptor) in &self.0 {
            if Some(uuid) == root || descriptor.process.is_some() || descriptor.thread.is_some() {
                continue;
            }
            match self.path(uuid) {
                Ok(path) => tracks.push(Track {
                    path,
                    name: name(descriptor),
                    parent: descriptor
                        .parent_uuid
                        .filter(|parent| Some(*parent) != root)
                        .and_then(|parent| self.path(parent).ok()),
                    rank: descriptor.sibling_order_rank,
                    unit: descriptor
                        .counter
                        .as_ref()
                        .map(|c| c.unit_name.clone().unwrap_or_default()),
                }),
                Err(problem) => problems.push(problem),
            }
        }
        (tracks, problems)
    }
}

fn name(descriptor: &TrackDescriptor) -> String {
    match &descriptor.static_or_dynamic_name {
        Some(StaticOrDynamicName::Name(name) | StaticOrDynamicName::StaticName(name)) => {
            name.clone()
        }
        None => String::new(),
    }
}
