//! Observed hand-overs: an engine was idle, a command of another engine of its core ended, and right after that the
//! idle one started. Used where nothing better is known.
//!
//! An engine that takes no part in a sync starts some time after it, together with one that does: both wait for the sync's end.

use bigtpu_chip::Engine;

use crate::dependence::{Edge, Node};
use crate::input::{Input, Task, TrackInput};

/// Longest time from the end of a command to the start of one that waited for it, in ns.
pub(crate) const HAND_OVER_NS: i64 = 200;

/// Hand-overs to a track, by event. `explained` says whether an event's start is explained without one; it is asked
/// for events in their order. `commands_known`: command dependences are in use, so that a TIU or GDMA command that names none waited for
/// none.
pub(crate) fn hand_overs(
    input: &Input<'_>,
    track: &TrackInput<'_>,
    mut explained: impl FnMut(usize) -> bool,
    commands_known: bool,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    if track.engine_id.engine == Engine::Cdma {
        return edges;
    }
    let of_core = |t: &&TrackInput<'_>| {
        t.engine_id.engine != Engine::Cdma
            && t.engine_id.index == track.engine_id.index
            && t.engine_id.engine != track.engine_id.engine
    };
    // With the number of events that have ended.
    let mut others: Vec<(&TrackInput<'_>, usize)> =
        input.tracks.iter().filter(of_core).map(|other| (other, 0)).collect();
    let by_number = matches!(track.engine_id.engine, Engine::Tiu | Engine::Gdma);
    let mut idle_since = i64::MIN;
    for i in 0..track.len() {
        let end = track.end(i);
        if commands_known && by_number && track.dependence(i).is_some() {
            idle_since = idle_since.max(end);
            continue;
        }
        let start = track.start(i);
        let mut latest: Option<(i64, Node, usize)> = None;
        for (number, (other, ended)) in others.iter_mut().enumerate() {
            while *ended < other.len() && other.end(*ended) <= start {
                *ended += 1;
            }
            let Some(last) = ended.checked_sub(1) else { continue };
            // What starts together with the command can't be what it waited for.
            if other.start(last) < start {
                latest = latest.max(Some((other.end(last), other.node(last), number)));
            }
        }
        if let Some((ended, from, number)) = latest
            && ended > idle_since
            && !explained(i)
            && (start - ended <= HAND_OVER_NS
                || others.get(number).is_some_and(|(o, next)| lets_go(input, o, *next, start)))
        {
            edges.push(Edge { from, to: track.node(i), ended });
        }
        idle_since = idle_since.max(end);
    }
    edges
}

/// Whether the command before `next` on the other engine is a wait, and its end let both `next` and what starts at `start`
/// go: they start together.
fn lets_go(input: &Input<'_>, other: &TrackInput<'_>, next: usize, start: i64) -> bool {
    let before = next.checked_sub(1).and_then(|i| input.class_of(other.node(i)));
    before.is_some_and(|class| class.task == Task::Wait)
        && next < other.len()
        && (other.start(next) - start).abs() <= input.tolerance
}
