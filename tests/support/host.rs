//! Host traces: their events as the JSON text has them, with exact times.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::value::RawValue;

use super::decimal::Micros;
use super::trace::Value;

/// Names of slices that are the profiler's own doing and are not shown.
pub(crate) const DROPPED: [&str; 5] = [
    "PyTorch Profiler (0)",
    "enable_profile",
    "disable_profile",
    "my_ops::enable_profile",
    "my_ops::disable_profile",
];

/// One event.
#[derive(Debug)]
pub(crate) struct Event(HashMap<String, Box<RawValue>>);

/// The text of a trace, unpacked if need be.
pub(crate) fn text_of(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let mut text = String::new();
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap(),
        false => bytes.as_slice().read_to_string(&mut text).unwrap(),
    };
    text
}

/// The list of events of a trace that is an object, as it is in its text.
pub(crate) fn list_of(text: &str) -> String {
    let members: HashMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
    members["traceEvents"].get().to_owned()
}

/// The events of a trace that is an object.
pub(crate) fn events_of(text: &str) -> Vec<Event> {
    let events: Vec<HashMap<String, Box<RawValue>>> = serde_json::from_str(&list_of(text)).unwrap();
    events.into_iter().map(Event).collect()
}

impl Event {
    /// A member's text: of a string its content, else the JSON as it is.
    pub(crate) fn text(&self, key: &str) -> String {
        let raw = self.0.get(key).map_or("", |raw| raw.get());
        serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned())
    }

    /// Whether the event is of that phase.
    pub(crate) fn is(&self, phase: &str) -> bool {
        self.text("ph") == phase
    }

    /// Whether the event is a slice that is to be shown.
    pub(crate) fn is_shown_slice(&self) -> bool {
        self.is("X") && !DROPPED.contains(&self.text("name").as_str())
    }

    /// Process and thread.
    pub(crate) fn thread(&self) -> (String, String) {
        (self.text("pid"), self.text("tid"))
    }

    /// When it starts.
    pub(crate) fn start(&self) -> Micros {
        Micros::parse(&self.text("ts"))
    }

    /// When it ends.
    pub(crate) fn end(&self) -> Micros {
        self.start() + Micros::parse(&self.text("dur"))
    }

    /// Start and duration in ns, each end cut to whole ns first.
    pub(crate) fn span_ns(&self) -> (i64, i64) {
        let start = self.start().ns();
        (start, self.end().ns() - start)
    }

    /// The arguments, as one value.
    pub(crate) fn args(&self) -> Value {
        let raw = self.0.get("args").map_or("{}", |raw| raw.get());
        Value::of_json(&serde_json::from_str(raw).unwrap())
    }
}
