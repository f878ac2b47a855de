//! Sync messages: which sends had to end before a wait could.

use foldhash::{HashMap, HashMapExt};

use bigtpu_measure::Flow;
use bigtpu_timeline::EngineId;

use crate::dependence::{DependenceKind, Node};
use crate::edges::EdgeList;
use crate::input::{Input, Task};

/// The sync messages of a dump.
pub(crate) struct Messages {
    pub(crate) edges: EdgeList,
    /// Sends that the waits of a round have in common meet in such a node.
    pub(crate) junctions: Vec<Vec<Node>>,
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
        let edges = EdgeList::new(DependenceKind::Message);
        let mut all = Self { edges, junctions: Vec::new(), contradicted: 0, found: 0 };
        // Sends of each wait, waits in order of first appearance.
        let mut place_of: HashMap<Node, usize> = HashMap::new();
        let mut waits: Vec<(Node, Vec<Node>)> = Vec::new();
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
            all.found += 1;
            let at = *place_of.entry(wait).or_insert_with(|| {
                waits.push((wait, Vec::new()));
                waits.len() - 1
            });
            waits[at].1.push(send);
        }
        let mut rounds: HashMap<Vec<Node>, Node> = HashMap::new();
        for (wait, sends) in waits {
            if let [send] = sends[..] {
                all.edges.push(send, wait);
                continue;
            }
            let junctions = &mut all.junctions;
            let junction = *rounds.entry(sends).or_insert_with_key(|sends| {
                junctions.push(sends.clone());
                next + (junctions.len() - 1) as Node
            });
            all.edges.push(junction, wait);
        }
        all
    }
}
