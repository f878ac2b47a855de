//! Runs a graph whose resources choose what comes next.

use crate::list::run;
use crate::successors::Successors;
use crate::{TaskGraph, TaskSchedule, Time};

impl TaskGraph {
    /// Runs the graph. A task is ready when all that it waits for has ended, plus the lags; tasks
    /// without dependences are ready at 0. Ready tasks are taken by (ready time, task number); each
    /// starts when its resource has finished what was taken before.
    #[must_use]
    pub fn simulate(&self) -> TaskSchedule<'_> {
        let tasks = self.len();
        let mut end: Vec<Time> = vec![0; tasks];
        let mut previous = vec![0; tasks];
        let mut taken = Vec::with_capacity(tasks);
        run(
            &Successors::collect(self),
            self.resource_count(),
            |task| Some((self.resource(task), self.duration.get(task as usize))),
            |dependence| self.lag.get(dependence as usize),
            |task, _, stop, before| {
                end[task as usize] = stop;
                previous[task as usize] = before;
                taken.push(task);
            },
        );
        let makespan = end.iter().copied().max().unwrap_or(0);
        TaskSchedule { graph: self, end, makespan, duration: None, lag: None, previous, taken }
    }
}
