//! Two runs, or two sets of runs, compared; and the history of runs.

mod error;
mod groups;
mod history;
mod input;
mod page;
mod run_link;

use bigtpu_messages::Message;
use std::path::{Path, PathBuf};

use bigtpu_answers::{Compared, Comparison, Gate, GateOptions, Limit, SourcedRun, compare};
use bigtpu_emit_text::diff::verdict_lines;
use bigtpu_output::{OutDir, OutputError, Written};

use crate::outputs::output_directory;
use crate::run::Run;
use crate::settings::Session;
use groups::{ReadRun, groups, units_of};
use input::{Source, Sources, sources};

pub use error::DiffError;
pub use groups::GroupOfRuns;
pub use history::{HistoryRequest, Remembered, remember};
pub(crate) use history::{JUNIT, PAGE, RECORDS, RESULT};

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
    /// The workload of all runs; else their names tell.
    pub workload: Option<String>,
    /// The n-th runs of both sides belong together.
    pub pairs: bool,
    /// Limits.
    pub limits: Vec<Limit>,
    /// A limit whose subject is gone, or was never there, does not fail.
    pub allows_missing: bool,
    /// A unit that has runs after the change only fails, too.
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
    let sides = [sources(request.before.iter())?, sources(request.after.iter())?];
    let open = request.out.as_deref().map(|out| move || output_directory(out));
    difference_of(sides, request, session, open)
}

/// Compares two dumps, which may be in memory, and writes all files.
///
/// # Errors
/// As [`difference`].
pub(crate) fn difference_of_dumps(
    dumps: [&Path; 2],
    session: &Session,
    out: &OutDir,
) -> Result<Difference, DiffError> {
    let sides = dumps.map(|dump| Sources { runs: vec![Source::of_dump(dump)], notes: Vec::new() });
    difference_of(sides, &DiffRequest::default(), session, Some(|| Ok(out.clone())))
}

/// `open` gives the directory for the results, when there are some.
fn difference_of(
    sides: [Sources; 2],
    request: &DiffRequest,
    session: &Session,
    open: Option<impl FnOnce() -> Result<OutDir, OutputError>>,
) -> Result<Difference, DiffError> {
    let [Sources { runs: before, mut notes }, Sources { runs: after, notes: more }] = sides;
    notes.extend(more);
    // Two dumps that are drawn are analyzed once.
    let dumps = match (before.as_slice(), after.as_slice()) {
        ([before], [after]) if open.is_some() && before.is_dump && after.is_dump => {
            Some([before.open(session)?, after.open(session)?])
        }
        _ => None,
    };
    let drawn = dumps.as_ref().map(|dumps| dumps.each_ref().map(|dump| session.analyze(dump)));
    let read = |source: &Source, side: usize| match drawn.as_ref().and_then(|drawn| drawn.get(side))
    {
        Some(run) => Ok(Compared::from_report(run.report())),
        None => source.report(session),
    };
    let runs = read_runs([&before, &after], read)?;
    let (units, said) = units_of(&runs, &request.pool, request.workload.as_deref());
    notes.extend(said);
    let mut sides = [Vec::new(), Vec::new()];
    for (ReadRun { source, side, report }, unit) in runs.into_iter().zip(units) {
        let (name, occasion) = (source.name.clone(), source.place.occasion.clone());
        if let Some(of_side) = sides.get_mut(side) {
            of_side.push(SourcedRun { name, unit, occasion, report });
        }
    }
    let [old, new] = sides;
    let comparison = compare(old, new, request.pairs)?;
    let comparison = Comparison { notes, ..comparison };
    let options = GateOptions {
        allows_missing: request.allows_missing,
        fails_on_unmatched: request.fails_on_unmatched,
        no_baseline: request.no_baseline,
    };
    let gate = Gate::check(&request.limits, options, &comparison);
    let written = match open {
        Some(open) => {
            let out = open()?;
            let mut written = bigtpu_emit_text::diff::write(
                &comparison,
                &gate,
                session.settings().language,
                &out,
            )?;
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

/// Opens the dumps of two runs of the unit whose wall time grew most, and writes their page; with reports only, the
/// page has the tables alone.
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

/// The runs of both sides with their reports.
fn read_runs<'s>(
    sides: [&'s [Source]; 2],
    read: impl Fn(&Source, usize) -> Result<Compared, DiffError>,
) -> Result<Vec<ReadRun<'s>>, DiffError> {
    let of_side = sides.into_iter().enumerate();
    let all = of_side.flat_map(|(side, sources)| sources.iter().map(move |source| (side, source)));
    all.map(|(side, source)| Ok(ReadRun { source, side, report: read(source, side)? })).collect()
}

/// Which runs would be compared with which, and what is left out.
///
/// # Errors
/// [`DiffError`] when a run can't be read.
pub fn grouping(
    request: &DiffRequest,
    session: &Session,
) -> Result<(Vec<GroupOfRuns>, Vec<Message>), DiffError> {
    let Sources { runs: before, mut notes } = sources(request.before.iter())?;
    let Sources { runs: after, notes: more } = sources(request.after.iter())?;
    notes.extend(more);
    let runs = read_runs([&before, &after], |source, _| source.report(session))?;
    let (units, said) = units_of(&runs, &request.pool, request.workload.as_deref());
    notes.extend(said);
    Ok((groups(&runs, &units), notes))
}
