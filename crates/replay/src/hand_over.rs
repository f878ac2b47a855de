//! Observed hand-overs: an engine was idle, a command of another engine of its core ended, and right after that the
//! idle one started. Used where nothing better is known.

use bigtpu_chip::Engine;

use crate::dependence::{DependenceKind, Node};
use crate::edges::EdgeList;
use crate::input::{Input, TrackInput};

/// Longest time from the end of a command to the start of one that waited for it, in ns.
pub(crate) const HAND_OVER_NS: i64 = 200;

/// Hand-overs. `explained` says whether a node's start is explained without one; `commands_known`: command
/// dependences are in use, so that a TIU or GDMA command that names none waited for none.
pub(crate) fn hand_overs(input: &Input<'_>, explained: &[bool], commands_known: bool) -> EdgeList {
    let mut edges = EdgeList::new(DependenceKind::HandOver);
    for track in input.tracks.iter().filter(|t| t.engine_id.engine != Engine::Cdma) {
        let of_core = |t: &&TrackInput<'_>| {
            t.engine_id.engine != Engine::Cdma
                && t.engine_id.index == track.engine_id.index
                && t.engine_id.engine != track.engine_id.engine
        };
        let others: Vec<&TrackInput<'_>> = input.tracks.iter().filter(of_core).collect();
        let mut ended = vec![0usize; others.len()];
        let by_number = matches!(track.engine_id.engine, Engine::Tiu | Engine::Gdma);
        let mut idle_since = i64::MIN;
        for i in 0..track.len() {
            let start = track.start[i];
            let mut latest: Option<(i64, Node)> = None;
            for (other, ended) in others.iter().zip(&mut ended) {
                while *ended < other.len() && other.end(*ended) <= start {
                    *ended += 1;
                }
                let Some(last) = ended.checked_sub(1) else { continue };
                // What starts together with the command can't be what it waited for.
                if other.start[last] < start {
                    latest = latest.max(Some((other.end(last), other.node(last))));
                }
            }
            let known = explained.get(track.node(i) as usize).copied().unwrap_or(true)
                || commands_known && by_number && track.dependence(i).is_some();
            if let Some((end, node)) = latest.filter(|_| !known)
                && end > idle_since
                && start - end <= HAND_OVER_NS
            {
                edges.push(node, track.node(i));
            }
            idle_since = idle_since.max(track.end(i));
        }
    }
    edges
}
