//! What the console shows of several dumps.

use anyhow::Result;
use bigtpu_answers::{DumpIndex, counted};
use bigtpu_emit::report::index_json;
use bigtpu_emit_text::{dumps_table, stragglers_text};
use bigtpu_output::{Written, put};
use bigtpu_session::views;

use super::Done;
use crate::args::analyze::Args;
use crate::console::{Console, render_bare};
use crate::standard;
use crate::written::{size, written_lines};

/// Dumps that are shown without `--full`.
const MOST_DUMPS: usize = 20;

/// The notes, the table of all dumps, how they lie on one time line, and the files.
pub(super) fn show(
    args: &Args,
    index: &DumpIndex,
    notes: &[String],
    written: &[Written],
    done: &[Done],
) -> Result<()> {
    Console::of(args).notes(notes);
    if args.json {
        return Ok(standard::json(&index_json(index))?);
    }
    let mut out = standard::out();
    let mut table = dumps_table(index);
    let left_out = table.len().saturating_sub(MOST_DUMPS);
    if !args.full {
        table.truncate(MOST_DUMPS);
    }
    put!(out, "{}\n{}\n", counted(index.dumps.len(), "dump"), render_bare(&table))?;
    if left_out > 0 && !args.full {
        let place = match args.views.writes(views::SUMMARY) {
            true => "--full or summary.txt",
            false => "--full",
        };
        put!(out, "({} more: see {})\n", left_out, place)?;
    }
    put!(out, "Time line: {}\n", &index.time_line.note)?;
    for line in stragglers_text(index) {
        put!(out, "{}\n", line)?;
    }
    put!(out, "Written:\n")?;
    for line in written_lines(written, args.full) {
        put!(out, "  {}\n", line)?;
    }
    for line in own_lines(done, args.full) {
        put!(out, "  {}\n", line)?;
    }
    Ok(())
}

/// The dumps' own files: one line for all without `full`.
fn own_lines(done: &[Done], full: bool) -> Vec<String> {
    if full {
        return done.iter().flat_map(|done| written_lines(&done.written, true)).collect();
    }
    let files = || done.iter().flat_map(|done| &done.written);
    let directories = done.iter().filter(|done| !done.written.is_empty()).count();
    let Some(first) = done.iter().find(|done| !done.written.is_empty()) else { return Vec::new() };
    let more =
        if directories > 1 { format!(" and {} more", directories - 1) } else { String::new() };
    let bytes = files().map(|file| file.bytes).sum();
    let all = counted(files().count(), "file");
    vec![format!(
        "{}/{more}: files of each dump ({all}, {})",
        first.directory.display(),
        size(bytes)
    )]
}
