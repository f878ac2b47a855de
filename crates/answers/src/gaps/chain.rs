//! From a command back along what each one waited for, to work.

use bigtpu_measure::{Activity, Model};
use bigtpu_replay::Cause;
use bigtpu_timeline::EngineId;

use super::table::ChainLink;

/// Links at most.
const MOST: usize = 40;

/// What an event waited for, nearest first; the last link is work, or nothing is known of what it waited for.
pub(super) fn back_from(
    model: &Model<'_>,
    cause: impl Fn(EngineId, usize) -> Option<Cause>,
    engine_id: EngineId,
    event: usize,
) -> Vec<ChainLink> {
    let mut links = Vec::new();
    let (mut id, mut at) = (engine_id, event);
    while links.len() < MOST
        && let Some(found) = cause(id, at)
    {
        let time = |id: EngineId, at: usize| {
            let track = model.track(id)?;
            let event = model.event(track, at)?;
            Some((event.start, event.end, event.kind.activity))
        };
        let (Some(own), Some((_, end, activity))) =
            (time(id, at), time(found.engine_id, found.event))
        else {
            break;
        };
        let (start, own_end, own_activity) = own;
        let from = if own_activity == Activity::Wait { own_end } else { start };
        let Ok(number) = u32::try_from(found.event) else { break };
        links.push(ChainLink {
            engine_id: found.engine_id,
            event: number,
            kind: found.kind,
            lag_ns: from - end,
            is_work: activity.is_work(),
            end,
        });
        if activity.is_work() {
            break;
        }
        (id, at) = (found.engine_id, found.event);
    }
    links
}
