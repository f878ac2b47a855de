//! Runs a graph whose resources choose what comes next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::successors::Successors;
use crate::{Graph, Schedule, TaskId, Time};

impl Graph {
    /// Runs the graph. A task is ready when all that it waits for has ended, plus the lags; tasks
    /// without dependences are ready at 0. Ready tasks are taken by (ready time, task number); each
    /// starts when its resource has finished what was taken before.
    #[must_use]
    pub fn simulate(&self) -> Schedule<'_> {
        let successors = Successors::of(self);
        let tasks = self.len();
        let mut missing: Vec<u32> =
            (0..tasks as TaskId).map(|t| self.dependences(t).len() as u32).collect();
        let mut ready: Vec<Time> = vec![0; tasks];
        let mut end: Vec<Time> = vec![0; tasks];
        let mut previous = vec![0u32; tasks];
        let mut taken = Vec::with_capacity(tasks);
        // Per resource: when it is free, and the last task on it plus 1.
        let mut resources: Vec<(Time, u32)> = vec![(0, 0); self.resource_count()];
        let mut queue: BinaryHeap<Reverse<(Time, TaskId)>> = (0..tasks as TaskId)
            .filter(|t| missing[*t as usize] == 0)
            .map(|t| Reverse((0, t)))
            .collect();
        while let Some(Reverse((time, task))) = queue.pop() {
            taken.push(task);
            let i = task as usize;
            let mut start = time;
            if let Some(resource) = self.resource(task) {
                let (free, last) = &mut resources[resource as usize];
                start = start.max(*free);
                previous[i] = *last;
                (*free, *last) = (start + self.duration.get(i), task + 1);
            }
            end[i] = start + self.duration.get(i);
            for &(waiting, dependence) in successors.waiting_for(task) {
                let w = waiting as usize;
                ready[w] = ready[w].max(end[i] + self.lag.get(dependence as usize));
                missing[w] -= 1;
                if missing[w] == 0 {
                    queue.push(Reverse((ready[w], waiting)));
                }
            }
        }
        let makespan = end.iter().copied().max().unwrap_or(0);
        Schedule { graph: self, end, makespan, duration: None, lag: None, previous, taken }
    }
}
