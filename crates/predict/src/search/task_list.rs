//! Tasks of which only so many run at a time.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::search::error::StrategyError;

/// Start and end of each task. A task is ready when all that it needs has ended; of those that are ready the lowest
/// numbers start first, while fewer than `limit` are running.
///
/// # Errors
/// An edge of a task that does not exist, a limit of 0, a cycle.
pub fn run_tasks(
    costs: &[u64],
    edges: &[(usize, usize)],
    limit: Option<usize>,
) -> Result<Vec<(u64, u64)>, StrategyError> {
    let limit = limit.unwrap_or(usize::MAX);
    if limit == 0 {
        return Err(StrategyError::whole(
            "the number of tasks at a time is 0; it must be at least 1",
        ));
    }
    let mut needs = vec![0_usize; costs.len()];
    let mut next = vec![Vec::new(); costs.len()];
    for &(from, to) in edges {
        if from.max(to) >= costs.len() {
            return Err(StrategyError::whole(format!(
                "an edge leads from task {from} to {to}, and there are {}",
                costs.len()
            )));
        }
        next[from].push(to);
        needs[to] += 1;
    }
    let mut ready: BTreeSet<usize> = (0..costs.len()).filter(|&task| needs[task] == 0).collect();
    let mut running: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut times: Vec<Option<(u64, u64)>> = vec![None; costs.len()];
    let mut now = 0;
    loop {
        while running.len() < limit
            && let Some(task) = ready.pop_first()
        {
            let end = now + costs[task];
            times[task] = Some((now, end));
            running.push(Reverse((end, task)));
        }
        let Some(Reverse((end, task))) = running.pop() else { break };
        now = end;
        for &to in &next[task] {
            needs[to] -= 1;
            if needs[to] == 0 {
                ready.insert(to);
            }
        }
        // All that ends now makes way before anything starts.
        while let Some(&Reverse((end, task))) = running.peek()
            && end == now
        {
            running.pop();
            for &to in &next[task] {
                needs[to] -= 1;
                if needs[to] == 0 {
                    ready.insert(to);
                }
            }
        }
    }
    let stuck = times.iter().position(Option::is_none);
    match stuck {
        Some(task) => Err(StrategyError::whole(format!(
            "task {task} waits for itself (a cycle); remove an edge of it"
        ))),
        None => Ok(times.into_iter().flatten().collect()),
    }
}
