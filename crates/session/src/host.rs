//! A host trace, and the notes on it, which become part of the ledger.

use std::path::Path;
use std::sync::Arc;

use bigtpu_answers::{HostAlignment, HostInput, NoteFacts};
use bigtpu_format::Files;
use bigtpu_host_trace::{
    FileClock, Hidden, HostAlign, HostFile, HostTrace, Outliers, ReadOptions, TraceError,
};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_timeline::{Note, Profile, Severity};

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
        Self::open_all(&[file], &Files::default(), align)
    }

    /// Reads host traces of one run, on the clock of the first.
    ///
    /// # Errors
    /// As [`HostTrace::open_all`].
    pub fn open_all(
        paths: &[impl AsRef<Path>],
        files: &Files,
        align: HostAlign,
    ) -> Result<Self, TraceError> {
        let read = HostTrace::read_all(paths, |path| files.open(path), &ReadOptions::default());
        let trace = Arc::new(read?);
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

    /// What the analysis of a profile takes of it: the host's calls are compared with the profile's launches.
    pub(crate) fn input(&self, profile: &Profile<'_>) -> HostInput {
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
        HostInput {
            trace: Arc::clone(&self.trace),
            alignment,
            offset_ns: self.device_offset(profile),
            notes: self.notes(profile).iter().map(NoteFacts::from_note).collect(),
        }
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
    let mut note =
        |message: Message| notes.push(Note::about_file(Severity::Warning, path, message));
    let far = |outliers: &Outliers, place: &'static str| {
        let Outliers { count, first_ns, last_ns, gap_ns } = *outliers;
        message!(
            "note-far-events",
            events = count,
            first = Arg::TimeNs(first_ns),
            last = Arg::TimeNs(last_ns),
            seconds = Arg::Number(gap_ns / 1_000_000_000),
            place = Message::new(place),
        )
    };
    host.bulk.early.iter().for_each(|early| note(far(early, "note-before-others")));
    host.bulk.late.iter().for_each(|late| note(far(late, "note-behind-others")));
    let aligned = host.anchors.device_offset(profile.tail_offset_ns, profile.latest_end).is_some();
    match align {
        HostAlign::Anchors if !aligned => note(Message::new("note-host-not-aligned")),
        HostAlign::Start => note(Message::new("note-host-start")),
        HostAlign::Anchors => {}
    }
    notes
}

/// Notes on one file of a host trace.
fn notes_of_file(file: &HostFile) -> Vec<Note> {
    let HostFile { path, stats, tally, clock } = file;
    let mut notes = Vec::new();
    let mut note = |severity, offset, message: Message| {
        notes.push(Note { offset, ..Note::about_file(severity, path, message) });
    };
    for bad in &stats.first_bad {
        let why = bad.why.message();
        note(Severity::Loss, Some(bad.offset), message!("note-event-left-out", why = why));
    }
    let more = stats.bad.saturating_sub(stats.first_bad.len() as u64);
    if more > 0 {
        note(Severity::Loss, None, message!("note-more-events", more = more));
    }
    for warning in &stats.warnings {
        note(Severity::Loss, Some(warning.offset), warning.message.clone());
    }
    let unmatched = stats.unmatched_begins + stats.unmatched_ends;
    if unmatched > 0 {
        note(Severity::Warning, None, message!("note-unpaired-events", events = unmatched));
    }
    if stats.skipped_counter_values > 0 {
        let values = stats.skipped_counter_values;
        note(Severity::Warning, None, message!("note-counter-values", values = values));
    }
    let unknown = tally.hidden.iter().filter(|(why, _)| matches!(why, Hidden::Phase(_)));
    let unknown: Vec<Message> = unknown.map(|(why, count)| why.counted(*count)).collect();
    if !unknown.is_empty() {
        let message = message!("note-unknown-phases", events = Arg::Items(unknown));
        note(Severity::Warning, None, message);
    }
    if stats.repaired > 0 {
        note(Severity::Note, None, message!("note-repaired", events = stats.repaired));
    }
    match clock {
        FileClock::First => {}
        FileClock::Moved(by) => {
            note(Severity::Note, None, message!("note-clock-moved", by = Arg::TimeNs(*by)));
        }
        FileClock::Unknown => {
            note(Severity::Warning, None, Message::new("note-clock-unknown"));
        }
        FileClock::TooFar => note(Severity::Warning, None, Message::new("note-clock-too-far")),
    }
    let severity = if tally.shows_all() { Severity::Detail } else { Severity::Note };
    note(severity, None, tally.message());
    notes
}
