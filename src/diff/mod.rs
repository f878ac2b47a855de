//! `bigtpuprofile diff`.

mod history;
mod show;

use anyhow::Result;
use bigtpu_answers::{LimitLine, LimitState, Verdict};
use bigtpu_emit_text::console::standard;
use bigtpu_emit_text::diff::{json, verdict_lines};
use bigtpu_messages::{Language, Message};
use bigtpu_output::put;
use bigtpu_session::diff::{DiffRequest, difference, grouping};
use bigtpu_session::{Session, Settings};

use crate::args::diff::Args;
use crate::console::ignore_broken_pipe;
use crate::exit::failed;

/// Lines of limits that hold, and of others, without `--full`.
const OK_LINES: usize = 5;
const REPORTED_LINES: usize = 12;

/// Compares, shows, writes, and checks the limits.
pub(crate) fn run(args: &Args) -> Result<Verdict> {
    let session = Session::from(Settings {
        hardware: args.roofs.read()?,
        language: args.lang.language(),
        ..Settings::default()
    });
    if let Some(dir) = &args.history {
        return history::run(args, dir, &session);
    }
    let Some(request) = args.request() else { return Err(failed(Message::new("error-no-after"))) };
    if args.dry_run {
        let (groups, notes) = grouping(&request, &session)?;
        ignore_broken_pipe(show::groups(&groups, &notes, args.lang.language()))?;
        return Ok(Verdict::NotChecked);
    }
    let shown = Shown { full: args.full, json: args.json, quiet: args.quiet };
    compare(&request, &session, shown)
}

/// What of a comparison is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// All tables.
    pub(crate) full: bool,
    /// JSON instead of tables.
    pub(crate) json: bool,
    /// Limits that failed only.
    pub(crate) quiet: bool,
}

/// Compares, shows, writes, and checks the limits of a request.
pub(crate) fn compare(request: &DiffRequest, session: &Session, shown: Shown) -> Result<Verdict> {
    let found = difference(request, session)?;
    let (comparison, gate) = (&found.comparison, &found.gate);
    let language = session.settings().language;
    let (ok, reported): (Vec<LimitLine>, Vec<LimitLine>) =
        verdict_lines(gate).into_iter().partition(|line| line.state == LimitState::Ok);
    let [ok, reported] =
        [ok, reported].map(|lines| lines.iter().map(|line| line.message.text(language)).collect());
    // One screen holds the comparison with its limits; whoever asks for no comparison gets every limit.
    let is_short = !(shown.full || shown.json || shown.quiet);
    let [ok, reported] = if is_short { few(ok, reported, language) } else { [ok, reported] };
    if shown.json {
        ignore_broken_pipe(standard::json(&json(comparison, gate)).map_err(Into::into))?;
    } else if !shown.quiet {
        let limits = (ok.as_slice(), reported.len());
        let failed = gate.sentence(language);
        ignore_broken_pipe(show::show(
            comparison,
            failed.as_deref(),
            shown.full,
            limits,
            &found.written,
            language,
        ))?;
    }
    // What ends a build has to be seen wherever its output goes; a reader that went away is no reason to stop.
    let mut err = standard::err();
    for line in &reported {
        let _ = put!(err, "{}\n", line);
    }
    Ok(gate.verdict)
}

/// The first limits that hold and that do not, and how many more there are.
fn few(ok: Vec<String>, reported: Vec<String>, language: Language) -> [Vec<String>; 2] {
    [(ok, OK_LINES, "diff-more-limits-ok"), (reported, REPORTED_LINES, "diff-more-limits-failed")]
        .map(|(mut lines, most, id)| {
            if lines.len() > most {
                let more = lines.split_off(most - 1).len();
                lines.push(Message::new(id).with("more", more).text(language));
            }
            lines
        })
}
