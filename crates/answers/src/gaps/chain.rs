//! From a command back along what each one waited for, to work: and where the engine stood in a sync most of the time, on to the work
//! that the sync waited for.

use bigtpu_measure::{Activity, DumpModel};
use bigtpu_replay::{DependenceKind, WaitCause};
use bigtpu_timeline::EngineId;

use super::Cause as GapCause;
use super::table::{ChainLink, GapRow};

/// Links at most.
const MOST: usize = 40;

/// What the work after a gap waited for, nearest first. It ends at work, or where nothing more is known. A gap that was a sync most of the
/// time goes on to the work that ended the sync, if work came between the two: of 80 us at a barrier and 3 us for the load after it, the
/// load is not the whole cause.
pub(super) fn of_gap(
    model: &DumpModel<'_>,
    cause: impl Fn(EngineId, usize) -> Option<WaitCause>,
    engine_id: EngineId,
    row: &GapRow,
) -> Vec<ChainLink> {
    let Some(after) = row.after else { return Vec::new() };
    let mut links: Vec<ChainLink> = Vec::new();
    let (mut id, mut at) = (engine_id, after as usize);
    // Links up to the first work, and whether a sync was passed since the start.
    let mut nearest = None;
    let mut is_through_sync = false;
    while links.len() < MOST
        && let Some(link) = link_to(model, &cause, id, at)
        && (nearest.is_none() || link.end > row.start)
    {
        is_through_sync |= matches!(link.kind, DependenceKind::Message | DependenceKind::Barrier);
        (id, at) = (link.engine_id, link.event as usize);
        let is_work = link.is_work;
        links.push(link);
        if !is_work {
            continue;
        }
        if row.cause != GapCause::Sync || is_through_sync {
            return links;
        }
        nearest.get_or_insert(links.len());
    }
    links.truncate(nearest.unwrap_or(links.len()));
    links
}

/// What an event waited for, with the time between.
fn link_to(
    model: &DumpModel<'_>,
    cause: impl Fn(EngineId, usize) -> Option<WaitCause>,
    id: EngineId,
    at: usize,
) -> Option<ChainLink> {
    let found = cause(id, at)?;
    let own = model.event(model.track(id)?, at)?;
    let of = model.event(model.track(found.engine_id)?, found.event)?;
    let from = if own.kind.activity == Activity::Wait { own.end } else { own.start };
    Some(ChainLink {
        engine_id: found.engine_id,
        event: u32::try_from(found.event).ok()?,
        kind: found.kind,
        lag_ns: from - of.end,
        is_work: of.kind.activity.is_work(),
        end: of.end,
    })
}
