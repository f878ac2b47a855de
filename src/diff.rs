//! `bigtpuprofile diff`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use bigtpu_answers::{Diff, Gate, Report, Run, Verdict, diff};
use bigtpu_emit::{OutDir, Written};
use bigtpu_emit_diff::{FEW_ROWS, headline, json, tables, verdict_lines};
use bigtpu_emit_report::{REPORT_FILE, read_index, read_json};
use bigtpu_session::{Session, Settings};

use crate::args::diff::Args;
use crate::batch::index::INDEX_FILE;
use crate::console::{ignore_broken_pipe, render};
use crate::written::written_lines;

/// Compares, shows, writes, and checks the limits.
pub(crate) fn run(args: &Args) -> Result<Verdict> {
    let session = Session::from(Settings { hardware: args.roofs.read()?, ..Settings::default() });
    let before = runs(std::iter::once(&args.before).chain(&args.also_before), &session)?;
    let after = runs(std::iter::once(&args.after).chain(&args.also_after), &session)?;
    let diff = diff(&before, &after);
    let gate = Gate::check(&args.fail_on, args.fail_on_unmatched, &diff);
    let written = match &args.out {
        Some(dir) => {
            let out = OutDir::create(dir)?;
            let written = bigtpu_emit_diff::write(&diff, &gate, &out)?;
            out.publish()?;
            written
        }
        None => Vec::new(),
    };
    let (ok, told): (Vec<String>, Vec<String>) =
        verdict_lines(&gate).into_iter().partition(|line| line.starts_with("ok: "));
    if args.json {
        ignore_broken_pipe(print(&json(&diff, &gate)))?;
    } else if !args.quiet {
        ignore_broken_pipe(show(&diff, &ok, &written))?;
    }
    // What ends a build has to be seen wherever its output goes; a reader that went away is no reason to stop.
    let mut err = std::io::stderr().lock();
    for line in &told {
        let _ = writeln!(err, "{line}");
    }
    Ok(gate.verdict)
}

fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn show(diff: &Diff, ok: &[String], written: &[Written]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in headline(diff) {
        writeln!(out, "{line}")?;
    }
    for table in tables(diff, FEW_ROWS) {
        writeln!(out, "{}\n{}", table.title, render(&table))?;
    }
    for line in ok {
        writeln!(out, "{line}")?;
    }
    for line in written_lines(written, true) {
        writeln!(out, "written: {line}")?;
    }
    Ok(())
}

/// The runs of a side.
fn runs<'a>(paths: impl Iterator<Item = &'a PathBuf>, session: &Session) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for path in paths {
        match report(path, session)? {
            Some(report) => runs.push(Run { name: path.display().to_string(), report }),
            None => runs.extend(runs_within(path, session)?),
        }
    }
    Ok(runs)
}

/// The report of a file or directory; `None` for a directory that is neither a dump nor holds a report.
fn report(path: &Path, session: &Session) -> Result<Option<Report>> {
    if path.is_file() {
        return read(path).map(Some);
    }
    if path.join(bigtpu_format::GLOBAL_PROFILE).is_file() {
        let dump = session.open(path, None)?;
        return Ok(Some(session.analyze(&dump).analysis.report));
    }
    let inside = path.join(REPORT_FILE);
    if inside.is_file() { read(&inside).map(Some) } else { Ok(None) }
}

fn read(path: &Path) -> Result<Report> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        anyhow!("{name}: cannot be read ({error}); give a report.json or a dump directory")
    })?;
    read_json(&text).map_err(|error| match read_index(&text) {
        Ok(_) => anyhow!("{name}: lists several dumps; give the report.json in the directory of one of them"),
        Err(_) => anyhow!(
            "{name}: not a report of this version ({error}); analyze the dump again, or give the dump itself"
        ),
    })
}

/// Every run in a directory, in the order of their names.
fn runs_within(path: &Path, session: &Session) -> Result<Vec<Run>> {
    let name = path.display();
    let hint = "give a dump directory, a report.json, or a directory of these";
    let entries = std::fs::read_dir(path)
        .map_err(|error| anyhow!("{name}: cannot be read ({error}); {hint}"))?;
    let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    inside.sort();
    // A directory that a batch wrote has an index besides the runs.
    let is_index = |p: &PathBuf| p.file_name().is_some_and(|name| name == INDEX_FILE);
    let is_json = |p: &PathBuf| p.extension().is_some_and(|e| e == "json") && !is_index(p);
    let is_candidate = |p: &&PathBuf| p.is_dir() || is_json(p);
    let mut runs = Vec::new();
    for path in inside.iter().filter(is_candidate) {
        if let Some(report) = report(path, session)? {
            runs.push(Run { name: path.display().to_string(), report });
        }
    }
    if runs.is_empty() {
        bail!("{name}: holds neither a dump nor a report; {hint}");
    }
    Ok(runs)
}
