//! Repeated runs: their spread, and their comparison with earlier results or with another command.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_output::put;
use bigtpu_session::diff::DiffRequest;
use bigtpu_session::{Session, Settings};

use super::recorder::Recorder;
use crate::args::analyze::Options;
use crate::console::ignore_broken_pipe;
use crate::diff::{self, Shown};
use crate::exit;

/// With fewer pairs the rank-sum test of unpaired runs tells more.
const FEWEST_PAIRS: u16 = 5;
/// Where the comparison is, in the directory for the results.
const COMPARISON: &str = "diff";

/// Runs the command several times; the exit code, and the results of the first run.
pub(super) fn repeated(recorder: &mut Recorder<'_>) -> Result<(u8, PathBuf)> {
    let args = recorder.args;
    let mut side = Side::new(&args.command, &args.out);
    side.run_all(recorder)?;
    ignore_broken_pipe(side.show(recorder))?;
    Ok((side.code, side.directory(1)))
}

/// Runs the command, and the other one in turn with it if it is none that has results already; compares, and checks the limits.
pub(super) fn compared(recorder: &mut Recorder<'_>, other: &OsStr) -> Result<(u8, PathBuf)> {
    let args = recorder.args;
    let results = PathBuf::from(other);
    let (before, after, is_paired) = if results.exists() {
        let mut side = Side::new(&args.command, &args.out);
        side.run_all(recorder)?;
        (vec![results], side, false)
    } else {
        let shell = ["sh".into(), "-c".into(), other.to_owned()];
        let mut before = Side::new(&shell, &args.out.join("before"));
        let mut after = Side::new(&args.command, &args.out.join("after"));
        for number in 1..=args.runs {
            let run = |side: &'static str| {
                let (number, count) = (number_of(number), number_of(args.runs));
                message!("record-run-of-side", number = number, count = count, side = side)
            };
            // What drifts with time is the same on both sides: before, after, after, before, ...
            if number % 2 == 1 {
                before.run(recorder, number, &run("before"))?;
            }
            after.run(recorder, number, &run("after"))?;
            if number % 2 == 0 {
                before.run(recorder, number, &run("before"))?;
            }
        }
        if before.code != exit::OK {
            return Ok((before.code, before.directory(1)));
        }
        (before.directories(), after, args.runs >= FEWEST_PAIRS)
    };
    if after.code != exit::OK {
        return Ok((after.code, after.directory(1)));
    }
    let Options { full, json, quiet, .. } = args.options;
    let request = DiffRequest {
        before,
        after: after.directories(),
        pairs: is_paired,
        limits: args.fail_on.clone(),
        out: Some(args.out.join(COMPARISON)),
        ..DiffRequest::default()
    };
    let hardware = args.options.roofs.read()?;
    let session = Session::from(Settings { hardware, ..Settings::default() });
    let verdict = diff::compare(&request, &session, Shown { full, json, quiet })?;
    Ok((exit::compared(verdict), args.out.join(COMPARISON)))
}

/// A command and its runs.
struct Side<'a> {
    command: &'a [OsString],
    out: PathBuf,
    lengths_ns: Vec<i64>,
    /// Exit code of the first run that did not end well.
    code: u8,
}

impl<'a> Side<'a> {
    fn new(command: &'a [OsString], out: &Path) -> Self {
        Self { command, out: out.to_owned(), lengths_ns: Vec::new(), code: exit::OK }
    }

    fn directory(&self, number: usize) -> PathBuf {
        self.out.join(format!("run-{number}"))
    }

    fn directories(&self) -> Vec<PathBuf> {
        (1..=self.lengths_ns.len()).map(|number| self.directory(number)).collect()
    }

    /// As many runs as asked for, one after another.
    fn run_all(&mut self, recorder: &mut Recorder<'_>) -> Result<()> {
        let count = recorder.args.runs;
        for number in 1..=count {
            let run = message!("record-run", number = number_of(number), count = number_of(count));
            self.run(recorder, number, &run)?;
        }
        Ok(())
    }

    /// One more run, unless an earlier one failed.
    fn run(&mut self, recorder: &mut Recorder<'_>, number: u16, what: &Message) -> Result<()> {
        if self.code != exit::OK {
            return Ok(());
        }
        recorder.say(what.clone());
        // What a run shows alone is not looked at of many; its files have it.
        let options =
            Options { quiet: true, json: false, full: false, ..recorder.args.options.clone() };
        let recorded = recorder.run(self.command, &self.directory(number.into()), &options)?;
        self.code = recorded.code;
        self.lengths_ns.push(recorded.wall_ns);
        Ok(())
    }

    /// Shows how long the runs were.
    fn show(&self, recorder: &Recorder<'_>) -> Result<()> {
        let mut sorted = self.lengths_ns.clone();
        sorted.sort_unstable();
        let (Some(least), Some(most)) = (sorted.first().copied(), sorted.last().copied()) else {
            return Ok(());
        };
        let (low, high) = (sorted.get((sorted.len() - 1) / 2), sorted.get(sorted.len() / 2));
        let median = (low.copied().unwrap_or(least) + high.copied().unwrap_or(most)) / 2;
        let spread = if median > 0 { (most - least) as f64 / median as f64 } else { 0.0 };
        let line = message!(
            "record-runs",
            count = Arg::Count(sorted.len() as u64),
            median = Arg::TimeNs(median),
            least = Arg::TimeNs(least),
            most = Arg::TimeNs(most),
            spread = Arg::Share(spread)
        );
        if recorder.args.options.quiet {
            return Ok(());
        }
        let mut out = standard::stdout();
        put!(out, "{}\n", recorder.sentence(&line))?;
        Ok(out.flush()?)
    }
}

fn number_of(number: u16) -> Arg {
    Arg::Number(number.into())
}
