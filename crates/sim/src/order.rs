//! A topological order, or the cycle that makes one impossible.

use std::ops::Range;

use crate::{Error, TaskId};

/// How far a task is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Something waits for it, and it waits for something itself.
    Open,
    Taken,
}

/// An order in which each task is after all that it waits for, as runs of consecutive numbers.
///
/// The search goes to the first task that is not taken, and back to all that it waits for. So the tasks of an engine,
/// which have consecutive numbers, follow one another as far as possible: runs are long, and whoever visits the tasks
/// in this order reads memory in sequence. `predecessors`: what a task waits for, all of it among the `tasks`.
///
/// # Errors
/// [`Error::Cycle`] if tasks wait for each other.
pub fn running_order<I: Iterator<Item = TaskId>>(
    tasks: usize,
    predecessors: impl Fn(TaskId) -> I,
) -> Result<Vec<Range<TaskId>>, Error> {
    let mut runs: Vec<Range<TaskId>> = Vec::new();
    let mut state = vec![State::New; tasks];
    // Tasks that wait for one that is not taken.
    let mut open: Vec<TaskId> = Vec::new();
    for root in 0..tasks as TaskId {
        if state[root as usize] == State::Taken {
            continue;
        }
        let mut task = root;
        loop {
            let is_missing = |p: &TaskId| state[*p as usize] != State::Taken;
            if let Some(missing) = predecessors(task).find(is_missing) {
                open.push(task);
                if missing == task || state[missing as usize] == State::Open {
                    return Err(cycle(&open, missing));
                }
                state[task as usize] = State::Open;
                task = missing;
                continue;
            }
            state[task as usize] = State::Taken;
            match runs.last_mut() {
                Some(run) if run.end == task => run.end += 1,
                _ => runs.push(task..task + 1),
            }
            match open.pop() {
                Some(waiting) => task = waiting,
                None => break,
            }
        }
    }
    runs.shrink_to_fit();
    Ok(runs)
}

/// The cycle that the last open task closes when it waits for `first`: each task waits for the one before it.
fn cycle(open: &[TaskId], first: TaskId) -> Error {
    let mut cycle: Vec<TaskId> = open.iter().rev().copied().take_while(|t| *t != first).collect();
    cycle.push(first);
    Error::Cycle(cycle)
}
