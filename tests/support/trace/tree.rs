//! The tree of tracks.

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

    /// The path of a track, or what is wrong with it.
    pub(super) fn path(&self, uuid: u64) -> Result<String, String> {
        let mut names = Vec::new();
        let mut at = Some(uuid);
        while let Some(uuid) = at {
            let Some(descriptor) = self.0.get(&uuid) else {
                return Err(format!("track {uuid} is not defined"));
            };
            names.push(name(descriptor));
            at = descriptor.parent_uuid;
            if names.len() > self.0.len() {
                return Err(format!("track {uuid} is its own ancestor"));
            }
        }
        names.reverse();
        Ok(names.join("/"))
    }

    /// All tracks, and what is wrong with them.
    pub(super) fn tracks(&self) -> (Vec<Track>, Vec<String>) {
        let mut tracks = Vec::new();
        let mut problems = Vec::new();
        for (&uuid, descriptor) in &self.0 {
            match self.path(uuid) {
                Ok(path) => tracks.push(Track {
                    path,
                    name: name(descriptor),
                    parent: descriptor.parent_uuid.and_then(|parent| self.path(parent).ok()),
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
