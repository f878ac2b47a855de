//! How much a trace tells of each command, and what a run says where that is not all.

use bigtpu_chip::Engine;
use bigtpu_emit_perfetto::TraceDetail;
use bigtpu_timeline::{Dump, Survey};

/// What all of a trace takes instead of a light one.
pub(crate) const FULL: &str = "--detail full writes all";

/// What is said where a trace is light because it has many commands; `asked`: what was asked for.
pub(crate) fn note(asked: Option<TraceDetail>, commands: usize, remedy: &str) -> Option<String> {
    let is_light = TraceDetail::of_commands(commands) == TraceDetail::Light;
    (is_light && asked.is_none()).then(|| {
        format!(
            "note: {commands} events in the trace: above {} it has no addresses and shapes, and means of counters; {remedy}",
            TraceDetail::MOST_FULL
        )
    })
}

/// Records of all dumps: about as many commands, of dumps that are not in memory at a time.
pub(crate) fn records(opened: &[Dump]) -> usize {
    let of_dump = |dump: &Dump| -> u64 {
        let files = Survey::of(dump).files;
        files.iter().flat_map(|file| Engine::ALL.map(|engine| file.records(engine))).sum()
    };
    usize::try_from(opened.iter().map(of_dump).sum::<u64>()).unwrap_or(usize::MAX)
}
