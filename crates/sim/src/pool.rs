//! Tasks of which only so many run at a time.

use bigtpu_messages::error_message;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use thiserror::Error;

use crate::TaskId;
use crate::successors::Successors;

/// Why [`pool_schedule`] can't run its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PoolError {
    /// Nothing may run.
    #[error("{}", error_message!("error-sim-pool-no-room"))]
    NoRoom,
    /// An edge has an end that does not exist.
    #[error("{}", error_message!("error-sim-pool-no-such-task", from, to, tasks))]
    NoSuchTask {
        /// What is waited for.
        from: TaskId,
        /// What waits.
        to: TaskId,
        /// Number of tasks.
        tasks: usize,
    },
    /// Tasks wait for each other.
    #[error("{}", error_message!("error-sim-pool-cycle", value = .0))]
    Cycle(TaskId),
}

/// Start and end of each task. A task is ready when all that it needs has ended; of those that are ready the lowest
/// numbers start first, while fewer than `limit` are running.
///
/// # Errors
/// An edge of a task that does not exist, a limit of 0, a cycle.
pub fn pool_schedule(
    durations: &[u64],
    edges: &[(TaskId, TaskId)],
    limit: Option<usize>,
) -> Result<Vec<(u64, u64)>, PoolError> {
    let limit = limit.unwrap_or(usize::MAX);
    if limit == 0 {
        return Err(PoolError::NoRoom);
    }
    let tasks = durations.len();
    if let Some(&(from, to)) = edges.iter().find(|(from, to)| *from.max(to) as usize >= tasks) {
        return Err(PoolError::NoSuchTask { from, to, tasks });
    }
    let successors = Successors::of_pairs(tasks, || edges.iter().copied());
    let mut needs = successors.needs();
    let all = 0..tasks as TaskId;
    let mut ready: BTreeSet<TaskId> = all.filter(|&task| needs[task as usize] == 0).collect();
    let mut running: BinaryHeap<Reverse<(u64, TaskId)>> = BinaryHeap::new();
    let mut times: Vec<Option<(u64, u64)>> = vec![None; tasks];
    let mut now = 0_u64;
    loop {
        while running.len() < limit
            && let Some(task) = ready.pop_first()
        {
            let end = now.saturating_add(durations[task as usize]);
            times[task as usize] = Some((now, end));
            running.push(Reverse((end, task)));
        }
        let Some(&Reverse((end, _))) = running.peek() else { break };
        now = end;
        // All that ends now makes way before anything starts.
        while let Some(&Reverse((end, task))) = running.peek()
            && end == now
        {
            running.pop();
            for &(to, _) in successors.waiting_for(task) {
                needs[to as usize] -= 1;
                if needs[to as usize] == 0 {
                    ready.insert(to);
                }
            }
        }
    }
    match (0..).zip(&times).find(|(_, times)| times.is_none()) {
        Some((task, _)) => Err(PoolError::Cycle(task)),
        None => Ok(times.into_iter().flatten().collect()),
    }
}
