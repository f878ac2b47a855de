//! The chain of tasks that the run time consists of.

use crate::{StartReason, TaskId, TaskSchedule, Time};

/// A task of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathTask {
    /// The task.
    pub task: TaskId,
    /// What decided when it started: the step before, or nothing for the first.
    pub binding: StartReason,
    /// Time between the end of the step before (or 0) and the start of this one. Negative where the
    /// two overlap.
    pub lag: Time,
}

/// The critical path, from the first task to the one that ends last (the one with the lowest number, if
/// several do). Lags and durations of its steps sum to the makespan.
#[must_use]
pub fn critical_path(schedule: &TaskSchedule<'_>) -> Vec<PathTask> {
    let last = schedule.makespan();
    let tasks = schedule.graph.len() as TaskId;
    let last = (0..tasks).find(|t| schedule.end(*t) == last);
    last.map(|task| critical_path_to(task, schedule)).unwrap_or_default()
}

/// The critical path to one of the tasks that end last.
#[must_use]
pub fn critical_path_to(task: TaskId, schedule: &TaskSchedule<'_>) -> Vec<PathTask> {
    let mut path = Vec::new();
    let mut next = Some(task);
    while let Some(task) = next {
        let binding = schedule.binding(task);
        next = match binding {
            StartReason::Origin => None,
            StartReason::Dependence(d) => Some(schedule.graph.predecessor(d)),
            StartReason::Resource(previous) => Some(previous),
        };
        let lag = schedule.start(task) - next.map_or(0, |p| schedule.end(p));
        path.push(PathTask { task, binding, lag });
    }
    path.reverse();
    path.shrink_to_fit();
    path
}
