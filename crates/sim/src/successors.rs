//! The successors of each task.

use crate::{TaskGraph, TaskId};

/// For each task the dependences that wait for it, in their order.
#[derive(Debug)]
pub(crate) struct Successors {
    first: Vec<u32>,
    /// Waiting task and number of the dependence.
    waiting: Vec<(TaskId, u32)>,
}

impl Successors {
    /// Collects the successors in a graph, in the order of the waiting task.
    pub(crate) fn collect(graph: &TaskGraph) -> Self {
        let mut first = counted_up(graph.len(), graph.predecessor.iter().copied());
        let mut waiting = vec![(0, 0); graph.dependence_count()];
        for (task, bounds) in (0..).zip(graph.first.windows(2)) {
            for dependence in bounds[0]..bounds[1] {
                let slot = &mut first[graph.predecessor(dependence as usize) as usize];
                waiting[*slot as usize] = (task, dependence);
                *slot += 1;
            }
        }
        // Each task's first is now the first of the next one.
        first.rotate_right(1);
        first[0] = 0;
        Self { first, waiting }
    }

    /// Collects the successors from pairs of a task and one that waits for it; the number of a dependence is its place
    /// among the pairs.
    pub(crate) fn of_pairs<I: Iterator<Item = (TaskId, TaskId)>>(
        tasks: usize,
        pairs: impl Fn() -> I,
    ) -> Self {
        let mut next = counted_up(tasks, pairs().map(|(from, _)| from));
        let first = next.clone();
        let mut waiting = vec![(0, 0); next.last().map_or(0, |count| *count as usize)];
        for (number, (from, to)) in (0_u32..).zip(pairs()) {
            let slot = &mut next[from as usize];
            waiting[*slot as usize] = (to, number);
            *slot += 1;
        }
        Self { first, waiting }
    }

    #[inline]
    pub(crate) fn waiting_for(&self, task: TaskId) -> &[(TaskId, u32)] {
        let task = task as usize;
        &self.waiting[self.first[task] as usize..self.first[task + 1] as usize]
    }

    /// How many dependences each task has.
    pub(crate) fn needs(&self) -> Vec<u32> {
        let mut needs = vec![0; self.first.len() - 1];
        for &(task, _) in &self.waiting {
            needs[task as usize] += 1;
        }
        needs
    }
}

/// For each task how many of `from` are of the tasks before it, and in the end their number.
fn counted_up(tasks: usize, from: impl Iterator<Item = TaskId>) -> Vec<u32> {
    let mut first = vec![0; tasks + 1];
    for task in from {
        first[task as usize + 1] += 1;
    }
    for task in 0..tasks {
        first[task + 1] += first[task];
    }
    first
}
