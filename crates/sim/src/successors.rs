//! The successors of each task.

use crate::{Graph, TaskId};

/// For each task the dependences that wait for it, in order of the waiting task.
pub(crate) struct Successors {
    first: Vec<u32>,
    /// Waiting task and number of the dependence.
    waiting: Vec<(TaskId, u32)>,
}

impl Successors {
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut first = vec![0u32; graph.len() + 1];
        for dependence in 0..graph.dependence_count() {
            first[graph.predecessor(dependence) as usize + 1] += 1;
        }
        for i in 0..graph.len() {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut waiting = vec![(0, 0); graph.dependence_count()];
        for task in 0..graph.len() as TaskId {
            for dependence in graph.dependences(task) {
                let slot = &mut next[graph.predecessor(dependence) as usize];
                waiting[*slot as usize] = (task, dependence as u32);
                *slot += 1;
            }
        }
        Self { first, waiting }
    }

    pub(crate) fn waiting_for(&self, task: TaskId) -> &[(TaskId, u32)] {
        let task = task as usize;
        &self.waiting[self.first[task] as usize..self.first[task + 1] as usize]
    }
}
