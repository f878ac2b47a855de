//! The index of all dumps: `index.json`, `index.md`, and what they say together, `index.html`.

use std::collections::BTreeSet;
use std::path::Path;

use bigtpu_answers::{FleetDump, FleetOverview, PlacedRun, Pooling, RunPlace, RunProgram, units};
use bigtpu_chip::Chip;
use bigtpu_emit_text::{FLEET_PAGE, FleetPage, FleetProblem, fleet_phases};
use bigtpu_emit_web::PAGE_FILE;
use bigtpu_output::{Json, Markdown, Markup, OutDir, Text, Written, put};
use serde::Serialize;

use super::entry::{Entry, Status};
use super::error::BatchError;
use super::identity::Identity;

/// Name of the index.
pub(crate) const INDEX_FILE: &str = "index.json";
/// The index as a table.
pub(crate) const INDEX_TABLE: &str = "index.md";

/// Version of the index's layout: it rises when a field is renamed, removed or changes its meaning. Its schema is
/// `docs/index.schema.json`.
const INDEX_SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Index<'a> {
    schema_version: u32,
    tool: &'static str,
    version: &'static str,
    root: String,
    /// Absolute paths of all roots whose dumps are listed.
    roots: &'a BTreeSet<String>,
    /// Failed ones first, then those with lost data.
    dumps: &'a [Entry],
    /// Directories that were left out, and why.
    skipped: &'a [String],
}

/// Names the workload of each dump: where directories are of different programs, their names are those of workloads and not of hosts.
fn name_workloads(entries: &mut [Entry]) {
    let known: Vec<(usize, RunPlace, RunProgram)> = entries
        .iter()
        .enumerate()
        .filter_map(|(number, entry)| {
            let program = entry.facts.as_ref()?.program(entry.chip.as_deref().unwrap_or_default());
            Some((number, Identity::place(entry.place()), program))
        })
        .collect();
    let placed: Vec<PlacedRun<'_>> =
        known.iter().map(|(_, place, program)| PlacedRun { place, program, side: 0 }).collect();
    let (units, _) = units(&placed, &Pooling::default());
    for ((number, place, _), unit) in known.iter().zip(units) {
        let Some(entry) = entries.get_mut(*number) else { continue };
        // Of an earlier batch the index may say something else.
        entry.identity.host = match unit.workload {
            Some(_) => place.host.clone(),
            None => Identity::of_place(entry.place()).host,
        };
        entry.identity.workload = unit.workload;
    }
}

/// Writes the index.
pub(crate) fn write(
    root: &Path,
    roots: &BTreeSet<String>,
    entries: &[Entry],
    skipped: &[String],
    out: &OutDir,
) -> Result<[Written; 3], BatchError> {
    let mut entries = entries.to_vec();
    name_workloads(&mut entries);
    let entries = entries.as_slice();
    let root = root.to_string_lossy().into_owned();
    let (tool, version) = ("bigtpuprofile", env!("CARGO_PKG_VERSION"));
    let mut json = serde_json::to_string_pretty(&Index {
        schema_version: INDEX_SCHEMA_VERSION,
        tool,
        version,
        root,
        roots,
        dumps: entries,
        skipped,
    })?;
    json.push('\n');
    let written = [
        out.write(INDEX_FILE, &Json::in_file(&json))?,
        out.write(INDEX_TABLE, &table(entries))?,
        out.write(FLEET_PAGE, &overview(entries))?,
    ];
    out.publish()?;
    Ok(written)
}

/// The page of all dumps.
fn overview(entries: &[Entry]) -> Text<Markup> {
    let known: Vec<(&Entry, FleetDump<'_>)> =
        entries.iter().filter_map(|entry| Some((entry, fleet_dump(entry)?))).collect();
    let dumps: Vec<FleetDump<'_>> = known.iter().map(|(_, dump)| *dump).collect();
    let page = |(entry, _): &(&Entry, _)| {
        let own = entry.files.iter().find(|file| file.name == PAGE_FILE)?;
        let path = if entry.dump.is_empty() { String::new() } else { format!("{}/", entry.dump) };
        Some(path + &own.name)
    };
    let pages: Vec<Option<String>> = known.iter().map(page).collect();
    let problems: Vec<FleetProblem<'_>> =
        entries.iter().filter(|entry| entry.status != Status::Whole).map(problem).collect();
    let overview = FleetOverview::compare(&dumps);
    let shown =
        FleetPage { dumps: &dumps, pages: &pages, overview: &overview, problems: &problems };
    shown.text()
}

/// An entry that failed, or of which something is missing.
fn problem(entry: &Entry) -> FleetProblem<'_> {
    FleetProblem {
        dump: &entry.dump,
        status: entry.status.name(),
        texts: entry.error.iter().chain(&entry.notes).map(String::as_str).collect(),
    }
}

/// An entry as a dump of the fleet; `None` where it failed.
fn fleet_dump(entry: &Entry) -> Option<FleetDump<'_>> {
    Some(FleetDump {
        dump: &entry.dump,
        chip: entry.chip.as_deref().unwrap_or_default(),
        host: entry.identity.host.as_deref(),
        run: entry.identity.run.as_deref(),
        device: entry.identity.device,
        call: entry.identity.call,
        facts: entry.facts.as_ref()?,
    })
}

/// The index as a Markdown table.
fn table(entries: &[Entry]) -> Text<Markdown> {
    let mut text = Text::literal(
        "| dump | chip | cores | ports | events | duration (us) | compute | exposed transfer | sync | idle | top kernel | \
         first advice | status | notes |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|---|---|\n",
    );
    for entry in entries {
        let duration = entry.duration_us.map_or_else(String::new, |us| format!("{us:.3}"));
        let notes = entry.error.iter().chain(&entry.notes);
        put!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            entry.dump,
            entry.chip.as_deref().map(Chip::title_of).unwrap_or_default(),
            entry.cores,
            entry.ports,
            entry.events,
            duration
        );
        match &entry.facts {
            None => {
                text.own(" | | | | | |");
            }
            Some(facts) => {
                for share in fleet_phases(facts) {
                    put!(text, " {} |", share);
                }
                let kernel = facts.kernels.first().map_or("", |kernel| kernel.name.as_str());
                let advice = facts.advice.first().map_or("", |advice| advice.id.as_str());
                put!(text, " {} | {} |", kernel, advice);
            }
        }
        put!(text, " {} | {} |\n", entry.status.name(), Text::<Markdown>::joined(notes, "<br>"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stays_a_row() {
        let entry = Entry::failed(Path::new("a|b"), "one\ntwo".to_owned());
        let text = table(&[entry]);
        let text = text.as_str();
        assert_eq!(text.lines().count(), 3);
        assert!(
            text.ends_with("| a\\|b |  | 0 | 0 | 0 |  | | | | | | | failed | one\\\\u{a}two |\n"),
            "{text}"
        );
    }
}
