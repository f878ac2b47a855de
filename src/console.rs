//! What the console shows: tables that fit the terminal, answers, notes.

use std::io::{IsTerminal, Write};

use anyhow::{Result, anyhow};
use bigtpu_analysis::{Analysis, Report};
use bigtpu_emit::{Table, Written};
use bigtpu_emit_text::{
    advice_brief, advice_full, answer_tables, barriers_text, intervals_text, kernels_table,
    ledger_table, legacy_rows, ports_table,
};
use bigtpu_timeline::Profile;

use crate::args::analyze::Args;
use crate::layout::{bare, fitting, plain};
use crate::written::written_lines;

/// Notes that are shown without `--verbose`.
const FEW_NOTES: usize = 3;

/// Kernels and pieces of advice that are shown without `--full`.
const TOP_KERNELS: usize = 5;
const TOP_ADVICE: usize = 3;

/// Width of a terminal that does not tell its own.
const PLAIN_WIDTH: u16 = 100;

/// What the console is to show.
pub(crate) struct Console {
    verbose: bool,
    full: bool,
    summary: bool,
}

impl Console {
    /// The console that the arguments ask for.
    pub(crate) fn of(args: &Args) -> Self {
        Self { verbose: args.verbose, full: args.full, summary: !args.views.disable_summary }
    }

    /// The dump, its summary and the answers: without `--full` they fit a screen.
    pub(crate) fn results(&self, profile: &Profile<'_>, analysis: &Analysis) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let kind = if profile.is_static { "static model" } else { "dynamic run" };
        let cores = profile.cores.len();
        let ports = profile.ports.len();
        writeln!(
            out,
            "{}, {kind}: {}, {}, {}; TIU {} MHz, DMA {} MHz",
            profile.chip.name,
            number(cores, "core"),
            number(ports, "CDMA port"),
            number(profile.event_count(), "event"),
            profile.clocks.tiu_mhz,
            profile.clocks.dma_mhz
        )?;
        if self.summary {
            match legacy_rows(&analysis.summary) {
                Some(table) => writeln!(out, "{}", render(&table))?,
                None => writeln!(out, "No events: there is nothing to sum up.")?,
            }
        }
        if self.full
            && let Some(table) = ports_table(&analysis.summary)
        {
            writeln!(out, "{}\n{}", table.title, render(&table))?;
        }
        self.answers(&mut out, &analysis.report)?;
        if self.verbose {
            let table = ledger_table(profile);
            writeln!(out, "{}\n{}", table.title, render(&table))?;
        }
        Ok(())
    }

    fn answers(&self, out: &mut impl Write, report: &Report) -> Result<()> {
        for line in intervals_text(report) {
            writeln!(out, "{line}")?;
        }
        let tables = if self.full { answer_tables(report) } else { Vec::new() };
        for table in tables.iter().filter(|table| !table.rows.is_empty()) {
            writeln!(out, "{}\n{}", table.title, render(table))?;
        }
        let kernels = kernels_table(report, TOP_KERNELS);
        if !self.full && !kernels.rows.is_empty() {
            writeln!(out, "{}\n{}", kernels.title, render_bare(&kernels))?;
        }
        if let Some(line) = barriers_text(report).filter(|_| self.full) {
            writeln!(out, "{line}")?;
        }
        let most = if self.full { report.advice.len() } else { TOP_ADVICE };
        let heading = match report.advice.len() {
            0 => return Ok(()),
            n if n > most => format!("Advice ({most} of {n}, docs/advice.md):"),
            _ => "Advice (docs/advice.md):".to_owned(),
        };
        writeln!(out, "{heading}")?;
        let lines = if self.full { advice_full(report) } else { advice_brief(report, most) };
        for line in lines {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }

    /// The report, for machines.
    pub(crate) fn json(&self, report: &Report) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(bigtpu_emit_report::json(report).as_bytes())?;
        Ok(())
    }

    /// What is doubtful or lost, on stderr.
    pub(crate) fn notes(&self, all: &[String]) {
        let shown = if self.verbose { all.len() } else { all.len().min(FEW_NOTES) };
        // A reader of stderr that went away is no reason to stop.
        let mut err = std::io::stderr().lock();
        for note in &all[..shown] {
            let _ = writeln!(err, "{note}");
        }
        if shown < all.len() {
            let more = all.len() - shown;
            let _ = writeln!(err, "({more} more notes: see --verbose, summary.txt or the trace)");
        }
    }

    /// The files, their sizes and how to open them.
    pub(crate) fn written(&self, written: &[Written]) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if written.is_empty() {
            writeln!(out, "Nothing was written: the dump holds no events.")?;
            return Ok(());
        }
        writeln!(out, "Written:")?;
        for line in written_lines(written, self.full) {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }
}

/// What came of writing to stdout; a reader that went away is no error of ours.
pub(crate) fn ignore_broken_pipe(told: Result<()>) -> Result<()> {
    let is_broken_pipe = |error: &anyhow::Error| {
        let io = error.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    };
    match told {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        told => told.map_err(|error| {
            anyhow!("stdout cannot be written ({error}); results in files are not affected")
        }),
    }
}

/// `1 core`, `2 cores`.
pub(crate) fn number(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A table without rules, or one that is turned where the terminal is too narrow for it.
pub(crate) fn render_bare(table: &Table) -> String {
    let text = bare(table);
    let is_wide = |width: u16| text.lines().any(|line| line.chars().count() > width.into());
    match comfy_table::Table::new().width() {
        Some(width) if std::io::stdout().is_terminal() && is_wide(width) => render(table),
        _ => text,
    }
}

/// A table for a terminal, or plain text with the headers of `summary.txt` where stdout is none.
pub(crate) fn render(table: &Table) -> String {
    if !std::io::stdout().is_terminal() {
        return plain(table);
    }
    let width = comfy_table::Table::new().width().unwrap_or(PLAIN_WIDTH);
    fitting(table, width.into())
}
