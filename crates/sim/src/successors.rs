//! The successors of each task.

use crate::{Graph, TaskId};

/// For each task the dependences that wait for it, in their order.
pub(crate) struct Successors {
    first: Vec<u32>,
    /// Waiting task and number of the dependence.
    waiting: Vec<(TaskId, u32)>,
}

impl Successors {
    /// Of a graph: in order of the waiting task.
    pub(crate) fn of(graph: &Graph) -> Self {
        let tasks = 0..graph.len() as TaskId;
        Self::of_pairs(graph.len(), || {
            let tasks = tasks.clone();
            tasks
                .flat_map(|task| graph.dependences(task).map(move |d| (graph.predecessor(d), task)))
        })
    }

    /// Of pairs of a task and one that waits for it; the number of a dependence is its place among them.
    pub(crate) fn of_pairs<I: Iterator<Item = (TaskId, TaskId)>>(
        tasks: usize,
        pairs: impl Fn() -> I,
    ) -> Self {
        let mut first = vec![0u32; tasks + 1];
        let mut count = 0;
        for (from, _) in pairs() {
            first[from as usize + 1] += 1;
            count += 1;
        }
        for i in 0..tasks {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut waiting = vec![(0, 0); count];
        for (number, (from, to)) in (0_u32..).zip(pairs()) {
            let slot = &mut next[from as usize];
            waiting[*slot as usize] = (to, number);
            *slot += 1;
        }
        Self { first, waiting }
    }

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
