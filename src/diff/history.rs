//! `bigtpuprofile diff --history`: a record of each run, and since which run a time is longer.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use bigtpu_answers::{HISTORY_SCHEMA_VERSION, History, HistoryVerdict, Record, Verdict};
use bigtpu_emit_diff::{FEW_ROWS, history_json, history_junit, history_lines, history_table};
use bigtpu_output::{ByLibrary, put};
use bigtpu_session::{Session, output_directory};

use super::input::{Source, sources};
use super::pooled;
use crate::args::diff::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::standard;
use crate::terminal::Screen;
use crate::written::written_lines;

/// The records, one a line; the result; the same for CI systems.
const RECORDS: &str = "history.jsonl";
const RESULT: &str = "history.json";
const JUNIT: &str = "history.junit.xml";

/// Adds the runs to the history in `dir` and shows since when times are longer.
pub(super) fn run(args: &Args, dir: &Path, session: &Session) -> Result<Verdict> {
    if args.after.is_some() {
        bail!("--history adds the runs of one path; give only that");
    }
    let found = sources(std::iter::once(&args.before).chain(&args.also_before))?;
    let mut records = read(&dir.join(RECORDS))?;
    let known = records.len();
    for source in &found {
        let record = Record::of(
            label(args, source),
            &pooled(&source.unit, &args.pool),
            &source.report(session)?,
        );
        if !records.iter().any(|old| old.is_same_run(&record)) {
            records.push(record);
        }
    }
    let history = History::of(&records, records.len() - known);
    let out = output_directory(dir)?;
    let mut lines = Vec::new();
    for record in &records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    let json = history_json(&history);
    let written = [
        out.write(RECORDS, &ByLibrary(&lines))?,
        out.write(RESULT, &ByLibrary(json.as_bytes()))?,
        out.write(JUNIT, &history_junit(&history))?,
    ];
    out.publish()?;
    if args.json {
        ignore_broken_pipe(standard::json(&json).map_err(Into::into))?;
    } else if !args.quiet {
        ignore_broken_pipe(show(&history, written.as_slice()))?;
    }
    let is_failure = args.fail_on_slower && history.verdict == HistoryVerdict::Slower;
    if is_failure {
        let _ = put!(standard::err(), "FAILED: {}\n", history.text);
    }
    Ok(match history.verdict {
        _ if is_failure => Verdict::Failed,
        HistoryVerdict::Skipped => Verdict::Skipped,
        HistoryVerdict::Ok | HistoryVerdict::Slower => Verdict::Ok,
    })
}

fn show(history: &History, written: &[bigtpu_output::Written]) -> Result<()> {
    let mut out = standard::out();
    for line in history_lines(history) {
        put!(out, "{}\n", Screen::stdout().text(line.for_library()))?;
    }
    let table = history_table(history, FEW_ROWS);
    if !table.is_empty() {
        put!(out, "{}\n{}\n", table.title(), render(&table))?;
    }
    for line in written_lines(written, true) {
        put!(out, "written: {}\n", line)?;
    }
    Ok(())
}

/// What the run is called.
fn label(args: &Args, source: &Source) -> String {
    args.label.clone().unwrap_or_else(|| source.name.clone())
}

/// The records so far; none where there is no file yet.
fn read(path: &Path) -> Result<Vec<Record>> {
    let name = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(anyhow!("{name}: cannot be read ({error})")),
    };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            let record: Record = serde_json::from_str(line)
                .with_context(|| format!("{name}, line {number}: is no record of a run"))?;
            if record.schema_version > HISTORY_SCHEMA_VERSION {
                bail!("{name}, line {number}: a newer version of the program wrote it; install that version");
            }
            Ok(record)
        })
        .collect()
}
