//! The graph in plain numbers, for whoever replays it without this program: the page does so in the browser.

use bigtpu_chip::Engine;
use bigtpu_measure::layers::LayerLabel;
use bigtpu_sim::{TaskId, Time};
use bigtpu_timeline::EngineId;
use serde::Serialize;

use crate::change::MOST_FACTOR;
use crate::dependence::{DependenceKind, Node};
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Bound, Class, Task};
use crate::pauses::LONGEST_PAUSE_NS;
use crate::prediction::CYCLES;
use crate::predictor::Predictor;

/// What a task does; of a transfer, what bounds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// TIU work.
    Compute,
    /// A transfer from or to DDR.
    Ddr,
    /// A transfer from or to L2M.
    L2m,
    /// A transfer over a link to another chip.
    Link,
    /// A transfer inside local memory.
    Local,
    /// A send.
    Send,
    /// A wait.
    Wait,
    /// Another system command.
    Control,
}

impl From<Task> for TaskKind {
    fn from(task: Task) -> Self {
        match task {
            Task::Compute => Self::Compute,
            Task::Transfer(Bound::Ddr) => Self::Ddr,
            Task::Transfer(Bound::L2m) => Self::L2m,
            Task::Transfer(Bound::Link) => Self::Link,
            Task::Transfer(Bound::Engine) => Self::Local,
            Task::Send => Self::Send,
            Task::Wait => Self::Wait,
            Task::Control => Self::Control,
        }
    }
}

/// What tasks have in common whose times change together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskClass {
    /// Engine.
    pub engine: Engine,
    /// Core, or port of CDMA.
    pub index: u32,
    /// What they do.
    pub task: TaskKind,
    /// Index into the profile's kernels.
    pub kernel: Option<u32>,
}

impl From<&Class> for TaskClass {
    fn from(class: &Class) -> Self {
        let Class { engine, index, task, kernel } = *class;
        Self { engine, index, task: task.into(), kernel }
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainTask {
    /// Number of the event: those of an engine follow one another, engine after engine as in [`Predictor::engines`]. `None` for what
    /// only gathers other tasks.
    pub event: Option<u32>,
    /// ns. Of a wait with a known message 0: in the graph it is the moment of its end.
    pub duration_ns: Time,
    /// ns of the duration that depend on a bandwidth.
    pub bandwidth_ns: u32,
    /// Index into [`Predictor::classes`]; `None` for what is no event.
    pub class: Option<u32>,
    /// Index into [`Predictor::layer_names`].
    pub layer: Option<u32>,
    node: Node,
}

/// What a task waits for: it starts no earlier than `lag_ns` after the end of `task`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainDependence {
    /// The task that is waited for: it stands before the one that waits.
    pub task: TaskId,
    /// Why.
    pub kind: DependenceKind,
    /// ns; below 0 where both overlap.
    pub lag_ns: Time,
}

/// A wait with a known message starts when its engine comes to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainWait {
    /// The wait.
    pub task: TaskId,
    /// The task after whose end it starts.
    pub before: TaskId,
    /// ns from there to its start.
    pub lag_ns: Time,
}

/// What an engine did in a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainPart {
    /// Index of the core's part of the launch.
    pub launch: u32,
    /// Its first task.
    pub first: TaskId,
    /// Its last task.
    pub last: TaskId,
}

/// Where a replay draws its lines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlainLimits {
    /// ns: a longer lag of a hand-over is idle time that no dependence explains.
    pub hand_over_ns: Time,
    /// ns: a longer lag of engine order is idle time that no dependence explains.
    pub longest_pause_ns: Time,
    /// Greatest factor of several changes together.
    pub most_factor: f64,
    /// Share of a run's time that is not sure, whatever changes: see [`Predictor::unsure_of_time`].
    pub cycles: f64,
}

impl Default for PlainLimits {
    fn default() -> Self {
        Self {
            hand_over_ns: HAND_OVER_NS,
            longest_pause_ns: LONGEST_PAUSE_NS,
            most_factor: MOST_FACTOR,
            cycles: CYCLES,
        }
    }
}

impl Predictor {
    /// The engines, each with the number of its first event.
    #[must_use]
    pub fn engines(&self) -> &[(EngineId, u32)] {
        &self.replay.tracks
    }

    /// The tasks, each after all that it waits for.
    pub fn tasks(&self) -> impl Iterator<Item = PlainTask> {
        let replay = &self.replay;
        let known = |number: Option<&u32>, of: usize| {
            number.copied().filter(|number| (*number as usize) < of)
        };
        let nodes = replay.tasks().nodes.iter().cloned().flatten();
        nodes.map(move |node| PlainTask {
            node,
            event: ((node as usize) < replay.events).then_some(node),
            duration_ns: replay.graph.duration(node),
            bandwidth_ns: self.bandwidth_ns.get(node as usize).copied().unwrap_or(0),
            class: known(replay.model.class.get(node as usize), replay.model.classes.len()),
            layer: known(self.layers.of_task.get(node as usize), self.layers.names.len()),
        })
    }

    /// What a task waits for.
    pub fn dependences(&self, task: &PlainTask) -> impl Iterator<Item = PlainDependence> {
        let of_task = self.replay.graph.dependences(task.node);
        of_task.map(|of| PlainDependence {
            task: self.replay.task(of.from),
            kind: of.kind,
            lag_ns: of.lag,
        })
    }

    /// Classes of tasks.
    pub fn classes(&self) -> impl Iterator<Item = TaskClass> {
        self.replay.model.classes.iter().map(TaskClass::from)
    }

    /// The layers of a static model: `--scale layer:NAME=` takes their labels, and the models' names in them; empty without layers.
    #[must_use]
    pub fn layer_names(&self) -> &[LayerLabel] {
        &self.layers.names
    }

    /// The waits with known messages.
    pub fn waits(&self) -> impl Iterator<Item = PlainWait> {
        let of = |node| self.replay.task(node);
        self.replay.waits.iter().map(move |wait| PlainWait {
            task: of(wait.node),
            before: of(wait.before),
            lag_ns: wait.lag,
        })
    }

    /// Kernel of each core's part of a launch, in order.
    pub fn launch_kernels(&self) -> impl Iterator<Item = Option<u32>> {
        self.replay.launches.of_cores.iter().map(|launch| launch.kernel)
    }

    /// What each engine did in each launch.
    pub fn launch_parts(&self) -> impl Iterator<Item = PlainPart> {
        let of = |node| self.replay.task(node);
        self.replay.launches.of_engines.iter().map(move |part| PlainPart {
            launch: part.of,
            first: of(part.first),
            last: of(part.last),
        })
    }

    /// Whether the records tell waits from work; where they do not, the range of a prediction is wider.
    #[must_use]
    pub fn knows_waits(&self) -> bool {
        self.knows_waits
    }
}
