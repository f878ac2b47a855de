//! Pairs of sends and waits as rounds: which sends each wait needs.

use foldhash::{HashMap, HashMapExt};

use bigtpu_measure::Flows;
use bigtpu_timeline::EngineId;

use crate::barrier::{Round, SyncEvent};
use crate::dependence::Node;
use crate::input::{Input, Task};

/// The pairs of a dump.
#[derive(Default)]
pub(crate) struct Pairs {
    /// Sends that waits have in common, with these waits, by the first wait.
    pub(crate) rounds: Vec<Round>,
    /// All waits of the rounds, in order.
    pub(crate) waits: Vec<Node>,
    /// Pairs used.
    pub(crate) found: u64,
    /// Pairs that the times contradict.
    pub(crate) contradicted: u64,
}

impl Pairs {
    pub(crate) fn find(input: &Input<'_>, flows: &Flows) -> Self {
        let events = SyncEvents::collect(input);
        Self::of_rounds(&events, flows).unwrap_or_else(|| Self::of_pairs(&events, flows))
    }

    /// From the rounds; `None` where waits have other sends besides, or times contradict a pair.
    fn of_rounds(events: &SyncEvents<'_, '_>, flows: &Flows) -> Option<Self> {
        let mut all = Self::default();
        let mut all_sends: Vec<Node> = Vec::new();
        for of_message in flows.rounds() {
            let mut round = Round {
                sends: of_message.sends().filter_map(|send| events.event(send)).collect(),
                waits: of_message.waits().filter_map(|wait| events.wait(wait)).collect(),
                is_known: true,
            };
            if round.sends.is_empty() || round.waits.is_empty() {
                continue;
            }
            let sent = round.sends.iter().map(|send| send.end).max()?;
            let passed = round.waits.iter().map(|wait| wait.end).min()?;
            if passed < sent - events.input.tolerance {
                return None;
            }
            round.waits.sort_unstable_by_key(|wait| wait.node);
            all.waits.extend(round.waits.iter().map(|wait| wait.node));
            all_sends.extend(round.sends.iter().map(|send| send.node));
            all.found += (round.sends.len() * round.waits.len()) as u64;
            all.rounds.push(round);
        }
        all.waits.sort_unstable();
        all_sends.sort_unstable();
        all.rounds.sort_unstable_by_key(|round| round.waits.first().map(|wait| wait.node));
        let are_apart =
            [&all.waits, &all_sends].iter().all(|nodes| nodes.is_sorted_by(|a, b| a < b));
        are_apart.then_some(all)
    }

    /// Pair by pair.
    fn of_pairs(events: &SyncEvents<'_, '_>, flows: &Flows) -> Self {
        let mut all = Self::default();
        let mut pairs: Vec<(SyncEvent, SyncEvent)> = Vec::with_capacity(flows.len());
        for flow in flows.pairs() {
            let (Some(send), Some(wait)) = (events.event(flow.send), events.wait(flow.wait)) else {
                continue;
            };
            if wait.end < send.end - events.input.tolerance {
                all.contradicted += 1;
                continue;
            }
            pairs.push((wait, send));
        }
        all.found = pairs.len() as u64;
        // The sends of a wait stay in the order of the flows.
        pairs.sort_by_key(|(wait, _)| wait.node);
        let mut numbers: HashMap<Vec<Node>, usize> = HashMap::new();
        for of_wait in pairs.chunk_by(|a, b| a.0.node == b.0.node) {
            let Some((wait, _)) = of_wait.first() else { continue };
            all.waits.push(wait.node);
            let rounds = &mut all.rounds;
            let sends = of_wait.iter().map(|(_, send)| send.node).collect();
            let number = *numbers.entry(sends).or_insert_with(|| {
                let sends = of_wait.iter().map(|(_, send)| *send).collect();
                rounds.push(Round { sends, waits: Vec::new(), is_known: true });
                rounds.len() - 1
            });
            if let Some(round) = rounds.get_mut(number) {
                round.waits.push(*wait);
            }
        }
        all
    }
}

/// Finds the events of flows.
struct SyncEvents<'i, 'a> {
    input: &'i Input<'a>,
    /// Number of each engine's track.
    tracks: HashMap<EngineId, usize>,
}

impl<'i, 'a> SyncEvents<'i, 'a> {
    fn collect(input: &'i Input<'a>) -> Self {
        let tracks = input.tracks.iter().enumerate().map(|(i, t)| (t.engine_id, i)).collect();
        Self { input, tracks }
    }

    fn event(&self, (engine_id, i): (EngineId, usize)) -> Option<SyncEvent> {
        let number = *self.tracks.get(&engine_id)?;
        let track = self.input.tracks.get(number)?;
        let (start, end) = (i < track.len()).then(|| (track.start(i), track.end(i)))?;
        Some(SyncEvent { node: track.node(i), track: number, start, end })
    }

    /// An event that waits.
    fn wait(&self, event: (EngineId, usize)) -> Option<SyncEvent> {
        let wait = self.event(event)?;
        let class = self.input.class_of(wait.node);
        class.is_some_and(|class| class.task == Task::Wait).then_some(wait)
    }
}
