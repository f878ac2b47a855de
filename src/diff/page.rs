//! The page of two runs, with both timelines.

use anyhow::Result;
use bigtpu_answers::Diff;
use bigtpu_emit::{OutDir, Quiet, Written};
use bigtpu_emit_diff::HTML_FILE;
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_session::{Run, Session};
use bigtpu_timeline::Dump;

use super::input::Source;

/// The first dump of each side, opened, with its place among the side's runs; `None` where a side has reports only.
pub(super) fn dumps(
    sides: [&[Source]; 2],
    session: &Session,
) -> Result<Option<[(usize, Dump); 2]>> {
    let first = |side: &[Source]| side.iter().position(|source| source.is_dump);
    let [Some(before), Some(after)] = sides.map(first) else { return Ok(None) };
    let [Some(first), Some(second)] = [sides[0].get(before), sides[1].get(after)] else {
        return Ok(None);
    };
    Ok(Some([(before, first.open(session)?), (after, second.open(session)?)]))
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
