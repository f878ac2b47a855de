//! The graph of a run, checked against the measurement.

use std::mem::take;
use std::sync::Arc;

use bigtpu_measure::{CommandTable, Flow};
use bigtpu_sim::{Graph, Schedule, Step, TaskId, critical_path_to, slack};
use bigtpu_timeline::{EngineId, Profile};
use rayon::prelude::*;

use crate::assemble::{Assembled, WaitStart, assemble};
use crate::confidence::KindUse;
use crate::costs::Model;
use crate::critical_path::CriticalPath;
use crate::dependence::{NONE, Node};
use crate::event_causes::EventCauses;
use crate::floors::Floors;
use crate::found::Found;
use crate::input::{Input, TrackInput};
use crate::launch::LaunchParts;

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
    /// Task of each node.
    pub(crate) task: Vec<TaskId>,
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
    /// The graph of a profile; `table` is that of the profile, `flows` its sends and the waits that they released.
    ///
    /// # Errors
    /// When there are no events, or when the graph does not give the measured times back.
    pub fn of(
        profile: &Profile<'_>,
        table: &CommandTable,
        flows: &[Flow],
    ) -> Result<Self, Refusal> {
        let mut input = Input::of(profile, table);
        if input.events == 0 {
            return Err(Refusal::Empty);
        }
        let mut found = Found::of(&input, flows);
        let (launches, uses) = (take(&mut found.launch_parts), take(&mut found.uses));
        let floors = found.floors;
        let Assembled { graph, task, class, kinds, waits, cause, cause_kind } =
            assemble(&mut input, found)
                .map_err(|e| Refusal::Graph(e.with_names(|n| input.name(n))))?;
        let Input { classes, events, tracks: inputs, .. } = input;
        let mut replay = Self {
            graph,
            task,
            model: Model { classes, class, kinds },
            waits,
            floors,
            launches,
            kernels: profile.kernels.clone(),
            tracks: inputs.iter().map(|t| (t.engine_id, t.first)).collect(),
            events,
            uses,
            path: Arc::default(),
            causes: Arc::default(),
        };
        let schedule = replay.graph.replay();
        inputs.par_iter().try_for_each(|track| check(track, &replay.task, &schedule))?;
        drop(inputs);
        let last = replay.last_node(&schedule).map(|node| replay.task_of(node));
        let steps = last.map(|task| critical_path_to(task, &schedule)).unwrap_or_default();
        let (path, slack) =
            rayon::join(|| CriticalPath::of(&replay, &schedule, &steps), || slack(&schedule));
        drop(schedule);
        let causes = EventCauses::of(&replay, slack, steps, cause, cause_kind);
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

    /// The task of a node.
    pub(crate) fn task_of(&self, node: Node) -> TaskId {
        self.task.get(node as usize).copied().unwrap_or(0)
    }

    /// By task whether it is a step of a path.
    pub(crate) fn is_step(&self, path: &[Step]) -> Vec<bool> {
        let mut is_step = vec![false; self.task.len()];
        for step in path {
            if let Some(is_step) = is_step.get_mut(step.task as usize) {
                *is_step = true;
            }
        }
        is_step
    }

    /// By step of a path its node. Each step has a higher task than the one before it.
    pub(crate) fn nodes_of(&self, path: &[Step]) -> Vec<Node> {
        let is_step = self.is_step(path);
        let mut nodes = vec![NONE; path.len()];
        for (node, task) in self.task.iter().enumerate() {
            if is_step.get(*task as usize) == Some(&true)
                && let Ok(step) = path.binary_search_by_key(task, |step| step.task)
                && let Some(at) = nodes.get_mut(step)
            {
                *at = node as Node;
            }
        }
        nodes
    }

    /// The node that ends last; of several the first.
    fn last_node(&self, schedule: &Schedule<'_>) -> Option<Node> {
        let last = schedule.makespan();
        let tasks = 0..self.task.len() as TaskId;
        let ends_last: Vec<TaskId> = tasks.filter(|task| schedule.end(*task) == last).collect();
        // The tasks are in order, and there are few.
        let node = self.task.iter().position(|task| ends_last.binary_search(task).is_ok());
        node.map(|node| node as Node)
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
}

impl Input<'_> {
    /// An event in words.
    fn name(&self, node: Node) -> String {
        match self.event(node) {
            Some((track, index)) => format!("{} event {index}", track.engine_id),
            None => "a barrier or launch".to_owned(),
        }
    }
}

/// The unchanged replay has to give the measured times.
fn check(track: &TrackInput<'_>, task: &[TaskId], schedule: &Schedule<'_>) -> Result<(), Refusal> {
    let replayed = |i: usize| {
        let task = task.get(track.node(i) as usize);
        task.map_or(0, |task| schedule.end(*task))
    };
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
