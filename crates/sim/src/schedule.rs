//! When each task ran, and what held it back.

use crate::{TaskGraph, TaskId, Time};

/// What decided when a task started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartReason {
    /// Nothing: it started at the beginning.
    Origin,
    /// The end of a predecessor: number of the dependence.
    Dependence(usize),
    /// Its resource was busy with this task until then.
    Resource(TaskId),
}

/// When each task ran.
#[derive(Debug, Clone)]
pub struct TaskSchedule<'g> {
    pub(crate) graph: &'g TaskGraph,
    pub(crate) end: Vec<Time>,
    pub(crate) makespan: Time,
    /// Durations if they are not those of the graph.
    pub(crate) duration: Option<Vec<Time>>,
    /// Lags if they are not those of the graph.
    pub(crate) lag: Option<Vec<Time>>,
    /// The task that ran before on the same resource, plus 1; empty if the dependences fix that.
    pub(crate) previous: Vec<u32>,
    /// The order in which the simulator took the tasks; empty if the dependences fix it.
    pub(crate) taken: Vec<TaskId>,
}

impl TaskSchedule<'_> {
    /// The graph that was run.
    #[must_use]
    pub fn graph(&self) -> &TaskGraph {
        self.graph
    }

    /// When a task started.
    #[must_use]
    #[inline]
    pub fn start(&self, task: TaskId) -> Time {
        self.end(task) - self.duration(task)
    }

    /// When a task ended.
    #[must_use]
    #[inline]
    pub fn end(&self, task: TaskId) -> Time {
        self.end[task as usize]
    }

    /// How long a task took in this run.
    #[must_use]
    #[inline]
    pub fn duration(&self, task: TaskId) -> Time {
        self.duration.as_ref().map_or_else(|| self.graph.duration(task), |d| d[task as usize])
    }

    /// Lag of a dependence in this run.
    #[must_use]
    pub fn lag(&self, dependence: usize) -> Time {
        self.lag.as_ref().map_or_else(|| self.graph.lag(dependence), |l| l[dependence])
    }

    /// When the last task ended; 0 without tasks.
    #[must_use]
    pub fn makespan(&self) -> Time {
        self.makespan
    }

    /// Whether durations and lags are those of the graph, and its dependences fix the order.
    pub(crate) fn is_of_graph(&self) -> bool {
        let is_fixed = self.taken.is_empty() && self.previous.is_empty();
        is_fixed && self.duration.is_none() && self.lag.is_none()
    }

    /// The tasks in the order in which the simulator took them, where it chose the order.
    #[must_use]
    pub fn taken(&self) -> &[TaskId] {
        &self.taken
    }

    /// The task that ran before on the same resource, where the simulator chose the order.
    #[must_use]
    pub fn previous(&self, task: TaskId) -> Option<TaskId> {
        self.previous.get(task as usize)?.checked_sub(1)
    }

    /// What decided when a task started. Of several that ended together the first dependence counts.
    #[must_use]
    pub fn binding(&self, task: TaskId) -> StartReason {
        let start = self.start(task);
        let decides = |d: &usize| self.end(self.graph.predecessor(*d)) + self.lag(*d) >= start;
        if let Some(dependence) = self.graph.dependences(task).find(decides) {
            return StartReason::Dependence(dependence);
        }
        match self.previous(task) {
            Some(previous) if self.end(previous) >= start => StartReason::Resource(previous),
            _ => StartReason::Origin,
        }
    }
}
