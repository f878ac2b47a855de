//! A topological order, or the cycle that makes one impossible.

use crate::successors::Successors;
use crate::{Error, Graph, TaskId};

/// An order in which each task is after all that it waits for: of the tasks that may come next the
/// one that became free first. `None` if the numbers are such an order.
pub(crate) fn topological(graph: &Graph) -> Result<Option<Vec<TaskId>>, Error> {
    let tasks = graph.len() as TaskId;
    let waits_for_lower =
        |task| graph.dependences(task).all(|dependence| graph.predecessor(dependence) < task);
    if (0..tasks).all(waits_for_lower) {
        return Ok(None);
    }
    let successors = Successors::of(graph);
    let mut missing: Vec<u32> =
        (0..tasks).map(|task| graph.dependences(task).len() as u32).collect();
    let mut order: Vec<TaskId> = (0..tasks).filter(|t| missing[*t as usize] == 0).collect();
    order.reserve_exact(graph.len() - order.len());
    let mut taken = 0;
    while let Some(&task) = order.get(taken) {
        taken += 1;
        for &(waiting, _) in successors.waiting_for(task) {
            missing[waiting as usize] -= 1;
            if missing[waiting as usize] == 0 {
                order.push(waiting);
            }
        }
    }
    if order.len() == graph.len() { Ok(Some(order)) } else { Err(cycle(graph, &missing)) }
}

/// One cycle among the tasks that still miss something. Going from such a task to one of its
/// predecessors that misses something as well never ends, so that a task comes twice.
fn cycle(graph: &Graph, missing: &[u32]) -> Error {
    let stuck = |task: TaskId| missing[task as usize] > 0;
    let mut seen = vec![u32::MAX; graph.len()];
    let mut walk = Vec::new();
    let mut next = (0..graph.len() as TaskId).find(|t| stuck(*t));
    while let Some(task) = next {
        if seen[task as usize] != u32::MAX {
            walk.drain(..seen[task as usize] as usize);
            break;
        }
        seen[task as usize] = walk.len() as u32;
        walk.push(task);
        next = graph.dependences(task).map(|d| graph.predecessor(d)).find(|p| stuck(*p));
    }
    walk.reverse();
    Error::Cycle(walk)
}
