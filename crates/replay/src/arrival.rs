//! What held up a sync besides its sends: a command of an engine that sends nothing, such as a port of CDMA.
//!
//! A sync opens some time after its last send. Where that takes longer than usual, and a command of one of its cores or of a port
//! ended shortly before the sync opened, the sync waited for this command too.

use std::collections::BTreeSet;

use bigtpu_chip::Engine;

use crate::barrier::{Round, SyncEvent};
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Input, TrackInput};

/// Adds the commands for which rounds waited besides their sends. Returns the longest time in ns from what a round waited for to its
/// opening: what ended longer before that did not open it. `None` where no round shows it.
pub(crate) fn add_arrivals(input: &Input<'_>, rounds: &mut [Round]) -> Option<i64> {
    let usual = rounds.iter().filter_map(delay).filter(|ns| *ns >= 0).min()?;
    // Late rounds, and the last work before each of them opened.
    let late: Vec<(usize, SyncEvent, i64)> = rounds
        .iter()
        .enumerate()
        .filter_map(|(number, round)| {
            let (work, opened) = last_arrival(input, round, usual)?;
            Some((number, work, opened - work.end))
        })
        .collect();
    // Where the sends of other engines have no record, a sync takes longer after work than after a send that has one; how long, the
    // fastest of the late ones show.
    let fastest = late.iter().map(|(.., ns)| *ns).min().unwrap_or(0);
    let usual = if fastest <= LONGEST_SYNC_NS { usual.max(fastest) } else { usual };
    let mut engines = BTreeSet::new();
    for (number, work, ns) in late {
        if ns <= usual + HAND_OVER_NS
            && let Some(round) = rounds.get_mut(number)
        {
            round.add(work);
            engines.extend(input.tracks.get(work.track).map(|track| track.engine_id.engine));
        }
    }
    // What one sync waited for on one core all of them wait for on each core; only the last one shows. A port works for no core.
    engines.remove(&Engine::Cdma);
    for round in rounds.iter_mut().filter(|_| !engines.is_empty()) {
        let Some(opened) = round.opened() else { continue };
        let sends = |number: usize| round.sends.iter().any(|send| send.track == number);
        let tracks = input.tracks.iter().enumerate().filter(|(number, track)| {
            engines.contains(&track.engine_id.engine)
                && !sends(*number)
                && is_of(input, round, track)
        });
        let works: Vec<SyncEvent> =
            tracks.filter_map(|(number, track)| last_work(input, number, track, opened)).collect();
        works.into_iter().for_each(|work| round.add(work));
    }
    Some(usual + HAND_OVER_NS)
}

impl Round {
    /// Adds what it waited for besides its messages.
    fn add(&mut self, work: SyncEvent) {
        self.sends.push(work);
        self.is_known = false;
    }
}

/// Whether a track is of a core that waits in a round.
fn is_of(input: &Input<'_>, round: &Round, track: &TrackInput<'_>) -> bool {
    round.waits.iter().any(|wait| {
        let core = input.tracks.get(wait.track).map(|t| t.engine_id.index);
        core == Some(track.engine_id.index)
    })
}

/// Longest time in ns from the last work to the opening of a sync that waited for it.
const LONGEST_SYNC_NS: i64 = 1000;

/// If a round opened late after its last send, returns the last work before it opened, if that work ended after the
/// send; and when the round opened.
fn last_arrival(input: &Input<'_>, round: &Round, usual: i64) -> Option<(SyncEvent, i64)> {
    let opened = round.opened()?;
    let sent = round.sends.iter().map(|send| send.end).max().unwrap_or(opened);
    if opened - sent <= usual + 2 * input.tolerance {
        return None;
    }
    let of_round = |track: &&TrackInput<'_>| {
        track.engine_id.engine == Engine::Cdma || is_of(input, round, track)
    };
    let tracks = input.tracks.iter().enumerate().filter(|(_, track)| of_round(track));
    let last = tracks.filter_map(|(number, track)| last_work(input, number, track, opened));
    let last = last.max_by_key(|work| (work.end, std::cmp::Reverse(work.node)));
    last.filter(|work| work.end > sent).map(|work| (work, opened))
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
