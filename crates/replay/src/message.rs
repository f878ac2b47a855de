//! Sync messages: which sends had to end before a wait could.

use foldhash::{HashMap, HashMapExt};
use rayon::prelude::*;

use bigtpu_measure::Flow;
use bigtpu_timeline::EngineId;

use crate::arrival::add_arrivals;
use crate::barrier::{Round, SyncEvent, joined};
use crate::dependence::{Edge, Junction, Node};
use crate::floors::Floors;
use crate::input::{Input, Task, TrackInput};

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
}

impl Messages {
    /// `next` is the first free node number.
    pub(crate) fn of(input: &Input<'_>, flows: &[Flow], next: Node) -> Self {
        let tracks: HashMap<EngineId, usize> =
            input.tracks.iter().enumerate().map(|(i, t)| (t.engine_id, i)).collect();
        let event = |(place, i): (EngineId, usize)| {
            let track = input.tracks.get(*tracks.get(&place)?)?;
            (i < track.len()).then(|| (track.node(i), track.end(i)))
        };
        let mut all = Self::default();
        // Wait, send.
        let mut pairs: Vec<(Node, Node)> = Vec::with_capacity(flows.len());
        let of_sends = flows.chunk_by(|a, b| a.send == b.send).flat_map(|of_send| {
            let send = of_send.first().and_then(|flow| event(flow.send));
            of_send.iter().filter_map(move |flow| Some((send?, flow)))
        });
        for ((send, sent), flow) in of_sends {
            let Some((wait, passed)) = event(flow.wait) else { continue };
            if input.class_of(wait).is_none_or(|c| c.task != Task::Wait) {
                continue;
            }
            if passed < sent - input.tolerance {
                all.contradicted += 1;
                continue;
            }
            pairs.push((wait, send));
        }
        all.found = pairs.len() as u64;
        // The sends of a wait stay in the order of the flows.
        pairs.sort_by_key(|(wait, _)| *wait);
        let of_track = |track: &TrackInput<'_>| unpaired(input, track, &pairs);
        let of_tracks: Vec<_> = input.tracks.par_iter().map(of_track).collect();
        let mut rounds = rounds(input, &pairs);
        for (track, (alone, least_send)) in input.tracks.iter().zip(of_tracks) {
            rounds.extend(alone);
            least_send.into_iter().for_each(|ns| all.floors.add_send(track.engine_id.engine, ns));
        }
        let (mut barriers, others) = joined(rounds, input.tolerance);
        let mut known: Vec<Round> = others.into_iter().filter(|round| round.is_known).collect();
        add_arrivals(input, &mut barriers);
        add_arrivals(input, &mut known);
        barriers.iter().for_each(|round| all.connect(round, true, next));
        // Rounds that waited for more than their messages are concluded from times.
        known.iter().for_each(|round| all.connect(round, !round.is_known, next));
        all.edges.sort_unstable_by_key(|edge| edge.to);
        all.barriers.sort_unstable_by_key(|edge| edge.to);
        all
    }

    /// Adds a dependence of each wait; the sends of a round meet in a junction, if there are several.
    fn connect(&mut self, round: &Round, is_barrier: bool, next: Node) {
        let junction = Junction::of(round.sends.iter().map(|send| (send.node, send.end)));
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

/// Rounds of the pairs of waits and sends; `pairs` are ordered by wait.
fn rounds(input: &Input<'_>, pairs: &[(Node, Node)]) -> Vec<Round> {
    let mut numbers: HashMap<Vec<Node>, usize> = HashMap::new();
    let mut rounds: Vec<Round> = Vec::new();
    let mut sends: Vec<Node> = Vec::new();
    for of_wait in pairs.chunk_by(|a, b| a.0 == b.0) {
        let Some((wait, _)) = of_wait.first() else { continue };
        sends.clear();
        sends.extend(of_wait.iter().map(|(_, send)| *send));
        let number = numbers.get(&sends).copied().unwrap_or_else(|| {
            let sends_of_round = sends.iter().filter_map(|send| input.sync(*send)).collect();
            rounds.push(Round { sends: sends_of_round, waits: Vec::new(), is_known: true });
            numbers.insert(sends.clone(), rounds.len() - 1);
            rounds.len() - 1
        });
        if let Some(round) = rounds.get_mut(number) {
            round.waits.extend(input.sync(*wait));
        }
    }
    rounds
}

/// Waits without a known message on a track, each with the send before it, and the least time of a send. `pairs`: as for
/// [`rounds`].
fn unpaired(
    input: &Input<'_>,
    track: &TrackInput<'_>,
    pairs: &[(Node, Node)],
) -> (Vec<Round>, Option<i64>) {
    let mut found = Vec::new();
    let mut least_send: Option<i64> = None;
    let mut sent = None;
    for i in 0..track.len() {
        let node = track.node(i);
        match input.class_of(node).map(|class| class.task) {
            Some(Task::Send) => {
                let ns = track.end(i) - track.start(i);
                least_send = Some(least_send.map_or(ns, |least| least.min(ns)));
                sent = input.sync(node);
            }
            Some(Task::Wait) => {
                let is_known = pairs.binary_search_by_key(&node, |(wait, _)| *wait).is_ok();
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
    fn sync(&self, node: Node) -> Option<SyncEvent> {
        let (number, i) = self.place(node)?;
        let track = self.tracks.get(number)?;
        Some(SyncEvent { node, track: number, start: track.start(i), end: track.end(i) })
    }
}
