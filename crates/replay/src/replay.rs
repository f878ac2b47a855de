//! The graph of a run, checked against the measurement.

use std::sync::Arc;

use bigtpu_measure::{CommandTable, Flow};
use bigtpu_sim::{Graph, Schedule, critical_path};
use bigtpu_timeline::{EngineId, Profile};

use crate::assemble::{Assembled, Floors, Nodes, WaitStart, assemble};
use crate::command::Commands;
use crate::confidence::KindUse;
use crate::costs::Model;
use crate::critical_path::CriticalPath;
use crate::dependence::{DependenceKind, Node};
use crate::edges::Edges;
use crate::event_causes::EventCauses;
use crate::hand_over::{HAND_OVER_NS, hand_overs};
use crate::input::{Input, TrackInput};
use crate::launch::{Launches, Run};
use crate::message::Messages;
use crate::order::Order;

/// Why a run can't be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nothing to replay.
    #[error("no prediction: the dump has no events")]
    Empty,
    /// The dependences make no graph.
    #[error("no prediction: {0}")]
    Graph(String),
    /// The graph does not give the measured times.
    #[error(
        "no prediction: replayed without a change, {engine_id} event {index} ends at {replayed} ns instead of {measured} ns"
    )]
    Baseline {
        /// Engine of the first event that differs.
        engine_id: EngineId,
        /// Its index.
        index: usize,
        /// When it ended, ns from the first event.
        measured: i64,
        /// When it ends in the replay, ns from the first event.
        replayed: i64,
    },
}

/// The graph of a run.
pub struct Replay {
    pub(crate) graph: Graph,
    pub(crate) model: Model,
    pub(crate) waits: Vec<WaitStart>,
    pub(crate) floors: Floors,
    pub(crate) runs: Vec<Run>,
    pub(crate) kernels: Vec<String>,
    /// Which engine, and the number of its first event.
    pub(crate) tracks: Vec<(EngineId, Node)>,
    /// Number of events.
    pub(crate) events: usize,
    pub(crate) uses: Vec<KindUse>,
    path: Arc<CriticalPath>,
    causes: Arc<EventCauses>,
}

impl std::fmt::Debug for Replay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Replay({} events, {} dependences)", self.events, self.graph.dependence_count())
    }
}

impl Replay {
    /// The graph of a profile; `table` is that of the profile, `flows` its sends and the waits that they released.
    ///
    /// # Errors
    /// When there are no events, or when the graph does not give the measured times back.
    pub fn of(
        profile: &Profile<'_>,
        table: &CommandTable,
        flows: &[Flow],
    ) -> Result<Self, Refusal> {
        let input = Input::of(profile, table);
        if input.events == 0 {
            return Err(Refusal::Empty);
        }
        let Found { nodes, floors, edges, junctions, runs, uses } = Found::of(&input, flows);
        let Assembled { graph, kinds, waits } =
            assemble(&input, &nodes, &floors, edges, &junctions)
                .map_err(|e| Refusal::Graph(e.with_names(|n| input.name(n))))?;
        let Input { classes, class, events, tracks: inputs, .. } = input;
        let mut replay = Self {
            graph,
            model: Model { classes, class, kinds },
            waits,
            floors,
            runs,
            kernels: profile.kernels.clone(),
            tracks: inputs.iter().map(|t| (t.engine_id, t.first)).collect(),
            events,
            uses,
            path: Arc::default(),
            causes: Arc::default(),
        };
        let schedule = replay.graph.replay();
        check(&inputs, &schedule, &nodes)?;
        drop(nodes);
        let steps = critical_path(&schedule);
        let path = CriticalPath::of(&replay, &schedule, &steps);
        let causes = EventCauses::of(&replay, &schedule, &steps);
        (replay.path, replay.causes) = (Arc::new(path), Arc::new(causes));
        Ok(replay)
    }

    /// Measured wall time in ns, from the first event's start to the last end.
    #[must_use]
    pub fn measured_ns(&self) -> i64 {
        self.path.wall_ns
    }

    /// What the run time consisted of.
    #[must_use]
    pub fn critical_path(&self) -> &Arc<CriticalPath> {
        &self.path
    }

    /// What each event waited for, and how much later it could have ended.
    #[must_use]
    pub fn event_causes(&self) -> &Arc<EventCauses> {
        &self.causes
    }

