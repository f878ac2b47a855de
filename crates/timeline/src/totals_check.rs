//! Comparison of the runtime's record counts with the records in the files (section 1).

use bigtpu_chip::Engine;
use bigtpu_format::{GLOBAL_PROFILE, RecordCount};
use bigtpu_messages::{Arg, Message, message};

use crate::dump::Dump;
use crate::ledger::{Counts, EngineId};
use crate::note::{Note, Severity};
use crate::ring::size_that_holds;

/// Whose records a line of `global.profile` counts, and what we found there.
struct Found {
    engine_id: EngineId,
    name: Message,
    is_tiu: bool,
    /// `None`: there is no file.
    counts: Option<Counts>,
}

/// What the runtime's counts, or full rings, say about an engine.
pub(crate) struct Verdict {
    /// Whose records.
    pub(crate) engine_id: EngineId,
    /// Records that are missing, as far as known.
    pub(crate) missing: u64,
    pub(crate) note: Note,
}

/// Default ring sizes of the runtimes. If `global.profile` gives no size, a monitor with this number of records is full.
const USUAL_RINGS: [u64; 2] = [65_536, 131_072];

/// A verdict for every record count that means a loss or disagrees with the files, and for every full ring without
/// a count. `counts_of` shows what was found of an engine, `None` where it has no file.
pub(crate) fn check_counts(
    dump: &Dump,
    places: impl Iterator<Item = EngineId>,
    counts_of: impl Fn(EngineId) -> Option<Counts>,
) -> Vec<Verdict> {
    let file = dump.root.join(GLOBAL_PROFILE);
    let mut verdicts_of_all = Vec::new();
    let mut counted = Vec::new();
    for record in &dump.global.records {
        let Some(found) = find(record, &counts_of) else { continue };
        counted.push(found.engine_id);
        for (severity, missing, message) in verdicts(dump, record.count, &found) {
            let note = Note::about_file(severity, &file, message);
            verdicts_of_all.push(Verdict { engine_id: found.engine_id, missing, note });
        }
    }
    for engine_id in places.filter(|engine_id| !counted.contains(engine_id)) {
        let Some(counts) = counts_of(engine_id).filter(|counts| counts.rotated == 0) else {
            continue;
        };
        if let Some(ring) = full_ring(dump, engine_id.engine, counts.read) {
            let message = full_ring_note(engine_id.message(), ring, counts.read, counts.commands);
            let note = Note::about_file(Severity::Loss, &file, message);
            verdicts_of_all.push(Verdict { engine_id, missing: 0, note });
        }
    }
    verdicts_of_all
}

/// The size of the ring that so many records fill, if they do. The DMA engines' results lie at multiples of 128 bytes,
/// so that an odd number of their records of 64 bytes leaves one slot unused.
fn full_ring(dump: &Dump, engine: Engine, records: u64) -> Option<u64> {
    match dump.global.max_record_num.filter(|&ring| ring > 0) {
        Some(ring) => {
            let is_dma = matches!(engine, Engine::Gdma | Engine::Sdma);
            let usable = if is_dma && dump.chip.record_bytes.1 == 64 { ring & !1 } else { ring };
            (records >= usable.max(1)).then_some(ring)
        }
        None => USUAL_RINGS.into_iter().find(|&ring| records == ring),
    }
}

/// Says that a ring was full, and what size would do.
fn full_ring_note(place: Message, ring: u64, written: u64, commands: u64) -> Message {
    let enough = size_that_holds(commands.max(written), ring);
    message!("note-full-ring", place = place, ring = ring, written = written, enough = enough)
}

fn find(record: &RecordCount, counts_of: impl Fn(EngineId) -> Option<Counts>) -> Option<Found> {
    if let Some(port) = record.port() {
        let engine_id = EngineId { index: port, engine: Engine::Cdma };
        let name = message!("place-cdma-port", port = Arg::Number(port.into()));
        return Some(Found { engine_id, name, is_tiu: false, counts: counts_of(engine_id) });
    }
    let (core, engine) = record.core()?;
    let engine = match engine {
        "tiu" => Engine::Tiu,
        "gdma" => Engine::Gdma,
        "sdma" => Engine::Sdma,
        _ => return None,
    };
    let engine_id = EngineId { index: core, engine };
    let is_tiu = engine == Engine::Tiu;
    Some(Found { engine_id, name: engine_id.message(), is_tiu, counts: counts_of(engine_id) })
}

fn verdicts(dump: &Dump, said: u64, found: &Found) -> Vec<(Severity, u64, Message)> {
    let mut out = Vec::new();
    let place = || found.name.clone();
    let strays = if found.is_tiu { dump.chip.edge_trim as u64 } else { 0 };
    if let Some(ring) = full_ring(dump, found.engine_id.engine, said) {
        let commands = found.counts.as_ref().map_or(0, |c| c.commands);
        out.push((Severity::Loss, 0, full_ring_note(place(), ring, said, commands)));
    } else if said == 1 && strays == 0 {
        out.push((Severity::Warning, 0, message!("note-single-record", place = place())));
    }
    match &found.counts {
        None if said > 0 => out.push((
            Severity::Loss,
            said,
            message!("note-no-file", place = place(), written = said),
        )),
        Some(counts) if !(said..=said.saturating_add(2 * strays)).contains(&counts.read) => {
            let missing = said.saturating_sub(counts.read);
            // More records than were written are those of another capture, or are there twice.
            let (place, held) = (place(), counts.read);
            let message = match missing {
                0 => message!("note-other-count", place = place, written = said, held = held),
                lost => message!(
                    "note-fewer-records",
                    place = place,
                    written = said,
                    held = held,
                    lost = lost,
                ),
            };
            out.push((Severity::Loss, missing, message));
        }
        _ => {}
    }
    out
}
