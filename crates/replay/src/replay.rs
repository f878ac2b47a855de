//! The graph of a run, checked against the measurement.

use bigtpu_messages::error_message;
use std::mem::take;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bigtpu_measure::{CommandTable, CommandWaits, Flows};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_sim::{Error, TaskId, Time};
use bigtpu_timeline::{EngineId, Profile};
use rayon::prelude::*;

use crate::assemble::{Assembled, WaitStart, assemble};
use crate::confidence::KindUse;
use crate::costs::Model;
use crate::critical_path::CriticalPath;
use crate::dependence::Node;
use crate::event_causes::{EventCauses, WaitCause};
use crate::floors::Floors;
use crate::found::Found;
use crate::graph::{Columns, Graph, Measured};
use crate::input::{Input, TrackInput};
use crate::launch::LaunchParts;

/// Why a run can't be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nothing to replay.
    #[error("{}", error_message!("error-replay-empty"))]
    Empty,
    /// The dependences make no graph.
    #[error("{}", error_message!("error-replay-graph", value = .0))]
    Graph(String),
    /// The graph does not give the measured times.
    #[error("{}", error_message!("error-replay-baseline", engine_id, index, replayed, measured))]
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

impl Refusal {
    /// What the report says of it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Empty => Message::new("note-no-events"),
            Self::Graph(why) => message!("note-no-prediction", why = why),
            Self::Baseline { engine_id, index, measured, replayed } => message!(
                "note-no-baseline",
                place = engine_id.message(),
                event = Arg::Number(*index as i64),
                replayed = Arg::TimeNs(*replayed),
                measured = Arg::TimeNs(*measured),
            ),
        }
    }
}

/// The nodes as tasks that are numbered in an order in which they may run.
pub(crate) struct Tasks {
    /// The nodes in the order of the tasks, as runs of consecutive ones.
    pub(crate) nodes: Vec<Range<Node>>,
    /// Task of each node.
    of_node: Vec<TaskId>,
}

/// The graph of a run.
pub struct Replay {
    pub(crate) graph: Graph,
    /// Known once they were asked for.
    tasks: OnceLock<Tasks>,
    pub(crate) model: Model,
    pub(crate) waits: Vec<WaitStart>,
    pub(crate) floors: Floors,
    pub(crate) launches: LaunchParts,
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
    /// The graph of a profile; `table` and `command_waits` are those of the profile, `flows` its sends and the waits that they released.
    ///
    /// # Errors
    /// When there are no events, or when the graph does not give the measured times back.
    pub fn build(
        profile: &Profile<'_>,
        table: &CommandTable,
        flows: &Flows,
        command_waits: CommandWaits,
    ) -> Result<Self, Refusal> {
        EventDependences::find(profile, table, flows, command_waits)?.replay()
    }

    /// Returns when each node ends in the run of the graph, in ns, by node.
    pub(crate) fn ends(&self) -> Vec<Time> {
        let mut ends = Vec::new();
        self.graph.run(&Measured, &mut ends);
        ends
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

    /// The nodes as tasks that are numbered in an order in which they may run.
    pub(crate) fn tasks(&self) -> &Tasks {
        self.tasks.get_or_init(|| {
            // A graph has an order.
            let nodes = self.graph.search_order().unwrap_or_default();
            let mut of_node = vec![0; self.graph.len()];
            for (task, node) in (0..).zip(nodes.iter().cloned().flatten()) {
                of_node[node as usize] = task;
            }
            Tasks { nodes, of_node }
        })
    }

    /// A node's task.
    pub(crate) fn task(&self, node: Node) -> TaskId {
        self.tasks().of_node.get(node as usize).copied().unwrap_or(0)
    }

    /// Returns the number of each engine's first event, and how many events it has.
    pub(crate) fn tracks_with_lengths(&self) -> impl Iterator<Item = (EngineId, Node, usize)> {
        let ends = self.tracks.iter().skip(1).map(|(_, first)| *first);
        let ends = ends.chain([self.events as Node]);
        self.tracks
            .iter()
            .zip(ends)
            .map(|((place, first), end)| (*place, *first, (end - first) as usize))
    }
}

/// What every event of a run waited for: all that is found on as many threads as there are. What follows is done on one, in
/// [`EventDependences::replay`], so that other work can run beside it.
pub struct EventDependences<'a> {
    input: Input<'a>,
    assembled: Assembled,
    floors: Floors,
    launches: LaunchParts,
    uses: Vec<KindUse>,
}

impl std::fmt::Debug for EventDependences<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EventDependences of {} events", self.input.events)
    }
}

