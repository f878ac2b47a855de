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
//! Durations and lags from 2^31 on take more, see [`Times`].

use std::iter::once;
use std::ops::Range;

use crate::{Error, ResourceId, TaskId, Time, Times, order};

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
    pub fn build(self) -> Result<Graph, Error> {
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
        Graph::packed(duration, self.resource, first, predecessor, lag)
    }
}

/// Tasks with their durations, resources and dependences. Free of cycles.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) duration: Times,
    resource: Vec<ResourceId>,
    first: Vec<u32>,
    predecessor: Vec<TaskId>,
    pub(crate) lag: Times,
    /// An order in which every task is after all that it waits for, as runs of consecutive tasks.
    pub(crate) order: Vec<Range<TaskId>>,
}

impl Graph {
    /// A graph from its columns, for callers that can write them directly: duration and resource by
    /// task, predecessor and lag by dependence; the dependences of task `t` are those from `first[t]` to
    /// `first[t + 1]`. `resource` may be empty: then no task has one.
    ///
    /// # Errors
    /// A cycle, columns that do not fit together, a negative duration, too many tasks.
    pub fn from_columns(
        duration: Times,
        resource: Vec<Option<ResourceId>>,
        first: Vec<u32>,
        predecessor: Vec<TaskId>,
        lag: Times,
    ) -> Result<Self, Error> {
        let resource = resource.into_iter().map(|r| r.unwrap_or(NO_RESOURCE)).collect();
        Self::packed(duration, resource, first, predecessor, lag)
    }

    fn packed(
        duration: Times,
        resource: Vec<ResourceId>,
        first: Vec<u32>,
        predecessor: Vec<TaskId>,
        lag: Times,
    ) -> Result<Self, Error> {
        let tasks = duration.len();
        if tasks >= NO_RESOURCE as usize || predecessor.len() >= NO_RESOURCE as usize {
            return Err(Error::TooLarge);
        }
        let fits = (resource.is_empty() || resource.len() == tasks)
            && first.len() == tasks + 1
            && first.is_sorted()
            && first.last().is_some_and(|end| *end as usize == predecessor.len())
            && lag.len() == predecessor.len()
            && predecessor.iter().all(|p| (*p as usize) < tasks);
        if !fits {
            return Err(Error::Columns);
        }
        if let Some((task, duration)) = duration.iter().enumerate().find(|(_, d)| *d < 0) {
            return Err(Error::NegativeDuration { task: task as TaskId, duration });
        }
        let mut graph = Self { duration, resource, first, predecessor, lag, order: Vec::new() };
        graph.order = order::topological(&graph)?;
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

    /// The durations of all tasks.
    #[must_use]
    pub fn durations(&self) -> &Times {
        &self.duration
    }

    /// The lags of all dependences.
    #[must_use]
    pub fn lags(&self) -> &Times {
        &self.lag
    }

    /// Resource of a task.
    #[must_use]
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

    /// The tasks, each after all that it waits for, as runs of consecutive numbers.
    #[must_use]
    pub fn runs(&self) -> &[Range<TaskId>] {
        &self.order
    }

    /// The tasks, each after all that it waits for.
    pub fn topological_order(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        self.order.iter().cloned().flatten()
    }

    /// The same graph with its tasks numbered in the [order](Self::topological_order) in which they run, and the new number
    /// of each task. Each task keeps its dependences in their order, so that they are numbered by their tasks' new numbers.
    /// Whoever runs such a graph reads its columns from front to back.
    #[must_use]
    pub fn in_order(self) -> (Self, Vec<TaskId>) {
        let mut number: Vec<TaskId> = vec![0; self.len()];
        let mut next = 0;
        for run in &self.order {
            for number in &mut number[run.start as usize..run.end as usize] {
                *number = next;
                next += 1;
            }
        }
        // Consecutive tasks have consecutive dependences: of each run, all columns are copied in one piece.
        let order = self.order;
        let tasks = || order.iter().map(|run| run.start as usize..run.end as usize);
        let (old_first, old_predecessor) = (self.first, self.predecessor);
        let dependences =
            || tasks().map(|run| old_first[run.start] as usize..old_first[run.end] as usize);
        let (old_duration, old_lag) = (self.duration, self.lag);
        let ((duration, resource, lag), (predecessor, first)) = rayon::join(
            || {
                let mut duration = Times::with_capacity(old_duration.len());
                tasks().for_each(|run| duration.extend_from(&old_duration, run));
                // A graph may be large: what was copied is given up.
                drop(old_duration);
                let mut resource = Vec::with_capacity(self.resource.len());
                if !self.resource.is_empty() {
                    tasks().for_each(|run| resource.extend_from_slice(&self.resource[run]));
                }
                let mut lag = Times::with_capacity(old_lag.len());
                dependences().for_each(|run| lag.extend_from(&old_lag, run));
                drop(old_lag);
                (duration, resource, lag)
            },
            || {
                let mut predecessor = Vec::with_capacity(old_predecessor.len());
                let mut first = Vec::with_capacity(old_first.len());
                first.push(0);
                for (tasks, dependences) in tasks().zip(dependences()) {
                    let (old, new) = (old_first[tasks.start], predecessor.len() as u32);
                    first.extend(
                        old_first[tasks.start + 1..=tasks.end].iter().map(|n| n - old + new),
                    );
                    let old = &old_predecessor[dependences];
                    predecessor.extend(old.iter().map(|task| number[*task as usize]));
                }
                (predecessor, first)
            },
        );
        let order = once(0..number.len() as TaskId).collect();
        (Self { duration, resource, first, predecessor, lag, order }, number)
    }

    /// Resources are numbered below this.
    pub(crate) fn resource_count(&self) -> usize {
        self.resource.iter().filter(|r| **r != NO_RESOURCE).max().map_or(0, |r| *r as usize + 1)
    }
}