    /// Of each engine the number of its first event, and how many it has.
    pub(crate) fn tracks_with_lengths(&self) -> impl Iterator<Item = (EngineId, Node, usize)> {
        let ends = self.tracks.iter().skip(1).map(|(_, first)| *first);
        let ends = ends.chain([self.events as Node]);
        self.tracks
            .iter()
            .zip(ends)
            .map(|((place, first), end)| (*place, *first, (end - first) as usize))
    }

    /// Which event of which track a node is; `None` for those that are no event.
    pub(crate) fn event(&self, node: Node) -> Option<(usize, usize)> {
        if node as usize >= self.events {
            return None;
        }
        let track = self.tracks.partition_point(|(_, first)| *first <= node).checked_sub(1)?;
        Some((track, (node - self.tracks.get(track)?.1) as usize))
    }
}

impl Input<'_> {
    /// An event in words.
    fn name(&self, node: Node) -> String {
        let track = self.tracks.iter().rfind(|t| t.first <= node);
        match track.filter(|_| (node as usize) < self.events) {
            Some(track) => format!("{} event {}", track.engine_id, node - track.first),
            None => "a barrier or launch".to_owned(),
        }
    }
}

/// Everything that is known of a run's dependences.
struct Found {
    nodes: Nodes,
    floors: Floors,
    edges: Edges,
    junctions: Vec<Vec<Node>>,
    runs: Vec<Run>,
    uses: Vec<KindUse>,
}

impl Found {
    fn of(input: &Input<'_>, flows: &[Flow]) -> Self {
        let order = Order::of(input);
        let commands = Commands::of(input);
        let first_junction = input.events as Node + 1;
        let messages = Messages::of(input, flows, first_junction);
        let launches = Launches::of(input, first_junction + messages.junctions.len() as Node);
        let mut junctions = messages.junctions;
        junctions.extend(launches.junctions);
        let nodes = Nodes::of(input, &junctions);
        let mut order_use = KindUse::new(DependenceKind::EngineOrder);
        (order_use.found, order_use.contradicted) = (order.edges.len() as u64, order.overlaps);
        let mut message_use = KindUse::new(DependenceKind::Message);
        (message_use.found, message_use.contradicted) = (messages.found, messages.contradicted);
        let mut launch_use = KindUse::new(launches.found.0);
        (launch_use.found, launch_use.contradicted) = (launches.found.1, launches.contradicted);
        let mut edges = Edges::default();
        for list in [launches.edges, messages.edges, commands.edges, order.edges] {
            edges.add(list);
        }
        let floors = Floors::of(input, &nodes, &edges);
        let explained = explained(input, &nodes, &floors, &edges);
        let commands_known = commands.kind_use.used && commands.kind_use.found > 0;
        let observed = hand_overs(input, &explained, commands_known);
        let mut hand_over_use = KindUse::new(DependenceKind::HandOver);
        hand_over_use.found = observed.len() as u64;
        edges.add(observed);
        let floors = Floors::of(input, &nodes, &edges);
        let uses = vec![order_use, commands.kind_use, message_use, launch_use, hand_over_use];
        Self { nodes, floors, edges, junctions, runs: launches.runs, uses }
    }
}

/// Whether the start of each event is explained by what it waited for.
fn explained(input: &Input<'_>, nodes: &Nodes, floors: &Floors, edges: &Edges) -> Vec<bool> {
    let mut explained = vec![false; input.events];
    for edge in edges.iter() {
        let Some(explained) = explained.get_mut(edge.to as usize) else { continue };
        let Some(class) = input.class_of(edge.to) else { continue };
        let distance = nodes.distance(edge);
        *explained |= match edge.kind {
            DependenceKind::EngineOrder => distance <= floors.order(class.engine) + input.tolerance,
            DependenceKind::Launch | DependenceKind::LaunchGroup => {
                distance <= edge.gap + input.tolerance
            }
            DependenceKind::Message => true,
            _ => distance <= HAND_OVER_NS,
        };
    }
    explained
}

/// The unchanged replay has to give the measured times.
fn check(tracks: &[TrackInput<'_>], schedule: &Schedule<'_>, nodes: &Nodes) -> Result<(), Refusal> {
    for track in tracks {
        for index in 0..track.len() {
            let node = track.node(index);
            let (measured, replayed) = (nodes.end[node as usize], schedule.end(node));
            if measured != replayed {
                return Err(Refusal::Baseline {
                    engine_id: track.engine_id,
                    index,
                    measured,
                    replayed,
                });
            }
        }
    }
    Ok(())
}
