//! Tasks and dependences, packed.
//!
//! | column | bytes | per |
//! |---|---|---|
//! | duration | 4 | task |
//! | resource, where tasks have one | 4 | task |
//! | first dependence | 4 | task |
//! | predecessor | 4 | dependence |
//! | lag | 4 | dependence |
//!
//! Durations and lags from 2^31 on take more, see [`TaskTimes`].

use std::ops::Range;

use crate::{Error, ResourceId, TaskId, TaskTimes, Time, order};

/// No resource.
const NO_RESOURCE: u32 = u32::MAX;

/// Collects tasks and dependences in any order.
#[derive(Debug, Clone, Default)]
pub struct GraphBuilder {
    duration: Vec<Time>,
    resource: Vec<ResourceId>,
    dependences: Vec<(TaskId, TaskId, Time)>,
}

impl GraphBuilder {
    /// An empty graph.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a task that takes `duration` on `resource`; without a resource it waits for its
    /// dependences only.
    pub fn task(&mut self, resource: Option<ResourceId>, duration: Time) -> TaskId {
        let id = self.duration.len() as TaskId;
        self.duration.push(duration);
        self.resource.push(resource.unwrap_or(NO_RESOURCE));
        id
    }

    /// `to` starts no earlier than `lag` after the end of `from`. A negative lag lets them overlap.
    pub fn depend(&mut self, from: TaskId, to: TaskId, lag: Time) {
        self.dependences.push((from, to, lag));
    }

    /// Number of tasks so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.duration.len()
    }

    /// Whether there is no task yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.duration.is_empty()
    }

    /// The finished graph. Each task's dependences are in the order in which they were added.
    ///
    /// # Errors
    /// A cycle, a dependence on a task that does not exist, a negative duration, too many tasks.
    pub fn build(self) -> Result<TaskGraph, Error> {
        let tasks = self.duration.len();
        if tasks >= NO_RESOURCE as usize || self.dependences.len() >= NO_RESOURCE as usize {
            return Err(Error::TooLarge);
        }
        let mut first = vec![0u32; tasks + 1];
        for &(from, to, _) in &self.dependences {
            if from.max(to) as usize >= tasks {
                return Err(Error::UnknownTask { from, to, tasks });
            }
            first[to as usize + 1] += 1;
        }
        for i in 0..tasks {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut predecessor = vec![0; self.dependences.len()];
        let mut lag = vec![0; self.dependences.len()];
        for &(from, to, time) in &self.dependences {
            let slot = &mut next[to as usize];
            predecessor[*slot as usize] = from;
            lag[*slot as usize] = time;
            *slot += 1;
        }
        let (duration, lag) = (self.duration.into_iter().collect(), lag.into_iter().collect());
        TaskGraph::packed(duration, self.resource, first, predecessor, lag)
    }
}

/// Tasks with their durations, resources and dependences. Free of cycles.
#[derive(Debug, Clone)]
pub struct TaskGraph {
    pub(crate) duration: TaskTimes,
    resource: Vec<ResourceId>,
    pub(crate) first: Vec<u32>,
    pub(crate) predecessor: Vec<TaskId>,
    pub(crate) lag: TaskTimes,
    /// An order in which every task is after all that it waits for, as runs of consecutive tasks.
    pub(crate) order: Vec<Range<TaskId>>,
}

impl TaskGraph {
    /// A graph from its columns, for callers that can write them directly: duration and resource by
    /// task, predecessor and lag by dependence; the dependences of task `t` are those from `first[t]` to
    /// `first[t + 1]`. `resource` may be empty: then no task has one.
    ///
    /// # Errors
    /// A cycle, columns that do not fit together, a negative duration, too many tasks.
    pub fn from_columns(
        duration: TaskTimes,
        resource: Vec<Option<ResourceId>>,
        first: Vec<u32>,
        predecessor: Vec<TaskId>,
        lag: TaskTimes,
    ) -> Result<Self, Error> {
        let resource = resource.into_iter().map(|r| r.unwrap_or(NO_RESOURCE)).collect();
        Self::packed(duration, resource, first, predecessor, lag)
    }

    fn packed(
        duration: TaskTimes,
        resource: Vec<ResourceId>,
        first: Vec<u32>,
        predecessor: Vec<TaskId>,
        lag: TaskTimes,
    ) -> Result<Self, Error> {
        check_columns(&duration, &first, &predecessor, &lag)?;
        if !(resource.is_empty() || resource.len() == duration.len()) {
            return Err(Error::Columns);
        }
        let mut graph = Self { duration, resource, first, predecessor, lag, order: Vec::new() };
        let predecessors = |task| graph.predecessor[graph.dependences(task)].iter().copied();
        graph.order = order::running_order(graph.len(), predecessors)?;
        Ok(graph)
    }

    /// Number of tasks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.duration.len()
    }

    /// Whether there are no tasks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.duration.is_empty()
    }

    /// Number of dependences.
    #[must_use]
    pub fn dependence_count(&self) -> usize {
        self.predecessor.len()
    }

    /// Duration of a task.
    #[must_use]
    #[inline]
    pub fn duration(&self, task: TaskId) -> Time {
        self.duration.get(task as usize)
    }

    /// Resource of a task.
    #[must_use]
    #[inline]
    pub fn resource(&self, task: TaskId) -> Option<ResourceId> {
        self.resource.get(task as usize).copied().filter(|r| *r != NO_RESOURCE)
    }

    /// Numbers of a task's dependences.
    #[must_use]
    #[inline]
    pub fn dependences(&self, task: TaskId) -> Range<usize> {
        self.first[task as usize] as usize..self.first[task as usize + 1] as usize
    }

    /// The task that a dependence waits for.
    #[must_use]
    #[inline]
    pub fn predecessor(&self, dependence: usize) -> TaskId {
        self.predecessor[dependence]
    }

    /// Time from the end of a dependence's predecessor to the earliest start.
    #[must_use]
    #[inline]
    pub fn lag(&self, dependence: usize) -> Time {
        self.lag.get(dependence)
    }

    /// The tasks, each after all that it waits for.
    pub fn topological_order(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        self.order.iter().cloned().flatten()
    }

    /// Place of each task in [`TaskGraph::topological_order`].
    #[must_use]
    pub fn places(&self) -> Vec<TaskId> {
        let mut places = vec![0; self.len()];
        for (place, task) in (0..).zip(self.topological_order()) {
            places[task as usize] = place;
        }
        places
    }

    /// Resources are numbered below this.
    pub(crate) fn resource_count(&self) -> usize {
        self.resource.iter().filter(|r| **r != NO_RESOURCE).max().map_or(0, |r| *r as usize + 1)
    }
}

/// Whether columns fit together.
fn check_columns(
    duration: &TaskTimes,
    first: &[u32],
    predecessor: &[TaskId],
    lag: &TaskTimes,
) -> Result<(), Error> {
    let tasks = duration.len();
    // The two highest numbers stand for something else.
    if tasks + 1 >= NO_RESOURCE as usize || predecessor.len() >= NO_RESOURCE as usize {
        return Err(Error::TooLarge);
    }
    let fits = first.len() == tasks + 1
        && first.is_sorted()
        && first.last().is_some_and(|end| *end as usize == predecessor.len())
        && lag.len() == predecessor.len()
        && predecessor.iter().all(|p| (*p as usize) < tasks);
    if !fits {
        return Err(Error::Columns);
    }
    match duration.first_negative() {
        Some((task, duration)) => Err(Error::NegativeDuration { task: task as TaskId, duration }),
        None => Ok(()),
    }
}
