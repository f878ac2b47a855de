//! `bigtpuprofile diff --history`: a record of each run, and since which run a time is longer.

use std::path::Path;

use anyhow::Result;
use bigtpu_answers::{History, HistoryOptions, HistoryVerdict, LimitLine, LimitState, Verdict};
use bigtpu_emit_text::console::{Screen, standard};
use bigtpu_emit_text::diff::{FEW_ROWS, history_lines, history_table};
use bigtpu_messages::{Language, Message};
use bigtpu_output::put;
use bigtpu_session::diff::{HistoryRequest, remember};
use bigtpu_session::{Session, remark};

use crate::args::diff::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::exit::failed;
use crate::written::show_written;

/// Adds the runs to the history in `dir` and shows since when times are longer.
pub(super) fn run(args: &Args, dir: &Path, session: &Session) -> Result<Verdict> {
    if args.after.is_some() {
        return Err(failed(Message::new("error-history-paths")));
    }
    let request = HistoryRequest {
        runs: args.runs_before(),
        dir: dir.to_owned(),
        pool: args.pools(),
        workload: args.workload.clone(),
        label: args.label.clone(),
        link: args.link.clone(),
        options: HistoryOptions {
            builds_per_alarm: args.false_alarms,
            least_change: args.least_change,
        },
    };
    let found = remember(&request, session)?;
    let history = &found.history;
    if args.json {
        ignore_broken_pipe(standard::json(&found.json).map_err(Into::into))?;
    } else if !args.quiet {
        ignore_broken_pipe(show(history, &found.notes, &found.written, args.lang.language()))?;
    }
    let is_failure = args.fail_on_slower && history.verdict == HistoryVerdict::Slower;
    if is_failure {
        let line = LimitLine::new(LimitState::Failed, history.text.clone().into());
        let _ = put!(standard::err(), "{}\n", line.message.text(args.lang.language()));
    }
    Ok(match history.verdict {
        _ if is_failure => Verdict::Failed,
        HistoryVerdict::Skipped => Verdict::Skipped,
        HistoryVerdict::Ok | HistoryVerdict::Slower => Verdict::Ok,
    })
}

fn show(
    history: &History,
    notes: &[Message],
    written: &[bigtpu_output::Written],
    language: Language,
) -> Result<()> {
    let mut out = standard::stdout();
    for line in history_lines(history, language) {
        put!(out, "{}\n", Screen::stdout().text(line.for_library()))?;
    }
    for note in notes {
        put!(out, "{}\n", remark(note.clone()).text(language))?;
    }
    let table = history_table(history, FEW_ROWS);
    if !table.is_empty() {
        put!(out, "{}\n{}\n", table.title(), render(&table))?;
    }
    Ok(show_written(&mut out, written, language)?)
}
