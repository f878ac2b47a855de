//! How large the rings of the PMU must be.

use bigtpu_chip::Engine;
use bigtpu_format::BlockKind;
use bigtpu_messages::{Arg, Message};
use bigtpu_timeline::{EngineId, FileSurvey, Profile, Survey};

/// The ring with the most records of a dump.
#[derive(Debug, Clone, Copy)]
pub struct Ring {
    /// Whose ring it is.
    pub engine: EngineId,
    /// Its records.
    pub records: u64,
    /// How many it can hold, where that is known.
    pub size: Option<u64>,
    /// Whether it is full: then older records were overwritten.
    pub is_full: bool,
    /// A size in which such a run fits.
    pub enough: u64,
}

impl Ring {
    /// The fullest ring of a dump, whose rings have `size` records each. A full ring shows a lower bound only; there
    /// the dispatched words of the core, at least one for each command, show an upper bound. `profile`, with all
    /// records read, has notes about rings that were overwritten.
    pub(super) fn most_used(
        survey: &Survey,
        profile: Option<&Profile<'_>>,
        size: Option<u64>,
    ) -> Option<Self> {
        let counts = survey.files.iter().flat_map(|file| {
            Engine::ALL.into_iter().map(move |engine| (file.records(engine), file, engine))
        });
        let (records, file, engine) = counts.max_by_key(|(records, ..)| *records)?;
        let words =
            |file: &FileSurvey| file.of_kind(BlockKind::DynData).map_or(0, |sum| sum.bytes / 4);
        let overwritten = profile.and_then(overwritten);
        let is_full =
            overwritten.is_some() || size.is_some_and(|size| records.saturating_add(1) >= size);
        let enough = match (overwritten, is_full) {
            (Some(enough), _) => enough,
            (None, true) => {
                let words = survey.files.iter().map(words).max().unwrap_or(0);
                records.saturating_mul(2).max(words)
            }
            (None, false) => records.saturating_add(1),
        };
        let engine = EngineId { index: file.index, engine };
        let enough = enough.next_multiple_of(1024);
        (records > 0).then_some(Self { engine, records, size, is_full, enough })
    }
}

/// The size that the notes ask for, where they say that rings were overwritten.
fn overwritten(profile: &Profile<'_>) -> Option<u64> {
    let asks = |message: &Message| match message.args.get("enough") {
        Some(Arg::Count(enough)) if ["note-lapped", "note-full-ring"].contains(&&*message.id) => {
            Some(*enough)
        }
        _ => None,
    };
    profile.ledger.notes.iter().filter_map(|note| asks(&note.message)).max()
}
