//! What the runtime says it wrote against what is there (section 1).

use bigtpu_chip::Engine;
use bigtpu_format::{GLOBAL_PROFILE, RecordCount};

use crate::cdma::Port;
use crate::dump::Dump;
use crate::join::JoinedCore;
use crate::ledger::{Counts, Note, Severity};

/// Whose records a line of `global.profile` counts, and what we found there.
struct Found<'a> {
    name: String,
    is_tiu: bool,
    /// `None`: there is no file.
    counts: Option<&'a Counts>,
}

/// Adds a note for every record count that tells of a loss or disagrees with the files.
pub(crate) fn check_counts(
    dump: &Dump,
    cores: &[(u32, JoinedCore<'_>)],
    ports: &[Port<'_>],
    notes: &mut Vec<Note>,
) {
    let file = dump.root.join(GLOBAL_PROFILE);
    for record in &dump.global.records {
        let Some(found) = find(record, cores, ports) else { continue };
        for (severity, text) in verdicts(dump, record.count, &found) {
            notes.push(Note::of(severity, &file, text));
        }
    }
}

fn find<'a>(
    record: &RecordCount,
    cores: &'a [(u32, JoinedCore<'_>)],
    ports: &'a [Port<'_>],
) -> Option<Found<'a>> {
    if let Some(port) = record.port() {
        let counts = ports.iter().find(|p| p.index == port).map(|p| &p.counts);
        return Some(Found { name: format!("CDMA port {port}"), is_tiu: false, counts });
    }
    let (core, engine) = record.core()?;
    let engine = match engine {
        "tiu" => Engine::Tiu,
        "gdma" => Engine::Gdma,
        "sdma" => Engine::Sdma,
        _ => return None,
    };
    let counts = cores
        .iter()
        .find(|(index, _)| *index == core)
        .and_then(|(_, joined)| joined.counts.get(engine as usize));
    let name = format!("core {core} {}", engine.name());
    Some(Found { name, is_tiu: engine == Engine::Tiu, counts })
}

fn verdicts(dump: &Dump, said: u64, found: &Found<'_>) -> Vec<(Severity, String)> {
    let mut out = Vec::new();
    let name = &found.name;
    let strays = if found.is_tiu { dump.chip.edge_trim as u64 } else { 0 };
    let ring = dump.global.max_record_num.filter(|&ring| ring > 0);
    if let Some(ring) = ring.filter(|&ring| said >= ring) {
        let needed = found.counts.map_or(0, |c| c.commands).max(said).saturating_add(1);
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
    match found.counts {
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
