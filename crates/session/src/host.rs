//! A host trace, and the notes on it, which become part of the ledger.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bigtpu_answers::{HostAlignment, HostOptions};
use bigtpu_host_trace::{HostAlign, HostTrace, ReadOptions, TraceError};
use bigtpu_timeline::{Note, Profile, Severity};
use regex_lite::Regex;

/// A host trace and how the device is aligned with it.
#[derive(Debug, Clone)]
pub struct Host {
    /// The file that it was read from.
    pub file: PathBuf,
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
        let trace = Arc::new(HostTrace::open(file, &ReadOptions::default())?);
        Ok(Self { file: file.to_owned(), trace, align })
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
        notes(&self.file, &self.trace, self.align, profile)
    }
}

/// Notes on a host trace: losses for events that are not shown, warnings for doubtful times.
fn notes(file: &Path, host: &HostTrace, align: HostAlign, profile: &Profile<'_>) -> Vec<Note> {
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
    note(Severity::Warning, None, text.to_owned());
    notes
}
