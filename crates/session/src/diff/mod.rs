//! Two runs, or two sets of runs, compared; and the history of runs.

mod error;
mod history;
mod host;
mod input;
mod page;

use std::path::PathBuf;

use bigtpu_answers::{
    Compared, Comparison, Gate, GateOptions, Limit, Run as Compare, Unit, compare,
};
use bigtpu_emit_text::diff::verdict_lines;
use bigtpu_output::{OutDir, Written};

use crate::outputs::output_directory;
use crate::run::Run;
use crate::settings::Session;
use input::{Source, sources};

pub use error::DiffError;
pub use history::{HistoryRequest, Remembered, remember};
pub(crate) use history::{JUNIT, RECORDS, RESULT};

/// What may not tell runs apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pool {
    /// Runs of different hosts are repetitions.
    Host,
    /// Runs of different devices are repetitions.
    Device,
    /// Runs of different calls are repetitions.
    Call,
    /// All runs of a side are repetitions.
    All,
}

/// What is compared, and how.
#[derive(Debug, Clone, Default)]
pub struct DiffRequest {
    /// Runs before the change: dumps, reports, directories of these.
    pub before: Vec<PathBuf>,
    /// Runs after the change.
    pub after: Vec<PathBuf>,
    /// What does not tell runs apart.
    pub pool: Vec<Pool>,
    /// The n-th runs of both sides belong together.
    pub pairs: bool,
    /// Limits.
    pub limits: Vec<Limit>,
    /// A limit that matches nothing fails.
    pub fails_on_unmatched: bool,
    /// Both sides are the same runs: there is nothing before the change yet.
    pub no_baseline: bool,
    /// Directory for the results.
    pub out: Option<PathBuf>,
}

/// A comparison, and what the limits say of it.
#[derive(Debug)]
pub struct Difference {
    /// What differs.
    pub comparison: Comparison,
    /// What the limits say.
    pub gate: Gate,
    /// Its files.
    pub written: Vec<Written>,
}

/// Compares, checks the limits, and writes.
///
/// # Errors
/// [`DiffError`] when a run can't be read, nothing can be compared, or a file can't be written.
pub fn difference(request: &DiffRequest, session: &Session) -> Result<Difference, DiffError> {
    let mut before = sources(request.before.iter())?;
    let mut after = sources(request.after.iter())?;
    let mut units = [&mut before, &mut after]
        .map(|side| side.iter_mut().map(|source| &mut source.unit).collect::<Vec<_>>());
    let [old, new] = &mut units;
    host::drop_single([old, new]);
    // Two dumps that are drawn are analyzed once.
    let dumps = match (before.as_slice(), after.as_slice()) {
        ([before], [after]) if request.out.is_some() && before.is_dump && after.is_dump => {
            Some([before.open(session)?, after.open(session)?])
        }
        _ => None,
    };
    let drawn = dumps.as_ref().map(|dumps| dumps.each_ref().map(|dump| session.analyze(dump)));
    let runs = |sources: &[Source], side: usize| -> Result<Vec<Compare>, DiffError> {
        let known = drawn.as_ref().and_then(|drawn| drawn.get(side));
        let runs = sources.iter().map(|source| {
            let report = match known {
                Some(run) => Compared::of(&run.analysis.report),
                None => source.report(session)?,
            };
            Ok(Compare {
                name: source.name.clone(),
                unit: pooled(&source.unit, &request.pool),
                occasion: source.occasion.clone(),
                report,
            })
        });
        runs.collect()
    };
    let comparison = compare(runs(&before, 0)?, runs(&after, 1)?, request.pairs)?;
    let options = GateOptions {
        fails_on_unmatched: request.fails_on_unmatched,
        no_baseline: request.no_baseline,
    };
    let gate = Gate::check(&request.limits, options, &comparison);
    let written = match &request.out {
        Some(dir) => {
            let out = output_directory(dir)?;
            let mut written = bigtpu_emit_text::diff::write(&comparison, &gate, &out)?;
            written.push(match &drawn {
                Some(drawn) => draw(drawn, &comparison, &gate, &out)?,
                None => draw_worst([&before, &after], &comparison, &gate, session, &out)?,
            });
            out.publish()?;
            written
        }
        None => Vec::new(),
    };
    Ok(Difference { comparison, gate, written })
}

/// Writes the page of two runs of the unit whose wall time grew most.
fn draw(
    drawn: &[Run<'_>; 2],
    comparison: &Comparison,
    gate: &Gate,
    out: &OutDir,
) -> Result<Written, DiffError> {
    match comparison.worst() {
        Some(worst) => Ok(page::write(drawn, &worst.diff, &verdict_lines(gate), out)?),
        None => Ok(bigtpu_emit_text::diff::write_tables(comparison, gate, out)?),
    }
}

/// The same, where its dumps are to be opened first; with reports only the page has the tables alone.
fn draw_worst(
    sides: [&[Source]; 2],
    comparison: &Comparison,
    gate: &Gate,
    session: &Session,
    out: &OutDir,
) -> Result<Written, DiffError> {
    let dumps = match comparison.worst() {
        Some(worst) => page::dumps(sides, worst, session)?,
        None => None,
    };
    match dumps {
        Some(dumps) => {
            draw(&dumps.each_ref().map(|dump| session.analyze(dump)), comparison, gate, out)
        }
        None => Ok(bigtpu_emit_text::diff::write_tables(comparison, gate, out)?),
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
