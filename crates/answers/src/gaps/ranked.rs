//! The gaps that cost most.

use bigtpu_measure::{Activity, DumpModel};
use bigtpu_timeline::EngineId;

use super::table::{GapRow, GapTable};
use super::{Cause, Gap};

/// Gaps of an engine that are ranked: so many that the run loses most by, and so many waits that its core loses most by.
const MOST_OF_ENGINE: usize = 5;
/// Gaps shorter than this part of the run are left out, where there are longer ones.
const LEAST_PART: i64 = 1000;
/// Waits that end within so many ns are of one barrier.
const TOGETHER_NS: i64 = 200;

/// What a gap costs: the run, then the core, then its length; the greatest first.
fn key(id: EngineId, row: &GapRow) -> (i64, i64, i64, i64, EngineId) {
    (-row.saved_ns.unwrap_or(0), -row.cost_ns, -row.ns(), row.start, id)
}

/// The costliest gaps between commands; those whose waits ended together are one, and so are those between the same launches.
pub(super) fn ranked(model: &DumpModel<'_>, table: &GapTable) -> Vec<Gap> {
    let is_between = |row: &&GapRow| !matches!(row.cause, Cause::Start | Cause::End);
    let mut all: Vec<(EngineId, &GapRow)> = Vec::new();
    for of in &table.engines {
        let mut own: Vec<&GapRow> = of.rows.iter().filter(is_between).collect();
        own.sort_by_key(|row| key(of.engine_id, row));
        // A long wait for another core saves nothing by itself, but it is what that core costs this one.
        let mut rest = own.split_off(own.len().min(MOST_OF_ENGINE));
        rest.retain(|row| row.cause == Cause::Sync);
        rest.sort_by_key(|row| (-row.cost_ns, -row.ns(), row.start));
        rest.truncate(MOST_OF_ENGINE);
        all.extend(own.into_iter().chain(rest).map(|row| (of.engine_id, row)));
    }
    let wall_ns = model.window().map_or(0, |(start, end)| end - start);
    let is_long = |(_, row): &(EngineId, &GapRow)| row.ns().saturating_mul(LEAST_PART) >= wall_ns;
    if all.iter().any(is_long) {
        all.retain(is_long);
    }
    all.sort_by_key(|(id, row)| key(*id, row));
    let mut found: Vec<(Gap, Option<i64>, Option<u32>)> = Vec::new();
    for (id, row) in all {
        let (opened, launches) = (opened(model, row), row.between_launches);
        let is_together = |(_, other, of_launches): &&mut (Gap, Option<i64>, Option<u32>)| {
            let apart = other.zip(opened).map(|(other, own)| (other - own).abs());
            apart.is_some_and(|apart| apart <= TOGETHER_NS)
                || launches.is_some() && *of_launches == launches
        };
        match found.iter_mut().find(is_together) {
            Some((gap, ..)) => gap.with.push((id.engine.name().to_owned(), id.index)),
            None => found.push((Gap::named(model, id, row), opened, launches)),
        }
    }
    found.into_iter().map(|(gap, ..)| gap).collect()
}

/// When the wait ended that the work after the gap waited for, on its own engine or on one that let it go, in ns; `None` of a gap that
/// was no sync most of the time.
fn opened(model: &DumpModel<'_>, row: &GapRow) -> Option<i64> {
    if row.cause != Cause::Sync {
        return None;
    }
    let waits = row.chain.iter().filter_map(|link| {
        let event = model.event(model.track(link.engine_id)?, link.event as usize)?;
        (event.kind.activity == Activity::Wait && event.end > row.start).then_some(event.end)
    });
    waits.into_iter().next()
}
