//! What the runtime says it wrote against what is there (section 1).

use bigtpu_chip::Engine;
use bigtpu_format::{GLOBAL_PROFILE, RecordCount};

use crate::dump::Dump;
use crate::ledger::{Counts, Note, Place, Severity};

/// Whose records a line of `global.profile` counts, and what we found there.
struct Found {
    name: String,
    is_tiu: bool,
    /// `None`: there is no file.
    counts: Option<Counts>,
}

/// Notes for every record count that tells of a loss or disagrees with the files. `counts_of` tells what was found
/// of an engine, `None` where it has no file.
pub(crate) fn check_counts(dump: &Dump, counts_of: impl Fn(Place) -> Option<Counts>) -> Vec<Note> {
    let file = dump.root.join(GLOBAL_PROFILE);
    let mut notes = Vec::new();
    for record in &dump.global.records {
        let Some(found) = find(record, &counts_of) else { continue };
        for (severity, text) in verdicts(dump, record.count, &found) {
            notes.push(Note::of(severity, &file, text));
        }
    }
    notes
}

fn find(record: &RecordCount, counts_of: impl Fn(Place) -> Option<Counts>) -> Option<Found> {
    if let Some(port) = record.port() {
        let counts = counts_of(Place { index: port, engine: Engine::Cdma });
        return Some(Found { name: format!("CDMA port {port}"), is_tiu: false, counts });
    }
    let (core, engine) = record.core()?;
    let engine = match engine {
        "tiu" => Engine::Tiu,
        "gdma" => Engine::Gdma,
        "sdma" => Engine::Sdma,
        _ => return None,
    };
    let place = Place { index: core, engine };
    let is_tiu = engine == Engine::Tiu;
    Some(Found { name: place.to_string(), is_tiu, counts: counts_of(place) })
}

fn verdicts(dump: &Dump, said: u64, found: &Found) -> Vec<(Severity, String)> {
    let mut out = Vec::new();
    let name = &found.name;
    let strays = if found.is_tiu { dump.chip.edge_trim as u64 } else { 0 };
    let ring = dump.global.max_record_num.filter(|&ring| ring > 0);
    if let Some(ring) = ring.filter(|&ring| said >= ring) {
        let needed = found.counts.as_ref().map_or(0, |c| c.commands).max(said).saturating_add(1);
        let enough =
            needed.checked_next_power_of_two().unwrap_or(needed).max(ring.saturating_mul(2));
        out.push((
            Severity::Loss,
            format!(
                "{name}: the PMU ring of {ring} records was full ({said} written), so records were \
                 lost; profile again with max_record_num={enough}"
            ),
        ));
    } else if said == 1 && strays == 0 {
        let text = format!("{name}: a single record means truncated data");
        out.push((Severity::Warning, text));
    }
    match &found.counts {
        None if said > 0 => out.push((
            Severity::Loss,
            format!("{name}: {said} records were written, but the dump has no file for it"),
        )),
        Some(counts) if !(said..=said.saturating_add(2 * strays)).contains(&counts.read) => {
            let severity = if counts.read < said { Severity::Loss } else { Severity::Warning };
            out.push((
                severity,
                format!("{name}: {said} records were written, the file holds {}", counts.read),
            ));
        }
        _ => {}
    }
    out
}
