//! Tracks as Chrome's JSON has them: threads of processes, one level deep.

use bigtpu_perfetto_protos::TrackDescriptor;
use bigtpu_perfetto_protos::track_descriptor::StaticOrDynamicName;
use foldhash::HashMap;
use serde_json::json;

/// Numbers of processes and threads that the host has not are from here on: a system's own are smaller.
const OWN: i64 = 10_000_000;

/// A track.
#[derive(Debug, Clone)]
pub(super) struct Thread {
    pub(super) process: i64,
    pub(super) number: i64,
    /// Its name with those of the tracks that it is under.
    pub(super) title: String,
    /// The unit, if it is a counter.
    pub(super) unit: Option<String>,
    is_root: bool,
}

/// The tracks by their ids.
#[derive(Debug, Default)]
pub(super) struct Threads(HashMap<u64, Thread>);

impl Threads {
    pub(super) fn get(&self, track: u64) -> Option<&Thread> {
        self.0.get(&track)
    }

    /// Adds a track, and its lines.
    pub(super) fn add(&mut self, descriptor: &TrackDescriptor, lines: &mut Vec<serde_json::Value>) {
        let track = descriptor.uuid.unwrap_or(0);
        let order = self.0.len() as i64;
        let name = name(descriptor);
        let unit = descriptor.counter.as_ref().map(|c| c.unit_name.clone().unwrap_or_default());
        let parent = descriptor.parent_uuid.and_then(|parent| self.0.get(&parent));
        let thread = match (&descriptor.process, &descriptor.thread, parent) {
            (Some(process), ..) => Thread {
                process: process.pid().into(),
                number: OWN + order,
                title: process.process_name().to_owned(),
                unit,
                is_root: true,
            },
            (None, Some(thread), parent) => Thread {
                process: parent.map_or_else(|| thread.pid().into(), |parent| parent.process),
                number: thread.tid(),
                title: thread.thread_name().to_owned(),
                unit,
                is_root: false,
            },
            (None, None, Some(parent)) => Thread {
                process: parent.process,
                number: OWN + order,
                title: titled(parent, &name),
                unit,
                is_root: false,
            },
            (None, None, None) => Thread {
                process: OWN + order,
                number: OWN + order,
                title: name,
                unit,
                is_root: true,
            },
        };
        let line = |what: &str, args: serde_json::Value| json!({"ph": "M", "pid": thread.process, "tid": thread.number, "name": what, "args": args});
        if thread.is_root {
            lines.push(line("process_name", json!({"name": thread.title})));
            lines.push(line("process_sort_index", json!({"sort_index": order})));
        }
        if thread.unit.is_none() {
            lines.push(line("thread_name", json!({"name": thread.title})));
            lines.push(line("thread_sort_index", json!({"sort_index": order})));
        }
        self.0.insert(track, thread);
    }
}

/// A name below another one, which is not said twice.
fn titled(parent: &Thread, name: &str) -> String {
    if parent.is_root || name.starts_with(&parent.title) || parent.title == "CDMA" {
        return name.to_owned();
    }
    format!("{} {name}", parent.title)
}

fn name(descriptor: &TrackDescriptor) -> String {
    match &descriptor.static_or_dynamic_name {
        Some(StaticOrDynamicName::Name(name) | StaticOrDynamicName::StaticName(name)) => {
            name.clone()
        }
        None => String::new(),
    }
}
