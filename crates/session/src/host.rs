//! A host trace, and the notes on it, which become part of the ledger.

use std::path::Path;
use std::sync::Arc;

use bigtpu_answers::{HostAlignment, HostOptions};
use bigtpu_host_trace::{
    FileClock, Hidden, HostAlign, HostFile, HostTrace, Outliers, ReadOptions, TraceError,
};
use bigtpu_timeline::{Note, Profile, Severity};
use regex_lite::Regex;

/// A host trace and how the device is aligned with it.
#[derive(Debug, Clone)]
pub struct Host {
    /// Its events.
    pub trace: Arc<HostTrace>,
    /// How device time is put on its time line.
    pub align: HostAlign,
}

impl Host {
    /// Reads a host trace.
    ///
    /// # Errors
    /// As [`HostTrace::open`].
    pub fn open(file: &Path, align: HostAlign) -> Result<Self, TraceError> {
        Self::open_all(&[file], align)
    }

    /// Reads host traces of one run, on the clock of the first.
    ///
    /// # Errors
    /// As [`HostTrace::open_all`].
    pub fn open_all(files: &[impl AsRef<Path>], align: HostAlign) -> Result<Self, TraceError> {
        let trace = Arc::new(HostTrace::open_all(files, &ReadOptions::default())?);
        Ok(Self { trace, align })
    }

    /// The files that it was read from.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.trace.files.iter().map(|file| file.path.as_path())
    }

    /// What to add to the profile's times, in ns, so that they lie on the host's time line.
    #[must_use]
    pub fn device_offset(&self, profile: &Profile<'_>) -> i64 {
        self.align.device_offset(&self.trace, profile.tail_offset_ns, profile.latest_end)
    }

    /// How the host's calls are compared with the profile's launches.
    pub(crate) fn options<'a>(
        &self,
        profile: &Profile<'_>,
        step: Option<&'a Regex>,
    ) -> HostOptions<'a> {
        let (tail, end) = (profile.tail_offset_ns, profile.latest_end);
        let anchors = &self.trace.anchors;
        let alignment = match self.align {
            HostAlign::Start => HostAlignment::None,
            HostAlign::Anchors if anchors.device_offset(tail, end).is_none() => HostAlignment::None,
            HostAlign::Anchors if tail.is_some() && anchors.disable_end.is_some() => {
                HostAlignment::DisableProfile
            }
            HostAlign::Anchors => HostAlignment::FirstCall,
        };
        HostOptions { alignment, offset_ns: self.device_offset(profile), step }
    }

    /// What is lost or doubtful of the host trace, for the ledger.
    pub(crate) fn notes(&self, profile: &Profile<'_>) -> Vec<Note> {
        notes(&self.trace, self.align, profile)
    }
}

/// Notes on a host trace: losses for events that are not shown, warnings for doubtful times.
fn notes(host: &HostTrace, align: HostAlign, profile: &Profile<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> = host.files.iter().flat_map(notes_of_file).collect();
    let path = host.files.first().map_or(Path::new(""), |file| file.path.as_path());
    let mut note = |severity, text: String| notes.push(Note::of(severity, path, text));
    for (outliers, what) in [
        (
            host.bulk.early,
            "before the others: they are shown where the others begin, with their own time as an argument",
        ),
        (host.bulk.late, "behind the others"),
    ] {
        if let Some(Outliers { count, first_ns, last_ns, gap_ns }) = outliers {
            let text = format!(
                "{count} events with times from {first_ns} to {last_ns} ns lie {} s {what}",
                gap_ns / 1_000_000_000
            );
            note(Severity::Warning, text);
        }
    }
    let aligned = host.anchors.device_offset(profile.tail_offset_ns, profile.latest_end).is_some();
    let text = match align {
        HostAlign::Anchors if !aligned => {
            "the host trace has no tpudnn event that says when the device ran, so host and device are not aligned: \
             device time starts at the host's first event"
        }
        HostAlign::Start => {
            "device time starts at the host's first event, as requested; host and device are not aligned"
        }
        HostAlign::Anchors => return notes,
    };
    note(Severity::Warning, text.to_owned());
    notes
}

/// Notes on one file of a host trace.
fn notes_of_file(file: &HostFile) -> Vec<Note> {
    let HostFile { path, stats, tally, clock } = file;
    let mut notes = Vec::new();
    let mut note = |severity, offset, text: String| {
        notes.push(Note { offset, ..Note::of(severity, path, text) });
    };
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
    if stats.skipped_counter_values > 0 {
        let text = format!(
            "{} values of counters are no finite numbers and are not shown",
            stats.skipped_counter_values
        );
        note(Severity::Warning, None, text);
    }
    let unknown = tally.hidden.iter().filter(|(why, _)| matches!(why, Hidden::Phase(_)));
    let unknown: Vec<String> = unknown.map(|(why, count)| format!("{count} {why}")).collect();
    if !unknown.is_empty() {
        let text =
            format!("events of phases that are not known are not shown: {}", unknown.join(", "));
        note(Severity::Warning, None, text);
    }
    if stats.repaired > 0 {
        let text = format!("{} events are no valid JSON and were repaired", stats.repaired);
        note(Severity::Note, None, text);
    }
    match clock {
        FileClock::First => {}
        FileClock::Moved(by) => {
            let text = format!(
                "{by} ns were added to its times, by the baseTimeNanoseconds of both files"
            );
            note(Severity::Note, None, text);
        }
        FileClock::Unknown => {
            let text = "no baseTimeNanoseconds says how its clock and that of the first host trace differ: its times are \
                        shown as they are";
            note(Severity::Warning, None, text.to_owned());
        }
        FileClock::TooFar => {
            let text = "its times and those of the first host trace are too far apart: they are shown as they are";
            note(Severity::Warning, None, text.to_owned());
        }
    }
    note(Severity::Note, None, tally.to_string());
    notes
}
