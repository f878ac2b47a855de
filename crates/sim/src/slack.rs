//! How much longer each task could take.

use crate::{TaskId, TaskSchedule, Time};

/// For each task how much later it could end, all else being equal, before the run takes longer. Tasks
/// of the critical path have none. The order of tasks on a resource stays as it was.
#[must_use]
pub fn slack(schedule: &TaskSchedule<'_>) -> Vec<Time> {
    if schedule.is_of_graph() {
        return slack_of_graph(schedule);
    }
    let graph = schedule.graph;
    let mut latest = vec![schedule.makespan(); graph.len()];
    let mut relax = |task: TaskId| {
        let start = latest[task as usize] - schedule.duration(task);
        for dependence in graph.dependences(task) {
            let end = &mut latest[graph.predecessor(dependence) as usize];
            *end = (*end).min(start - schedule.lag(dependence));
        }
        if let Some(previous) = schedule.previous(task) {
            let end = &mut latest[previous as usize];
            *end = (*end).min(start);
        }
    };
    if schedule.taken.is_empty() {
        graph.topological_order().rev().for_each(&mut relax);
    } else {
        schedule.taken.iter().rev().copied().for_each(&mut relax);
    }
    // The same memory: a run may have millions of tasks.
    latest.iter_mut().zip(&schedule.end).for_each(|(latest, end)| *latest -= end);
    latest
}

/// Slack of a run with the graph's own durations and lags, whose order its dependences fix.
fn slack_of_graph(schedule: &TaskSchedule<'_>) -> Vec<Time> {
    let graph = schedule.graph;
    let mut latest = vec![schedule.makespan(); graph.len()];
    for run in graph.order.iter().rev() {
        for task in run.clone().rev() {
            let own = &mut latest[task as usize];
            let end = *own;
            // Nothing that comes later waits for it: its slack is final.
            *own -= schedule.end[task as usize];
            let start = end - graph.duration(task);
            let dependences = graph.dependences(task);
            let first = dependences.start;
            for (at, predecessor) in (first..).zip(&graph.predecessor[dependences]) {
                let end = &mut latest[*predecessor as usize];
                *end = (*end).min(start - graph.lag(at));
            }
        }
    }
    latest
}
