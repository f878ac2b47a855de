//! The index of all dumps: `index.json` and `index.md`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use bigtpu_output::{ByLibrary, Markdown, OutDir, Text, Written, put};
use serde::Serialize;

use super::entry::Entry;

/// Name of the index.
pub(crate) const INDEX_FILE: &str = "index.json";

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

/// Writes the index.
pub(crate) fn write(
    root: &Path,
    roots: &BTreeSet<String>,
    entries: &[Entry],
    skipped: &[String],
    out: &OutDir,
) -> Result<[Written; 2]> {
    let root = root.to_string_lossy().into_owned();
    let (tool, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let mut json = serde_json::to_vec_pretty(&Index {
        schema_version: INDEX_SCHEMA_VERSION,
        tool,
        version,
        root,
        roots,
        dumps: entries,
        skipped,
    })?;
    json.push(b'\n');
    let written =
        [out.write(INDEX_FILE, &ByLibrary(&json))?, out.write("index.md", &table(entries))?];
    out.publish()?;
    Ok(written)
}

/// The index as a Markdown table.
fn table(entries: &[Entry]) -> Text<Markdown> {
    let mut text = Text::of(
        "| dump | chip | cores | ports | events | duration (us) | status | notes |\n\
         |---|---|--:|--:|--:|--:|---|---|\n",
    );
    for entry in entries {
        let duration = entry.duration_us.map_or_else(String::new, |us| format!("{us:.3}"));
        let notes = entry.error.iter().chain(&entry.notes);
        put!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |\n",
            entry.dump,
            entry.chip.as_deref().unwrap_or_default(),
            entry.cores,
            entry.ports,
            entry.events,
            duration,
            entry.status.name(),
            Text::<Markdown>::joined(notes, "<br>")
        );
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
            text.ends_with("| a\\|b |  | 0 | 0 | 0 |  | failed | one\\\\u{a}two |\n"),
            "{text}"
        );
    }
}
