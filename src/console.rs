//! What the console shows: tables that fit the terminal, answers, notes.

use std::io::Write;

use anyhow::Result;
use bigtpu_answers::{Analysis, Report};
use bigtpu_emit_text::console::{Plain, Screen, standard};
use bigtpu_emit_text::{
    advice_besides, advice_brief, advice_full, advice_together, answer_tables, barriers_text,
    completeness_line, heading, host_text, intervals_text, kernels_table, ledger_table,
    legacy_rows, path_text, ports_table, steps_text, verdict_label,
};
use bigtpu_messages::{ForeignReason as _, Language, Message, message};
use bigtpu_output::{Lines, Table, Text, Written, put, text};
use bigtpu_session::views;
use bigtpu_timeline::Profile;

use crate::args::analyze::Options;
use crate::args::lang;
use crate::exit::failed;
use crate::written::list_written;

/// Notes that are shown without `--verbose`.
const FEW_NOTES: usize = 2;

/// Kernels and pieces of advice that are shown without `--full`.
const TOP_KERNELS: usize = 5;
const TOP_ADVICE: usize = 3;
/// Pieces of the critical path that are shown without `--full`.
const TOP_PIECES: usize = 5;

/// A table with its cells in a language. Headers are the same in all languages: scripts read them.
pub(crate) fn in_cells(language: Language, table: impl Fn(Language) -> Table) -> Table {
    table(language).with_header_of(&table(Language::English))
}

/// Columns of the summary, the most important first.
const SUMMARY_RANKS: [&str; 11] = [
    "CoreId",
    "totalTime(us)",
    "TiuWorkingRatio",
    "uArchURate",
    "Parallelism(%)",
    "GdmaDdrAvgBW(GB/s)",
    "SdmaDdrAvgBW(GB/s)",
    "GdmaL2AvgBW(GB/s)",
    "totalTiuCycle",
    "totalGdmaCycle",
    "totalSdmaCycle",
];

/// Columns of the kernels, the most important first.
const KERNEL_RANKS: [&str; 13] = [
    "Kernel",
    "Total(us)",
    "Share",
    "Bound",
    "Count",
    "Mean(us)",
    "uArch",
    "GB/s",
    "TIU",
    "GDMA",
    "p95(us)",
    "TOPS",
    "Cores",
];

/// What the console is to show.
pub(crate) struct Console {
    verbose: bool,
    full: bool,
    summary: bool,
    /// Where all notes are, as an id of the catalogue: only files that this run writes.
    notes_in: &'static str,
    screen: Screen,
    language: Language,
}