impl<'a> EventDependences<'a> {
    /// Finds the dependences in a profile; see [`Replay::build`].
    ///
    /// # Errors
    /// When there are no events, or too many.
    pub fn find(
        profile: &'a Profile<'a>,
        table: &'a CommandTable,
        flows: &Flows,
        command_waits: CommandWaits,
    ) -> Result<Self, Refusal> {
        let input = Input::new(profile, table);
        if input.events == 0 {
            return Err(Refusal::Empty);
        }
        let (mut found, columns) = rayon::join(
            || Found::new(&input, flows, &command_waits),
            || Columns::new(input.events),
        );
        let (launches, uses) = (take(&mut found.launch_parts), take(&mut found.uses));
        let floors = found.floors;
        let assembled = assemble(&input, found, columns).map_err(|e| input.refusal(e))?;
        Ok(Self { input, assembled, floors, launches, uses })
    }

    /// What an event waited for: as [`crate::EngineCauses::cause`], before the graph is run.
    #[must_use]
    pub fn cause(&self, engine_id: EngineId, event: usize) -> Option<WaitCause> {
        let track = self.input.tracks.iter().find(|track| track.engine_id == engine_id)?;
        let node = (event < track.len()).then(|| track.node(event))? as usize;
        let (from, kind) =
            (*self.assembled.cause.get(node)?, *self.assembled.cause_kind.get(node)?);
        let (of, event) = self.input.event(from)?;
        Some(WaitCause { engine_id: of.engine_id, event, kind })
    }

    /// The graph, run and checked.
    ///
    /// # Errors
    /// When the graph does not give the measured times back.
    pub fn replay(self) -> Result<Replay, Refusal> {
        let Self { mut input, assembled, floors, launches, uses } = self;
        let Assembled { graph, waits, cause, cause_kind, is_measured } = assembled;
        let (classes, class) = (take(&mut input.classes), take(&mut input.class));
        let mut replay = Replay {
            graph,
            tasks: OnceLock::new(),
            model: Model { classes, class },
            waits,
            floors,
            launches,
            kernels: input.profile.kernels.clone(),
            tracks: input.tracks.iter().map(|t| (t.engine_id, t.first)).collect(),
            events: input.events,
            uses,
            path: Arc::default(),
            causes: Arc::default(),
        };
        let measured = measured_ends(&input.tracks, &replay.graph);
        let ends = if is_measured {
            measured
        } else {
            let order = replay.graph.running_order(&measured);
            replay.graph.order = order.map_err(|e| input.refusal(e))?;
            let ends = replay.ends();
            input.tracks.par_iter().try_for_each(|track| check(track, &ends))?;
            ends
        };
        let wall_ns = ends.iter().copied().max().unwrap_or(0);
        // Of several that end last the first.
        let last = ends.iter().position(|end| *end == wall_ns);
        let (ordered, (steps, path)) = rayon::join(
            || {
                let order = replay.graph.running_order(&ends)?;
                let slack = replay.graph.slack(&order, &ends, wall_ns);
                Ok((order, slack))
            },
            || {
                let steps = last.map(|last| replay.graph.path_to(last as Node, &ends));
                let steps = steps.unwrap_or_default();
                let path = CriticalPath::compute(&replay, &ends, wall_ns, &steps);
                (steps, path)
            },
        );
        let (order, slack) = ordered.map_err(|e| input.refusal(e))?;
        replay.graph.order = order;
        // A graph without cycles has one run.
        debug_assert!(replay.ends() == ends);
        drop((ends, input));
        let causes = EventCauses::compute(&replay, slack, steps, cause, cause_kind);
        (replay.path, replay.causes) = (Arc::new(path), Arc::new(causes));
        Ok(replay)
    }
}

impl Input<'_> {
    /// Why there is no graph.
    fn refusal(&self, error: Error) -> Refusal {
        Refusal::Graph(error.with_names(|node| self.name(node)))
    }

    /// An event in words.
    fn name(&self, node: Node) -> String {
        match self.event(node) {
            Some((track, index)) => format!("{} event {index}", track.engine_id),
            None => "a barrier or launch".to_owned(),
        }
    }
}

/// Returns when each node ended, in ns, by node.
fn measured_ends(tracks: &[TrackInput<'_>], graph: &Graph) -> Vec<Time> {
    let mut ends: Vec<Time> = Vec::with_capacity(graph.len());
    for track in tracks {
        ends.extend(track.times(0..track.len()).map(|(_, end)| end));
    }
    // The origin waits for nothing, and junctions for events only.
    for node in ends.len()..graph.len() {
        let members = graph.dependences(node as Node);
        let end = members.filter_map(|of| ends.get(of.from as usize)).max();
        ends.push(end.copied().unwrap_or(0));
    }
    ends
}

/// The unchanged replay has to give the measured times.
fn check(track: &TrackInput<'_>, ends: &[Time]) -> Result<(), Refusal> {
    let replayed = |i: usize| ends.get(track.node(i) as usize).copied().unwrap_or(0);
    let differs = |i: &usize| track.end(*i) != replayed(*i);
    match (0..track.len()).find(differs) {
        None => Ok(()),
        Some(index) => Err(Refusal::Baseline {
            engine_id: track.engine_id,
            index,
            measured: track.end(index),
            replayed: replayed(index),
        }),
    }
}
