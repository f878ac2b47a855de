//! Sync messages: which sends had to end before a wait could.

use rayon::prelude::*;

use bigtpu_measure::Flows;

use crate::arrival::add_arrivals;
use crate::barrier::{Round, SyncEvent, joined};
use crate::dependence::{Edge, Junction, Node};
use crate::floors::Floors;
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Input, Task, TrackInput};
use crate::pairs::Pairs;

/// The sync messages of a dump.
#[derive(Default)]
pub(crate) struct Messages {
    /// One for each wait whose sends are known, by wait.
    pub(crate) edges: Vec<Edge>,
    /// One for each wait that ended together with others, by wait.
    pub(crate) barriers: Vec<Edge>,
    /// What the sends show.
    pub(crate) floors: Floors,
    /// Sends that the waits of a round have in common meet in such a node.
    pub(crate) junctions: Vec<Junction>,
    /// Pairs that the times contradict.
    pub(crate) contradicted: u64,
    /// Pairs used.
    pub(crate) found: u64,
    /// Longest time in ns from a send, or other work, to the end of a wait that it ended.
    pub(crate) longest_release_ns: i64,
}

impl Messages {
    /// `next` is the first free node number.
    pub(crate) fn find(input: &Input<'_>, flows: &Flows, next: Node) -> Self {
        let mut all = Self::default();
        let pairs = Pairs::find(input, flows);
        (all.found, all.contradicted) = (pairs.found, pairs.contradicted);
        let of_track = |track| unpaired(input, track, &pairs.waits);
        let of_tracks: Vec<_> = input.tracks.par_iter().enumerate().map(of_track).collect();
        let mut rounds = pairs.rounds;
        for (track, (alone, least_send)) in input.tracks.iter().zip(of_tracks) {
            rounds.extend(alone);
            least_send.into_iter().for_each(|ns| all.floors.add_send(track.engine_id.engine, ns));
        }
        let (mut barriers, others) = joined(rounds, input.tolerance);
        let mut known: Vec<Round> = others.into_iter().filter(|round| round.is_known).collect();
        let longest = [add_arrivals(input, &mut barriers), add_arrivals(input, &mut known)];
        all.longest_release_ns = longest.into_iter().flatten().max().unwrap_or(HAND_OVER_NS);
        barriers.iter().for_each(|round| all.connect(round, true, next));
        // Rounds that waited for more than their messages are concluded from times.
        known.iter().for_each(|round| all.connect(round, !round.is_known, next));
        all.edges.sort_unstable_by_key(|edge| edge.to);
        all.barriers.sort_unstable_by_key(|edge| edge.to);
        all
    }

    /// Adds a dependence of each wait; the sends of a round meet in a junction, if there are several.
    fn connect(&mut self, round: &Round, is_barrier: bool, next: Node) {
        let junction = Junction::join(round.sends.iter().map(|send| (send.node, send.end)));
        let ended = junction.end;
        let from = match round.sends[..] {
            [send] => send.node,
            _ => {
                self.junctions.push(junction);
                next + (self.junctions.len() - 1) as Node
            }
        };
        let edges = if is_barrier { &mut self.barriers } else { &mut self.edges };
        edges.extend(round.waits.iter().map(|wait| Edge { from, to: wait.node, ended }));
    }
}

/// Waits without a known message on a track, each with the send before it, and the least time of a send. `known`: waits with a
/// known message, in order.
fn unpaired(
    input: &Input<'_>,
    (number, track): (usize, &TrackInput<'_>),
    known: &[Node],
) -> (Vec<Round>, Option<i64>) {
    let mut found = Vec::new();
    let mut least_send: Option<i64> = None;
    let mut sent = None;
    for i in input.syncs.get(number).into_iter().flatten().map(|i| *i as usize) {
        let node = track.node(i);
        let Some(task) = input.class_of(node).map(|class| class.task) else { continue };
        match task {
            Task::Send => {
                let ns = track.end(i) - track.start(i);
                least_send = Some(least_send.map_or(ns, |least| least.min(ns)));
                sent = input.sync(node);
            }
            Task::Wait => {
                let is_known = known.binary_search(&node).is_ok();
                let sends: Vec<SyncEvent> = sent.take().into_iter().filter(|_| !is_known).collect();
                if !sends.is_empty() {
                    let waits = input.sync(node).into_iter().collect();
                    found.push(Round { sends, waits, is_known: false });
                }
            }
            _ => {}
        }
    }
    (found, least_send)
}

impl Input<'_> {
    /// A send or wait.
    pub(crate) fn sync(&self, node: Node) -> Option<SyncEvent> {
        let (number, i) = self.place(node)?;
        let track = self.tracks.get(number)?;
        Some(SyncEvent { node, track: number, start: track.start(i), end: track.end(i) })
    }
}
