//! The analyzed dump, and how its records were used.

use std::collections::BTreeMap;

use bigtpu_messages::LocalizedText;
use bigtpu_timeline::{Completeness, Counts, Note, Profile, Quality, RuntimeEvent, Severity};
use serde::{Deserialize, Serialize};

/// The dump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DumpFacts {
    /// Chip.
    pub chip: String,
    /// A static model was run.
    pub is_static: bool,
    /// The times are a simulation's: nothing was measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// Cores shown.
    pub cores: u64,
    /// CDMA ports with a file.
    pub ports: u64,
    /// Events shown.
    pub events: u64,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// DMA clock in MHz.
    pub dma_mhz: f64,
}

impl DumpFacts {
    pub(crate) fn collect(profile: &Profile<'_>) -> Self {
        Self {
            chip: profile.chip.name.to_owned(),
            is_static: profile.is_static,
            simulated: profile.is_simulated,
            cores: profile.shown_cores().count() as u64,
            ports: profile.ports.len() as u64,
            events: profile.event_count() as u64,
            tiu_mhz: profile.clocks.tiu_mhz as f64,
            dma_mhz: profile.clocks.dma_mhz,
        }
    }
}

/// One engine's records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// Counts by their titles in `summary.txt`.
    pub counts: BTreeMap<String, u64>,
}

/// One thing that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct NoteFacts {
    /// Data was lost; else it is a warning.
    pub is_loss: bool,
    /// What, where, and what to do.
    #[serde(flatten)]
    pub text: LocalizedText,
}

/// What was read, corrected, left out or lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerFacts {
    /// Notes of lost data.
    pub losses: u64,
    /// Notes of what is in doubt, without loss of data.
    #[serde(default)]
    pub warnings: u64,
    /// Records that are missing or could not be used, as far as known.
    pub lost_records: u64,
    /// Whether the dump holds all that was written; absent in reports of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completeness: Option<CompletenessFacts>,
    /// Commands that are not sure, where damage touched any or some have no command while others have; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<QualityFacts>,
    /// Counts of records and commands, one line for each engine.
    pub lines: Vec<LedgerLine>,
    /// In words.
    pub notes: Vec<NoteFacts>,
    /// The runtime's own copies and barriers around a static model, outside the model's commands.
    #[serde(default)]
    pub runtime: Vec<RuntimeFacts>,
}

/// How many commands are not sure, by how well they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QualityFacts {
    /// Damage was put right by what is around it.
    pub repaired: u64,
    /// The command may be that of another launch, or the times can't be those of the record.
    pub doubtful: u64,
    /// No command is known.
    pub unnamed: u64,
}

impl QualityFacts {
    fn count(profile: &Profile<'_>) -> Option<Self> {
        let mut counts = Self::default();
        for track in profile.tracks() {
            for (_, quality) in track.events.doubts().iter() {
                match quality {
                    Quality::Sure => {}
                    Quality::Repaired => counts.repaired += 1,
                    Quality::Doubtful => counts.doubtful += 1,
                    Quality::Unnamed => counts.unnamed += 1,
                }
            }
        }
        (counts != Self::default()).then_some(counts)
    }
}

/// Whether the dump holds all that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompletenessFacts {
    /// `complete`, `unverified` or `incomplete`.
    pub verdict: String,
    /// What is missing, or why a missing part would not be noticed; at most `MOST_REASONS`.
    pub reasons: Vec<ReasonFacts>,
    /// Reasons that are left out.
    pub more_reasons: u64,
}

/// Reasons beyond this many are counted only: all losses are in the notes.
const MOST_REASONS: usize = 20;

/// Why a dump is incomplete, or why this can't be verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonFacts {
    /// The file.
    pub file: String,
    /// What is missing.
    #[serde(flatten)]
    pub text: LocalizedText,
}

impl CompletenessFacts {
    fn from_completeness(completeness: &Completeness) -> Self {
        let reasons = completeness.reasons();
        let fact = |note: &Note| ReasonFacts { file: note.file_name(), text: note.said() };
        Self {
            verdict: completeness.verdict().key().to_owned(),
            reasons: reasons.iter().take(MOST_REASONS).map(fact).collect(),
            more_reasons: reasons.len().saturating_sub(MOST_REASONS) as u64,
        }
    }
}

/// A copy or a part of a barrier that the runtime itself ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeFacts {
    /// Engine.
    pub engine: String,
    /// Core.
    pub core: u32,
    /// What it was, such as `runtime input copy`.
    pub what: String,
    /// `Cmd Id`.
    pub cmd_id: i64,
    /// ns; below 0 before the model's first command.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
    /// Bytes copied from DDR to DDR, by the counters; 0 for a barrier.
    pub bytes: u64,
}

impl RuntimeFacts {
    fn from_event(event: &RuntimeEvent) -> Self {
        Self {
            engine: event.engine_id.engine.name().to_owned(),
            core: event.engine_id.index,
            what: event.kind.name().to_owned(),
            cmd_id: event.id.saturating_add(1),
            start_ns: event.start,
            end_ns: event.end,
            bytes: event.bytes,
        }
    }
}

impl NoteFacts {
    /// A note of the ledger.
    #[must_use]
    pub fn from_note(note: &Note) -> Self {
        Self { is_loss: note.severity == Severity::Loss, text: note.said_with_place() }
    }
}

impl LedgerFacts {
    pub(crate) fn collect(profile: &Profile<'_>) -> Self {
        let ledger = &profile.ledger;
        let lines = ledger.lines.iter().map(|line| {
            let titles = Counts::TITLES.iter().map(|t| (*t).to_owned());
            LedgerLine {
                engine: line.engine_id.engine.name().to_owned(),
                index: line.engine_id.index,
                counts: titles.zip(line.counts.values()).collect(),
            }
        });
        let count =
            |severity| ledger.notes.iter().filter(|note| note.severity == severity).count() as u64;
        let notes = ledger.notes.iter().map(NoteFacts::from_note);
        Self {
            losses: count(Severity::Loss),
            warnings: count(Severity::Warning),
            lost_records: ledger.lines.iter().fold(0, |sum, l| sum.saturating_add(l.counts.lost)),
            completeness: Some(CompletenessFacts::from_completeness(&ledger.completeness)),
            quality: QualityFacts::count(profile),
            lines: lines.collect(),
            notes: notes.collect(),
            runtime: profile.runtime.iter().map(RuntimeFacts::from_event).collect(),
        }
    }
}
