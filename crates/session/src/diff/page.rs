//! The page of two runs, with both timelines.

use bigtpu_answers::{Diff, LimitLine, UnitDiff};
use bigtpu_emit::Quiet;
use bigtpu_emit_text::diff::HTML_FILE;
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_timeline::{Dump, OpenError};

use super::input::Source;
use crate::run::Run;
use crate::settings::Session;

/// The dumps that are drawn: of each side the first among the runs that were compared in `unit`; `None` where a side has
/// reports only.
pub(super) fn dumps(
    sides: [&[Source]; 2],
    unit: &UnitDiff,
    session: &Session,
) -> Result<Option<[Dump; 2]>, OpenError> {
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
    verdicts: &[LimitLine],
    out: &OutDir,
) -> Result<Written, OutputError> {
    let [before, after] = drawn.each_ref().map(Run::page_run);
    let verdicts = verdicts.iter().map(|line| line.message.clone().into()).collect();
    let page = RunsPage { kind: RunsKind::Change, diff, verdicts };
    page.write([&before, &after], out, HTML_FILE, &Quiet)
}
