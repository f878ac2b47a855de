//! The page of two runs, with both timelines.

use anyhow::Result;
use bigtpu_answers::{Diff, UnitDiff};
use bigtpu_emit::Quiet;
use bigtpu_emit_diff::HTML_FILE;
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_output::{OutDir, Written};
use bigtpu_session::{Run, Session};
use bigtpu_timeline::Dump;

use super::input::Source;

/// The dumps that are drawn: of each side the first among the runs that were compared in `unit`; `None` where a side has
/// reports only.
pub(super) fn dumps(
    sides: [&[Source]; 2],
    unit: &UnitDiff,
    session: &Session,
) -> Result<Option<[Dump; 2]>> {
    let compared = [&unit.diff.before, &unit.diff.after];
    let first = |side: usize| {
        let names = compared.get(side)?;
        let sources = sides.get(side)?.iter();
        sources.filter(|source| source.is_dump).find(|source| names.contains(&source.name))
    };
    let (Some(before), Some(after)) = (first(0), first(1)) else { return Ok(None) };
    Ok(Some([before.open(session)?, after.open(session)?]))
}

/// Writes the page.
pub(super) fn write(
    drawn: &[Run<'_>; 2],
    diff: &Diff,
    verdicts: &[String],
    out: &OutDir,
) -> Result<Written> {
    let [before, after] = drawn.each_ref().map(Run::page_run);
    let page = RunsPage { kind: RunsKind::Change, diff, verdicts };
    Ok(page.write([&before, &after], out, HTML_FILE, &Quiet)?)
}