impl Console {
    /// The console that the arguments ask for.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            verbose: options.verbose,
            full: options.full,
            summary: !options.views.disable_summary,
            notes_in: match [views::SUMMARY, views::TRACE].map(|view| options.views.writes(view)) {
                [true, true] => "report-verbose-summary-trace",
                [true, false] => "report-verbose-summary",
                [false, true] => "report-verbose-trace",
                [false, false] => "report-verbose",
            },
            screen: Screen::stdout(),
            language: options.lang.language(),
        }
    }

    /// The dump, its summary and the answers: without `--full` they fit a screen.
    pub(crate) fn results(&self, profile: &Profile<'_>, analysis: &Analysis) -> Result<()> {
        self.results_to(&mut standard::stdout(), profile, analysis)
    }

    fn results_to(
        &self,
        out: &mut Plain<impl Write>,
        profile: &Profile<'_>,
        analysis: &Analysis,
    ) -> Result<()> {
        let (screen, language) = (self.screen, self.language);
        put!(out, "{}\n", self.line(&heading(profile, language)))?;
        if profile.event_count() > 0 {
            let verdict = &analysis.report(profile).verdict;
            let (label, text) = (verdict_label(verdict, language), verdict.said(language));
            let verdict = message!("report-labelled", label = label, text = text);
            put!(out, "{}\n", self.line(&verdict.text(language)))?;
        }
        put!(out, "{}\n", self.line(&completeness_line(profile, language)))?;
        if self.summary {
            match legacy_rows(analysis.summary(profile)) {
                Some(table) if self.full => put!(out, "{}\n", screen.whole(&table))?,
                Some(table) => put!(out, "{}\n", screen.most(&table, &SUMMARY_RANKS, "--full"))?,
                None => put!(out, "{}\n", self.word("report-nothing-to-sum"))?,
            }
        }
        if self.full
            && let Some(table) = ports_table(analysis.summary(profile))
        {
            put!(out, "{}\n{}\n", self.word("report-ports"), screen.whole(&table))?;
        }
        self.answers(out, analysis.report(profile))?;
        if self.verbose {
            let table = ledger_table(profile, language);
            put!(out, "{}\n{}\n", table.title(), screen.whole(&table))?;
        }
        Ok(())
    }

    /// A message without arguments.
    fn word(&self, id: &'static str) -> String {
        Message::new(id).text(self.language)
    }

    /// A line that may be wider than the terminal: between Chinese characters the terminal itself breaks it.
    fn line(&self, line: &str) -> Text<Lines> {
        match self.language {
            Language::English => self.screen.text(line),
            Language::Chinese => text!("{}", line),
        }
    }

    fn answers(&self, out: &mut Plain<impl Write>, report: &Report) -> Result<()> {
        let (screen, language) = (self.screen, self.language);
        for line in intervals_text(report, language) {
            put!(out, "{}\n", self.line(&line))?;
        }
        let tables = if self.full { answer_tables(report, language) } else { Vec::new() };
        for table in tables.iter().filter(|table| !table.is_empty()) {
            put!(out, "{}\n{}\n", self.line(table.title().for_library()), screen.whole(table))?;
        }
        if let Some(line) = path_text(report, TOP_PIECES, language).filter(|_| !self.full) {
            put!(out, "{}\n", self.line(&line))?;
        }
        for line in steps_text(report, language).into_iter().chain(host_text(report, language)) {
            put!(out, "{}\n", self.line(&line))?;
        }
        let kernels = kernels_table(report, TOP_KERNELS, language);
        if !self.full && !kernels.is_empty() {
            let shown = screen.most_bare(&kernels, &KERNEL_RANKS, "--full");
            put!(out, "{}\n{}\n", self.line(kernels.title().for_library()), shown)?;
        }
        if let Some(line) = barriers_text(report, language).filter(|_| self.full) {
            put!(out, "{}\n", self.line(&line))?;
        }
        let all = if self.full { report.advice.len() } else { advice_besides(report).count() };
        let most = if self.full { all } else { TOP_ADVICE };
        let shown = match all {
            0 => return Ok(()),
            n if n > most => {
                Some(message!("report-advice-of", shown = most, all = n).text(language))
            }
            _ => None,
        };
        let parts = shown.into_iter().chain(advice_together(report, language));
        let parts: Vec<String> = parts.chain([self.word("report-advice-explain")]).collect();
        let parts = parts.join(language.choose("; ", "；"));
        let heading = message!("report-advice", parts = parts).text(language);
        put!(out, "{}\n", self.line(&heading))?;
        let lines = match self.full {
            true => advice_full(report, language),
            false => advice_brief(report, most, language),
        };
        for line in lines {
            put!(out, "{}\n", self.line(&format!("  {line}")))?;
        }
        Ok(())
    }

    /// The report, for machines.
    pub(crate) fn json(&self, report: &Report) -> Result<()> {
        Ok(standard::json(&bigtpu_emit::report::json(report))?)
    }

    /// Warnings and losses, on stderr.
    pub(crate) fn notes(&self, all: &[String]) {
        let shown = if self.verbose { all.len() } else { all.len().min(FEW_NOTES) };
        // A reader of stderr that went away is no reason to stop.
        let mut err = standard::err();
        for note in &all[..shown] {
            let _ = put!(err, "{}\n", note);
        }
        if shown < all.len() {
            let (more, place) = (all.len() - shown, Message::new(self.notes_in));
            let more = message!("report-more-notes-in", more = more, place = place);
            let _ = put!(err, "{}\n", more.text(self.language));
        }
    }

    /// The files, their sizes and how to open them.
    pub(crate) fn written(&self, written: &[Written]) -> Result<()> {
        let mut out = standard::stdout();
        if written.is_empty() {
            put!(out, "{}\n", self.word("report-nothing-written"))?;
            return Ok(());
        }
        Ok(list_written(&mut out, written, self.full, self.language)?)
    }
}

