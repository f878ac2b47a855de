//! What is to be said of the host trace; it becomes part of the ledger.

use std::path::Path;

use bigtpu_emit_perfetto::events_before_zero;
use bigtpu_host_trace::HostTrace;
use bigtpu_timeline::{Note, Profile, Severity};

use crate::args::analyze::HostAlignArg;

/// Notes on a host trace: losses for events that are not shown, warnings for doubtful times.
pub(crate) fn host_notes(
    file: &Path,
    host: &HostTrace,
    align: HostAlignArg,
    profile: &Profile<'_>,
) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |severity, offset, text: String| {
        notes.push(Note { offset, ..Note::of(severity, file, text) });
    };
    let stats = &host.stats;
    for bad in &stats.first_bad {
        let text = format!("an event was left out: {}", bad.why);
        note(Severity::Loss, Some(bad.offset), text);
    }
    let more = stats.bad.saturating_sub(stats.first_bad.len() as u64);
    if more > 0 {
        note(Severity::Loss, None, format!("{more} more events were left out"));
    }
    for warning in &stats.warnings {
        note(Severity::Loss, Some(warning.offset), warning.text.clone());
    }
    let unmatched = stats.unmatched_begins + stats.unmatched_ends;
    if unmatched > 0 {
        let text = format!("{unmatched} begin or end events without a partner were left out");
        note(Severity::Warning, None, text);
    }
    let before = events_before_zero(profile, host, align.into());
    if before > 0 {
        let text = format!(
            "{before} events of device and host start before time 0, which a trace can't show: they are shown at 0"
        );
        note(Severity::Warning, None, text);
    }
    let aligned = host.anchors.device_offset(profile.tail_offset_ns, profile.latest_end).is_some();
    let text = match align {
        HostAlignArg::Anchors if !aligned => {
            "the host trace has no tpudnn event that says when the device ran, so host and device are not aligned: \
             device time starts at the host's first event"
        }
        HostAlignArg::Start => {
            "device time starts at the host's first event, as requested; host and device are not aligned"
        }
        HostAlignArg::Anchors => return notes,
    };
    note(Severity::Warning, None, text.to_owned());
    notes
}
