//! Where outputs go, and which names they have.

use std::path::{Component, Path, PathBuf};

use bigtpu_emit::report::REPORT_FILE;
use bigtpu_emit_events::is_partition;
use bigtpu_emit_perfetto::{CHROME_TRACE_FILE, TRACE_FILE};
use bigtpu_emit_text::{BRIEF_FILE, DUMPS_PAGE, SUMMARY_FILE, is_register_text};
use bigtpu_emit_web::{DATA_FILE, PAGE_FILE};
use bigtpu_format::GLOBAL_PROFILE;
use bigtpu_messages::error_message;
use bigtpu_output::{Document, OutDir, OutputError, Written};

use crate::batch::DONE;

/// The report of devices that links join.
pub const CLUSTER_REPORT: &str = "cluster.json";

/// Makes an output directory. All commands that write files for users come through here: a dump, and what is in it, is
/// refused, unless it is a new directory or one with results of earlier runs only.
///
/// # Errors
/// [`OutputError`] when the directory can't be made, is a file, or holds a dump.
pub fn output_directory(path: &Path) -> Result<OutDir, OutputError> {
    OutDir::create_outside(path, GLOBAL_PROFILE, is_result)
}

/// The file that `-o` of a command with one output names: a directory that is there gets the file under its usual name.
#[must_use]
pub fn file_or_in_directory(path: &Path, usual_name: &str) -> PathBuf {
    if path.is_dir() { path.join(usual_name) } else { path.to_owned() }
}

/// Writes a file that the user named, in the place of a former file of this name.
///
/// # Errors
/// As [`output_directory`]; also when the file can't be written.
pub fn write_file(path: &Path, document: &impl Document) -> Result<Written, OutputError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let name =
        path.file_name().and_then(|name| name.to_str()).ok_or_else(|| OutputError::File {
            path: path.to_owned(),
            source: std::io::Error::other(error_message!("problem-no-file-name")),
        })?;
    let out = output_directory(parent.unwrap_or(Path::new(".")))?.for_any_name();
    let mut written = out.write(name, document)?;
    out.publish()?;
    // As the user wrote it.
    path.clone_into(&mut written.path);
    Ok(written)
}

/// Whether a command writes a file of this name, relative to its output directory. Such files are not removed, but a
/// directory with them only is no part of a dump.
fn is_result(name: &Path) -> bool {
    // The dumps of a batch may lie deeper than one directory.
    let mut below = Some(name);
    while let Some(name) = below {
        if is_own_output(name) || is_table(name) || is_command_file(name) {
            return true;
        }
        below = below_a_dump(name).filter(|name| !name.as_os_str().is_empty());
    }
    false
}

fn is_command_file(name: &Path) -> bool {
    COMMAND_FILES.iter().any(|known| Path::new(known) == name)
        || bigtpu_emit_xlsx::is_workbook(name)
}

/// The files of all commands but the analysis of a dump.
const COMMAND_FILES: &[&str] = &[
    // the names of other programs
    bigtpu_emit_web::FLAT_PAGE_FILE,
    bigtpu_emit_events::COMMAND_LINES_FILE,
    "layer.csv",
    "instruction.csv",
    "summary.csv",
    "mac_util.csv",
    // whatif
    "whatif.json",
    "whatif.html",
    "whatif.pftrace",
    // diff
    "diff.txt",
    "diff.md",
    "diff.json",
    bigtpu_emit_text::diff::HTML_FILE,
    "diff.junit.xml",
    crate::diff::RECORDS,
    crate::diff::RESULT,
    crate::diff::JUNIT,
    crate::diff::PAGE,
    // batch
    DONE,
    crate::batch::INDEX_FILE,
    crate::batch::INDEX_TABLE,
    bigtpu_emit_text::FLEET_PAGE,
    // pipeline
    "pipeline.svg",
    "pipeline.html",
    "pipeline.pftrace",
    // estimate
    "estimate.html",
    "estimate.json",
    "llm.html",
    "llm.json",
    "costs.json",
    // simulate
    "simulate.json",
    "simulate.html",
    "simulate.pftrace",
    "commands.csv",
    // cluster
    bigtpu_emit_cluster::TRACE_FILE,
    "operations.parquet",
    "pairs.parquet",
    "states.parquet",
    "links.parquet",
];

/// Whether an analysis, or one of several dumps, writes a file of this name, relative to its output directory. Only such
/// files of an earlier run are ever removed.
#[must_use]
pub fn is_output(name: &Path) -> bool {
    is_own_output(name) || below_a_dump(name).is_some_and(is_own_output)
}

/// Whether a batch writes a file of this name to its data set, relative to its output directory.
#[must_use]
pub fn is_table(name: &Path) -> bool {
    name.strip_prefix("events").is_ok_and(is_partition)
}

/// The name below the directory of one of several dumps.
fn below_a_dump(name: &Path) -> Option<&Path> {
    let mut parts = name.components();
    matches!(parts.next(), Some(Component::Normal(_))).then(|| parts.as_path())
}

fn is_own_output(name: &Path) -> bool {
    let fixed = [
        SUMMARY_FILE,
        REPORT_FILE,
        BRIEF_FILE,
        DUMPS_PAGE,
        TRACE_FILE,
        CHROME_TRACE_FILE,
        PAGE_FILE,
        DATA_FILE,
        bigtpu_emit_xlsx::NAME,
        bigtpu_emit_events::PARQUET_FILE,
        bigtpu_emit_events::CSV_FILE,
        bigtpu_emit_events::LAYERS_FILE,
        bigtpu_emit_events::INSTRUCTIONS_FILE,
        bigtpu_emit_events::OPERATIONS_FILE,
        // Of several devices that links join.
        bigtpu_emit_cluster::PAGE_FILE,
        CLUSTER_REPORT,
    ];
    fixed.iter().any(|fixed| Path::new(fixed) == name)
        || name.to_str().is_some_and(is_register_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_outputs_are_known() {
        for name in [
            "summary.txt",
            "report.md",
            "PerfWeb/result.html",
            "tiuRegInfo_12.txt",
            "dev0-0/report.json",
        ] {
            assert!(is_output(Path::new(name)), "{name}");
        }
        for name in [
            "cdmlib0_0.profile",
            "global.profile",
            "tiuRegInfo_.txt",
            "tiuRegInfo_1/2.txt",
            "a/b/summary.txt",
            ".ssh/id",
            "",
        ] {
            assert!(!is_output(Path::new(name)), "{name}");
        }
        for name in ["history.jsonl", "index.md", "d1/report.json", "a/b/d1/batch.json", "llm.html"]
        {
            assert!(is_result(Path::new(name)), "{name}");
        }
        for name in ["global.profile", "d1/global.profile", "notes.txt", "d1/notes.txt"] {
            assert!(!is_result(Path::new(name)), "{name}");
        }
        assert!(is_table(Path::new(
            "events/host=a/run=__HIVE_DEFAULT_PARTITION__/device=0/call=1/a~b.parquet"
        )));
        for name in [
            "events/a.parquet",
            "events/device=0/call=1/a.parquet",
            "events/host=a/run=1/device=0/call=1/../a.parquet",
        ] {
            assert!(!is_table(Path::new(name)), "{name}");
        }
    }
}
