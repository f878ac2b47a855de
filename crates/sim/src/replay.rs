//! Runs a graph whose dependences fix the order on every resource: one pass over the tasks.

use crate::{Error, TaskGraph, TaskId, TaskSchedule, Time};

/// Durations and lags of a run that differ from those of the graph.
pub trait TaskCosts {
    /// Duration of a task; never negative.
    fn duration(&self, task: TaskId) -> Time;
    /// Lag of a dependence.
    fn lag(&self, dependence: usize) -> Time;
}

/// The graph's own.
struct Own<'g>(&'g TaskGraph);

impl TaskCosts for Own<'_> {
    fn duration(&self, task: TaskId) -> Time {
        self.0.duration(task)
    }

    fn lag(&self, dependence: usize) -> Time {
        self.0.lag(dependence)
    }
}

impl TaskGraph {
    /// Runs the graph by its dependences alone: resources are not looked at.
    #[must_use]
    pub fn replay(&self) -> TaskSchedule<'_> {
        let mut end = Vec::new();
        let makespan = self.replay_into(&Own(self), &mut end);
        TaskSchedule {
            graph: self,
            end,
            makespan,
            duration: None,
            lag: None,
            previous: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// The schedule of tasks whose ends are known from elsewhere, one for each task.
    ///
    /// # Errors
    /// [`Error::Columns`] if there are more or fewer ends than tasks.
    pub fn with_ends(&self, end: Vec<Time>) -> Result<TaskSchedule<'_>, Error> {
        if end.len() != self.len() {
            return Err(Error::Columns);
        }
        let makespan = end.iter().copied().max().unwrap_or(0);
        let (previous, taken) = (Vec::new(), Vec::new());
        Ok(TaskSchedule { graph: self, end, makespan, duration: None, lag: None, previous, taken })
    }

    /// Runs the graph with other durations and lags.
    #[must_use]
    pub fn replay_with(&self, costs: &impl TaskCosts) -> TaskSchedule<'_> {
        let mut end = Vec::new();
        let makespan = self.replay_into(costs, &mut end);
        let duration = Some((0..self.len() as TaskId).map(|t| costs.duration(t)).collect());
        let lag = Some((0..self.dependence_count()).map(|d| costs.lag(d)).collect());
        let (previous, taken) = (Vec::new(), Vec::new());
        TaskSchedule { graph: self, end, makespan, duration, lag, previous, taken }
    }

    /// Runs the graph with other durations and lags and writes the tasks' ends to `end`, whose memory
    /// is used again. Returns the last end.
    pub fn replay_into(&self, costs: &impl TaskCosts, end: &mut Vec<Time>) -> Time {
        // Every end is written before it is read: what the memory held does not matter.
        if end.is_empty() {
            // Fresh memory is zero already.
            *end = vec![0; self.len()];
        }
        end.resize(self.len(), 0);
        let mut last = 0;
        for run in &self.order {
            // Consecutive tasks have consecutive dependences.
            let mut at = self.dependences(run.start).start;
            for task in run.clone() {
                let until = self.first[task as usize + 1] as usize;
                // No task starts before 0.
                let mut start = 0;
                while at < until {
                    start = start.max(end[self.predecessor[at] as usize] + costs.lag(at));
                    at += 1;
                }
                let own = start + costs.duration(task);
                end[task as usize] = own;
                last = last.max(own);
            }
        }
        last
    }
}
