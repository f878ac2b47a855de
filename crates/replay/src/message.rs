//! Sync messages: which sends had to end before a wait could.

use foldhash::{HashMap, HashMapExt};

use bigtpu_measure::Flow;
use bigtpu_timeline::EngineId;

use crate::dependence::{Edge, Junction, Node};
use crate::input::{Input, Task};

/// The sync messages of a dump.
pub(crate) struct Messages {
    /// One for each wait whose sends are known, by wait.
    pub(crate) edges: Vec<Edge>,
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
        let (edges, junctions) = (Vec::new(), Vec::new());
        let mut all = Self { edges, junctions, contradicted: 0, found: 0 };
        // Wait, send.
        let mut pairs: Vec<(Node, Node)> = Vec::with_capacity(flows.len());
        for flow in flows {
            let (Some((send, sent)), Some((wait, passed))) = (event(flow.send), event(flow.wait))
            else {
                continue;
            };
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
        all.connect(input, &pairs, next);
        all
    }

    fn connect(&mut self, input: &Input<'_>, pairs: &[(Node, Node)], next: Node) {
        let mut rounds: HashMap<Vec<Node>, usize> = HashMap::new();
        let mut sends: Vec<Node> = Vec::new();
        for of_wait in pairs.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(to, send)) = of_wait.first() else { continue };
            if of_wait.len() == 1 {
                self.edges.push(Edge { from: send, to, ended: input.end_of(send) });
                continue;
            }
            sends.clear();
            sends.extend(of_wait.iter().map(|(_, send)| *send));
            let round = match rounds.get(&sends) {
                Some(round) => *round,
                None => {
                    self.junctions.push(Junction::of(sends.clone(), |send| input.end_of(send)));
                    rounds.insert(sends.clone(), self.junctions.len() - 1);
                    self.junctions.len() - 1
                }
            };
            let ended = self.junctions.get(round).map_or(0, |junction| junction.end);
            self.edges.push(Edge { from: next + round as Node, to, ended });
        }
    }
}
