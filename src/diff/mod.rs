//! `bigtpuprofile diff`.

mod input;
mod page;

use std::io::Write;

use anyhow::Result;
use bigtpu_answers::{Diff, Gate, Run, Verdict, diff};
use bigtpu_emit::{OutDir, Written};
use bigtpu_emit_diff::{FEW_ROWS, headline, json, tables, verdict_lines};
use bigtpu_session::{Session, Settings};

use crate::args::diff::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::terminal::Screen;
use crate::written::written_lines;
use input::{Source, sources};

/// Compares, shows, writes, and checks the limits.
pub(crate) fn run(args: &Args) -> Result<Verdict> {
    let session = Session::from(Settings { hardware: args.roofs.read()?, ..Settings::default() });
    let before = sources(std::iter::once(&args.before).chain(&args.also_before))?;
    let after = sources(std::iter::once(&args.after).chain(&args.also_after))?;
    let dumps = match args.out {
        Some(_) => page::dumps([&before, &after], &session)?,
        None => None,
    };
    let drawn = dumps.as_ref().map(|both| both.each_ref().map(|(_, dump)| session.analyze(dump)));
    // What is drawn is analyzed once.
    let known = |side: usize| {
        let (place, _) = dumps.as_ref()?.get(side)?;
        Some((*place, drawn.as_ref()?.get(side)?))
    };
    let diff = diff(&runs(&before, known(0), &session)?, &runs(&after, known(1), &session)?);
    let gate = Gate::check(&args.fail_on, args.fail_on_unmatched, &diff);
    let written = match &args.out {
        Some(dir) => {
            let out = OutDir::create(dir)?;
            let mut written = bigtpu_emit_diff::write(&diff, &gate, &out)?;
            written.push(match &drawn {
                Some(drawn) => page::write(drawn, &diff, &verdict_lines(&gate), &out)?,
                None => bigtpu_emit_diff::write_tables(&diff, &gate, &out)?,
            });
            out.publish()?;
            written
        }
        None => Vec::new(),
    };
    let (ok, reported): (Vec<String>, Vec<String>) =
        verdict_lines(&gate).into_iter().partition(|line| line.starts_with("ok: "));
    if args.json {
        ignore_broken_pipe(print(&json(&diff, &gate)))?;
    } else if !args.quiet {
        ignore_broken_pipe(show(&diff, &ok, &written))?;
    }
    // What ends a build has to be seen wherever its output goes; a reader that went away is no reason to stop.
    let mut err = std::io::stderr().lock();
    for line in &reported {
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
    let screen = Screen::stdout();
    for line in headline(diff) {
        writeln!(out, "{}", screen.text(&line))?;
    }
    for table in tables(diff, FEW_ROWS) {
        writeln!(out, "{}\n{}", table.title, render(&table))?;
    }
    for line in ok {
        writeln!(out, "{}", screen.text(line))?;
    }
    for line in written_lines(written, true) {
        writeln!(out, "written: {line}")?;
    }
    Ok(())
}

/// The runs of a side; one of them may be analyzed already.
fn runs(
    sources: &[Source],
    known: Option<(usize, &bigtpu_session::Run<'_>)>,
    session: &Session,
) -> Result<Vec<Run>> {
    let run = |(place, source): (usize, &Source)| {
        let report = match known {
            Some((known, drawn)) if known == place => drawn.analysis.report.clone(),
            _ => source.report(session)?,
        };
        Ok(Run { name: source.name.clone(), report })
    };
    sources.iter().enumerate().map(run).collect()
}
