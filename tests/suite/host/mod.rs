//! Host traces: everything in them is shown, to the nanosecond, next to the device.

mod alignment;
mod cases;
mod events;
mod faults;
mod launches;
mod phases;
mod torch;

use std::fs;
use std::path::Path;

use crate::support::case::case;
use crate::support::run::{Finished, analyze, analyzed};
use crate::support::trace::Trace;

/// A dump without a host trace of its own.
const CASE: &str = "aksv-mode1";

/// Merges a host trace into the trace of [`CASE`].
fn merge(host: &Path, args: &[&str]) -> Finished {
    let args = [&["--perfetto", "--trace_file", host.to_str().unwrap()], args].concat();
    analyzed(&case(CASE).dump(), &args)
}

/// Merges the text of a host trace, named `host.json`.
fn merge_text(text: &str, args: &[&str]) -> Finished {
    with_file(text, |path| merge(path, args))
}

/// The exit code of a strict merge.
fn strict_code(text: &str) -> Option<i32> {
    with_file(text, |path| {
        let args = ["--perfetto", "--strict", "--trace_file", path.to_str().unwrap()];
        analyze(&case(CASE).dump(), &args).said.code
    })
}

fn with_file<T>(text: impl AsRef<[u8]>, go: impl FnOnce(&Path) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("host.json");
    fs::write(&path, text).unwrap();
    go(&path)
}

/// Merges a list of events.
fn merge_events(events: &[&str]) -> Finished {
    merge_text(&format!("{{\"traceEvents\": [\n{}\n]}}", events.join(",\n")), &[])
}

/// Whether a track is the device's.
fn is_device(track: &str) -> bool {
    let derived = ["Critical Path", "Steps", "Host-Bound Idle"];
    let last = track.rsplit('/').next().unwrap_or(track);
    track.starts_with("Core ") || track.starts_with("CDMA") || derived.contains(&last)
}

/// When the first slice of the device starts.
fn first_on_device(trace: &Trace) -> i64 {
    trace.slices.iter().filter(|slice| is_device(&slice.track)).map(|slice| slice.ts).min().unwrap()
}

/// Host slices as `track name start+duration`, by time.
fn host_slices(trace: &Trace) -> Vec<String> {
    let mut found: Vec<_> =
        trace.slices.iter().filter(|s| !is_device(&s.track) && !s.is_overview()).collect();
    found.sort_by_key(|slice| (slice.ts, -slice.dur));
    found.iter().map(|s| format!("{} {} {}+{}", s.track, s.name, s.ts, s.dur)).collect()
}