/// Shows a note on stderr as soon as it is known.
pub(crate) fn note(note: Message) {
    // A reader of stderr that went away is no reason to stop.
    standard::note(&text!("{}", note.text(lang::of_process())));
}

/// The result of writing to stdout; a closed pipe is not an error.
pub(crate) fn ignore_broken_pipe(result: Result<()>) -> Result<()> {
    let is_broken_pipe = |error: &anyhow::Error| {
        let io = error.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    };
    match result {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        result => result.map_err(|error| {
            let reason = match error.downcast_ref::<std::io::Error>() {
                Some(error) => error.reason(),
                None => Message::displayed(&error),
            };
            failed(message!("error-stdout", reason = reason))
        }),
    }
}

/// A table without rules, or one that is turned where the terminal is too narrow for it.
pub(crate) fn render_bare(table: &Table) -> Text<Lines> {
    Screen::stdout().bare(table)
}

/// A table for a terminal, or plain text with the headers of `summary.txt` if stdout is not a terminal.
pub(crate) fn render(table: &Table) -> Text<Lines> {
    Screen::stdout().whole(table)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bigtpu_synth::Options;
    use bigtpu_timeline::Dump;

    use super::*;

    fn shown(
        profile: &Profile<'_>,
        analysis: &Analysis,
        width: Option<usize>,
        full: bool,
    ) -> String {
        let screen = Screen { width };
        let language = Language::English;
        let notes_in = "report-verbose";
        let console = Console { verbose: full, full, summary: true, notes_in, screen, language };
        let mut out = Vec::new();
        console.results_to(&mut Plain::new(&mut out), profile, analysis).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn numbers(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| c.is_whitespace() || "|()[],;:".contains(c));
        words
            // Names may break: `sfu.taylor_4x` before `taylor_4x`.
            .filter(|word| {
                let word = word.trim_start_matches(['+', '-', '~', '<', '>']);
                word.starts_with(|c: char| c.is_ascii_digit())
            })
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn every_line_fits_and_no_number_breaks() {
        for (chip, cores, ports) in
            [("aks", 1, 0), ("bm1688", 2, 0), ("aksv", 4, 2), ("aks", 8, 0), ("aks", 8, 4)]
        {
            let dir = tempfile::tempdir().unwrap();
            let options = Options { cores, ports, ..Options::of_chip(chip).unwrap() };
            bigtpu_synth::write(&options, dir.path()).unwrap();
            let dump = Dump::open(dir.path()).unwrap();
            let profile = Profile::build(&dump, &bigtpu_timeline::BuildOptions::default());
            let analysis = Analysis::of_device(&profile);
            let plain = [true, false].map(|full| shown(&profile, &analysis, None, full));
            let all = numbers(&plain.join("\n"));
            for (width, full) in [80, 100, 120].into_iter().flat_map(|w| [(w, false), (w, true)]) {
                let text = shown(&profile, &analysis, Some(width), full);
                let what =
                    format!("{chip}, {cores} cores, {ports} ports, {width} columns:\n{text}");
                assert!(text.lines().all(|line| line.chars().count() <= width), "{what}");
                let broken: Vec<_> = numbers(&text).difference(&all).cloned().collect();
                let is_noted = |word: &String| text.contains(&format!("... {word} more column"));
                assert!(broken.iter().all(is_noted), "{broken:?}, {what}");
            }
        }
    }
}
