//! What the console shows: tables that fit the terminal, notes, and the files written.

use std::io::{IsTerminal, Write};

use anyhow::{Result, anyhow};
use bigtpu_analysis::Analysis;
use bigtpu_emit::Written;
use bigtpu_emit_text::{Table, ledger_table, legacy_rows, notes, ports_table};
use bigtpu_timeline::Profile;

use crate::layout::{fitting, plain};

/// Notes that are shown without `--verbose`.
const FEW_NOTES: usize = 8;

/// Width of a terminal that does not tell its own.
const PLAIN_WIDTH: u16 = 100;

/// What the console is to show.
pub(crate) struct Console {
    pub(crate) verbose: bool,
    pub(crate) summary: bool,
}

impl Console {
    /// The dump, its summary and its notes.
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
            if let Some(table) = ports_table(&analysis.summary) {
                writeln!(out, "{}\n{}", table.title, render(&table))?;
            }
        }
        if self.verbose {
            let table = ledger_table(profile);
            writeln!(out, "{}\n{}", table.title, render(&table))?;
        }
        Ok(())
    }

    /// What is doubtful or lost, on stderr.
    pub(crate) fn notes(&self, profile: &Profile<'_>, more: &[String]) {
        let all: Vec<String> =
            more.iter().map(|n| format!("warning: {n}")).chain(notes(profile)).collect();
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
        for file in written {
            let hint = how_to_open(&file.path);
            writeln!(out, "  {} ({}){hint}", file.path.display(), size(file.bytes))?;
        }
        Ok(())
    }
}

/// What came of writing to stdout; a reader that went away is no error of ours.
pub(crate) fn or_unread(told: Result<()>) -> Result<()> {
    let is_unread = |error: &anyhow::Error| {
        let io = error.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    };
    match told {
        Err(error) if is_unread(&error) => Ok(()),
        told => told.map_err(|error| {
            anyhow!("stdout cannot be written ({error}); results in files are not affected")
        }),
    }
}

fn how_to_open(path: &std::path::Path) -> &'static str {
    match path.extension().and_then(|e| e.to_str()) {
        Some("pftrace") => " - open it in https://ui.perfetto.dev",
        Some("xlsx") => " - open it in a spreadsheet program",
        _ => "",
    }
}

/// `1 core`, `2 cores`.
fn number(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A size for people: 12 bytes, 3.4 KiB, 5.6 MiB.
fn size(bytes: u64) -> String {
    let bytes_f = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", bytes_f / 1024.0),
        _ => format!("{:.1} MiB", bytes_f / 1_048_576.0),
    }
}

/// A table for a terminal, or plain text with the headers of `summary.txt` where stdout is none.
fn render(table: &Table) -> String {
    if !std::io::stdout().is_terminal() {
        return plain(table);
    }
    let width = comfy_table::Table::new().width().unwrap_or(PLAIN_WIDTH);
    fitting(table, width.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_for_people() {
        assert_eq!([size(12), size(1536), size(3 << 20)], ["12 bytes", "1.5 KiB", "3.0 MiB"]);
    }
}
