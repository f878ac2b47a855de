//! `bigtpuprofile diff`.

mod history;
mod host;
mod input;
mod page;
mod show;

use anyhow::{Result, anyhow, bail};
use bigtpu_answers::{Compared, Comparison, Gate, GateOptions, Run, Unit, Verdict, compare};
use bigtpu_emit_diff::{json, verdict_lines};
use bigtpu_output::{OutDir, Written, put};
use bigtpu_session::{Session, Settings, output_directory};

use crate::args::diff::{Args, Pool};
use crate::console::ignore_broken_pipe;
use crate::standard;
use input::{Source, sources};

/// Compares, shows, writes, and checks the limits.
pub(crate) fn run(args: &Args) -> Result<Verdict> {
    let session = Session::from(Settings { hardware: args.roofs.read()?, ..Settings::default() });
    if let Some(dir) = &args.history {
        return history::run(args, dir, &session);
    }
    let Some(after) = &args.after else { bail!("give the run or runs after the change, too") };
    let mut before = sources(std::iter::once(&args.before).chain(&args.also_before))?;
    let mut after = sources(std::iter::once(after).chain(&args.also_after))?;
    let mut units = [&mut before, &mut after]
        .map(|side| side.iter_mut().map(|source| &mut source.unit).collect::<Vec<_>>());
    let [old, new] = &mut units;
    host::drop_single([old, new]);
    // Two dumps that are drawn are analyzed once.
    let dumps = match (before.as_slice(), after.as_slice()) {
        ([before], [after]) if args.out.is_some() && before.is_dump && after.is_dump => {
            Some([before.open(&session)?, after.open(&session)?])
        }
        _ => None,
    };
    let drawn = dumps.as_ref().map(|dumps| dumps.each_ref().map(|dump| session.analyze(dump)));
    let runs = |sources: &[Source], side: usize| -> Result<Vec<Run>> {
        let known = drawn.as_ref().and_then(|drawn| drawn.get(side));
        let runs = sources.iter().map(|source| {
            let report = match known {
                Some(run) => Compared::of(&run.analysis.report),
                None => source.report(&session)?,
            };
            Ok(Run {
                name: source.name.clone(),
                unit: pooled(&source.unit, &args.pool),
                occasion: source.occasion.clone(),
                report,
            })
        });
        runs.collect()
    };
    let comparison =
        compare(runs(&before, 0)?, runs(&after, 1)?, args.pairs).map_err(|error| anyhow!(error))?;
    let options =
        GateOptions { fails_on_unmatched: args.fail_on_unmatched, no_baseline: args.no_baseline };
    let gate = Gate::check(&args.fail_on, options, &comparison);
    let written = match &args.out {
        Some(dir) => {
            let out = output_directory(dir)?;
            let mut written = bigtpu_emit_diff::write(&comparison, &gate, &out)?;
            written.push(match &drawn {
                Some(drawn) => draw(drawn, &comparison, &gate, &out)?,
                None => draw_worst([&before, &after], &comparison, &gate, &session, &out)?,
            });
            out.publish()?;
            written
        }
        None => Vec::new(),
    };
    let (ok, reported): (Vec<String>, Vec<String>) =
        verdict_lines(&gate).into_iter().partition(|line| line.starts_with("ok: "));
    if args.json {
        ignore_broken_pipe(standard::json(&json(&comparison, &gate)).map_err(Into::into))?;
    } else if !args.quiet {
        ignore_broken_pipe(show::show(&comparison, args.full, &ok, &written))?;
    }
    // What ends a build has to be seen wherever its output goes; a reader that went away is no reason to stop.
    let mut err = standard::err();
    for line in &reported {
        let _ = put!(err, "{}\n", line);
    }
    Ok(gate.verdict)
}

/// Writes the page of two runs of the unit whose wall time grew most.
fn draw(
    drawn: &[bigtpu_session::Run<'_>; 2],
    comparison: &Comparison,
    gate: &Gate,
    out: &OutDir,
) -> Result<Written> {
    match comparison.worst() {
        Some(worst) => page::write(drawn, &worst.diff, &verdict_lines(gate), out),
        None => Ok(bigtpu_emit_diff::write_tables(comparison, gate, out)?),
    }
}

/// The same, where its dumps are to be opened first; with reports only the page has the tables alone.
fn draw_worst(
    sides: [&[Source]; 2],
    comparison: &Comparison,
    gate: &Gate,
    session: &Session,
    out: &OutDir,
) -> Result<Written> {
    let dumps = match comparison.worst() {
        Some(worst) => page::dumps(sides, worst, session)?,
        None => None,
    };
    match dumps {
        Some(dumps) => {
            draw(&dumps.each_ref().map(|dump| session.analyze(dump)), comparison, gate, out)
        }
        None => Ok(bigtpu_emit_diff::write_tables(comparison, gate, out)?),
    }
}

/// The unit without the parts that shall not tell runs apart.
fn pooled(unit: &Unit, pool: &[Pool]) -> Unit {
    let mut unit = unit.clone();
    for part in pool {
        match part {
            Pool::Host => unit.host = None,
            Pool::Device => unit.device = None,
            Pool::Call => unit.call = None,
            Pool::All => unit = Unit::default(),
        }
    }
    unit
}
