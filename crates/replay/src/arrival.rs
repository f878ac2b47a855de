//! What held up a sync besides its sends: a command of an engine that sends nothing, such as a port of CDMA.
//!
//! A sync opens some time after its last send. Where that takes longer than usual, and a command of one of its cores or of a port
//! ended shortly before the sync opened, the sync waited for this command too.

use bigtpu_chip::Engine;

use crate::barrier::{Round, SyncEvent};
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Input, TrackInput};

/// Adds the commands for which rounds waited besides their sends.
pub(crate) fn add_arrivals(input: &Input<'_>, rounds: &mut [Round]) {
    let Some(usual) = rounds.iter().filter_map(delay).filter(|ns| *ns >= 0).min() else { return };
    for round in rounds {
        let Some(opened) = round.opened() else { continue };
        let sent = round.sends.iter().map(|send| send.end).max().unwrap_or(opened);
        if opened - sent <= usual + 2 * input.tolerance {
            continue;
        }
        let of_round = |track: &&TrackInput<'_>| {
            track.engine_id.engine == Engine::Cdma
                || round.waits.iter().any(|wait| {
                    let core = input.tracks.get(wait.track).map(|t| t.engine_id.index);
                    core == Some(track.engine_id.index)
                })
        };
        let tracks = input.tracks.iter().enumerate().filter(|(_, track)| of_round(track));
        let last = tracks.filter_map(|(number, track)| last_work(input, number, track, opened));
        let last = last.max_by_key(|work| (work.end, std::cmp::Reverse(work.node)));
        if let Some(work) = last.filter(|work| work.end > sent)
            && opened - work.end <= usual + HAND_OVER_NS
        {
            round.sends.push(work);
            round.is_known = false;
        }
    }
}

/// ns from the last send to the first end of a wait.
fn delay(round: &Round) -> Option<i64> {
    Some(round.opened()? - round.sends.iter().map(|send| send.end).max()?)
}

/// The last command of a track that worked and had ended by then.
fn last_work(
    input: &Input<'_>,
    number: usize,
    track: &TrackInput<'_>,
    by: i64,
) -> Option<SyncEvent> {
    // Commands of an engine end in order; those of two threads are close.
    let until = track.ended_by(by);
    let last = (0..until).rev().take(MOST_SYSTEM_COMMANDS);
    let work = last.map(|i| (i, track.node(i))).find(|(_, node)| input.is_work(*node));
    work.map(|(i, node)| SyncEvent {
        node,
        track: number,
        start: track.start(i),
        end: track.end(i),
    })
}

/// Between the last work and a sync an engine runs a few system commands.
const MOST_SYSTEM_COMMANDS: usize = 8;
