//! Several dumps in one run.

use std::path::Path;

use anyhow::Result;
use bigtpu_emit::report::index_json;
use bigtpu_emit_text::console::standard;
use bigtpu_emit_text::{dumps_table, stragglers_text, time_line_text};
use bigtpu_messages::{Language, message};
use bigtpu_output::put;
use bigtpu_session::dumps::{Analyzed, Named, OwnFiles, Several};
use bigtpu_session::{Session, output_directory, views};

use crate::analyze::Outcome;
use crate::args::analyze::Options;
use crate::console::{Console, ignore_broken_pipe, render_bare};
use crate::incumbent::Defaults;
use crate::progress;
use crate::written::written_lines;
use bigtpu_session::size;

/// Dumps that are shown without `--full`.
const MOST_DUMPS: usize = 20;

/// Analyzes the dumps and shows what they have in common.
pub(crate) fn run(options: &Options, dumps: &[Named], output: &Path) -> Result<Outcome> {
    let several = Several::open(dumps, &Session::from(options.views.settings()))?;
    let progress = progress::progress(options.quiet);
    let session = Session::from(options.settings()?);
    let replaces = options.views.defaults == Defaults::Own;
    let out = output_directory(output)?;
    let done = several.run(&session, &options.views.choice(), (&out, replaces), &*progress)?;
    if !options.quiet {
        ignore_broken_pipe(show(options, &done))?;
    }
    let lengths = done.index.dumps.iter().map(|dump| dump.wall_ns);
    Ok(Outcome { has_loss: done.has_loss, wall_ns: lengths.max().unwrap_or(0) })
}

/// The notes, the table of all dumps, how they lie on one time line, and the files.
fn show(options: &Options, done: &Analyzed) -> Result<()> {
    let language = options.lang.language();
    let Analyzed { index, notes, written, own, .. } = done;
    Console::new(options).notes(notes);
    if options.json {
        return Ok(standard::json(&index_json(index))?);
    }
    let mut out = standard::stdout();
    let mut table = dumps_table(index);
    let left_out = table.len().saturating_sub(MOST_DUMPS);
    if !options.full {
        table.truncate(MOST_DUMPS);
    }
    let heading = message!("dumps-heading", dumps = index.dumps.len());
    put!(out, "{}\n{}\n", heading.text(language), render_bare(&table))?;
    if left_out > 0 && !options.full {
        let more = match options.views.writes(views::SUMMARY) {
            true => message!("dumps-more-in-summary", count = left_out),
            false => message!("dumps-more", count = left_out),
        };
        put!(out, "{}\n", more.text(language))?;
    }
    put!(out, "{}\n", time_line_text(index, language))?;
    for line in stragglers_text(index, language) {
        put!(out, "{}\n", line)?;
    }
    put!(out, "{}\n", message!("report-written").text(language))?;
    for line in written_lines(written, options.full, language) {
        put!(out, "  {}\n", line)?;
    }
    for line in own_lines(own, options.full, language) {
        put!(out, "  {}\n", line)?;
    }
    Ok(())
}

/// The dumps' own files: one line for all without `full`.
fn own_lines(done: &[OwnFiles], full: bool, language: Language) -> Vec<String> {
    if full {
        return done.iter().flat_map(|done| written_lines(&done.written, true, language)).collect();
    }
    let files = || done.iter().flat_map(|done| &done.written);
    let directories = done.iter().filter(|done| !done.written.is_empty()).count();
    let Some(first) = done.iter().find(|done| !done.written.is_empty()) else { return Vec::new() };
    let directory = format!("{}/", first.directory.display());
    let (count, size) = (files().count(), size(files().map(|file| file.bytes).sum()));
    let files = match directories - 1 {
        0 => message!("dumps-own-files", directory = directory, count = count, size = size),
        more => message!(
            "dumps-own-files-and-more",
            directory = directory,
            more = more,
            count = count,
            size = size
        ),
    };
    vec![files.text(language)]
}
