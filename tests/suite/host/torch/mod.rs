//! A real trace of the torch profiler: 868 slices on four threads, with flows and marks, and without
//! a word of the TPU.

mod marks;
mod slices;
mod threads;
mod unaligned;

use std::path::PathBuf;

use super::{is_device, merge};
use crate::support::case::fixture;
use crate::support::host::{Event, events_of, text_of};
use crate::support::trace::{Trace, Value};

/// The file, zipped.
fn file() -> PathBuf {
    fixture("host/torch_alexnet.json.gz")
}

/// Every event of the file.
fn events() -> Vec<Event> {
    events_of(&text_of(&file()))
}

/// The slices that are to be shown.
fn shown() -> Vec<Event> {
    let shown: Vec<Event> = events().into_iter().filter(Event::is_shown_slice).collect();
    assert_eq!(shown.len(), 868 - 1, "all but the profiler's own");
    shown
}

/// The trace with the file merged in.
fn merged() -> Trace {
    merge(&file(), &[]).trace()
}

/// What of a slice must be the JSON's, next to its thread.
fn line(name: &str, ts: i64, dur: i64, category: &str, args: &Value) -> String {
    format!("{name} {category} @{ts}+{dur} {args}")
}

/// The host's slices in a trace.
fn host_lines(trace: &Trace) -> Vec<String> {
    let host = trace.slices.iter().filter(|s| !is_device(&s.track) && !s.is_overview());
    host.map(|s| line(&s.name, s.ts, s.dur, &s.categories.join(","), &Value::Dict(s.args.clone())))
        .collect()
}
