//! List scheduling: of the tasks that are ready the one that was ready first runs first, then the one with the lower
//! number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::successors::Successors;
use crate::{ResourceId, TaskId, Time};

/// A kind of time that can be scheduled: whole units, or the arithmetic of another simulator.
pub trait Moment: Copy + Ord + Default {
    /// This time and another one.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

impl Moment for Time {
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

impl Moment for u64 {
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

/// A task that was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ran<T> {
    /// Where.
    pub resource: ResourceId,
    /// When it started.
    pub start: T,
    /// When it ended.
    pub end: T,
}

/// Result of [`list_schedule`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// Times of each task, by its number; `None` for tasks that do not exist or wait for each other.
    pub tasks: Vec<Option<Ran<T>>>,
    /// The last end.
    pub makespan: T,
    /// Number of tasks that ran.
    pub count: usize,
}

/// Runs tasks whose numbers have gaps, each with its resource (below `resources`) and duration; `None` where there is no
/// task of a number. `dependences`: pairs of the task that is waited for and the one that waits.
#[must_use]
pub fn list_schedule<T: Moment>(
    tasks: &[Option<(ResourceId, T)>],
    dependences: &[(TaskId, TaskId)],
    resources: usize,
) -> Listed<T> {
    let successors = Successors::of_pairs(tasks.len(), || dependences.iter().copied());
    let mut ran = vec![None; tasks.len()];
    let (mut makespan, mut count) = (T::default(), 0);
    let known = |task: TaskId| tasks[task as usize].map(|(on, duration)| (Some(on), duration));
    run(
        &successors,
        resources,
        known,
        |_| T::default(),
        |task, start, end, _| {
            let resource = tasks[task as usize].map_or(0, |(resource, _)| resource);
            ran[task as usize] = Some(Ran { resource, start, end });
            makespan = makespan.max(end);
            count += 1;
        },
    );
    Listed { tasks: ran, makespan, count }
}

/// Runs all tasks. `task(number)`: resource and duration, if it exists; `lag(dependence)`; `took(task, start, end,
/// previous)`: called in the order in which tasks are taken, `previous` is the task before on the resource, plus 1.
pub(crate) fn run<T: Moment>(
    successors: &Successors,
    resources: usize,
    task: impl Fn(TaskId) -> Option<(Option<ResourceId>, T)>,
    lag: impl Fn(u32) -> T,
    mut took: impl FnMut(TaskId, T, T, u32),
) {
    let mut missing = successors.needs();
    let mut ready = vec![T::default(); missing.len()];
    // Per resource: when it is free, and the last task on it plus 1.
    let mut free: Vec<(T, u32)> = vec![(T::default(), 0); resources];
    let mut queue: BinaryHeap<Reverse<(T, TaskId)>> = (0..missing.len() as TaskId)
        .filter(|&number| missing[number as usize] == 0 && task(number).is_some())
        .map(|number| Reverse((T::default(), number)))
        .collect();
    while let Some(Reverse((time, number))) = queue.pop() {
        let Some((resource, duration)) = task(number) else { continue };
        let (mut start, mut previous) = (time, 0);
        if let Some(resource) = resource {
            let (free, last) = &mut free[resource as usize];
            start = start.max(*free);
            previous = *last;
            (*free, *last) = (start.plus(duration), number + 1);
        }
        let end = start.plus(duration);
        took(number, start, end, previous);
        for &(waiting, dependence) in successors.waiting_for(number) {
            let at = waiting as usize;
            ready[at] = ready[at].max(end.plus(lag(dependence)));
            missing[at] -= 1;
            if missing[at] == 0 {
                queue.push(Reverse((ready[at], waiting)));
            }
        }
    }
}
