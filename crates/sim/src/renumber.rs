//! A graph whose tasks are numbered in the order in which they run.

use std::ops::Range;

use crate::graph::check_columns;
use crate::order::cycle;
use crate::{Error, Graph, TaskId, Times};

/// A task that has no number yet.
const NEW: TaskId = TaskId::MAX;
/// A task that has no number yet, because something that it waits for has none.
const OPEN: TaskId = TaskId::MAX - 1;

/// Columns of a graph whose tasks have no resource: duration by task; predecessor and lag by dependence. The dependences of task
/// `t` are those from `first[t]` to `first[t + 1]`.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// By task.
    pub duration: Times,
    /// By task, and one more.
    pub first: Vec<u32>,
    /// By dependence.
    pub predecessor: Vec<TaskId>,
    /// By dependence.
    pub lag: Times,
}

/// A graph whose tasks are numbered in the order in which they run.
#[derive(Debug, Clone)]
pub struct Ordered {
    /// The graph: whoever runs it reads its columns from front to back.
    pub graph: Graph,
    /// By task of the columns its number in the graph.
    pub number: Vec<TaskId>,
}

impl Graph {
    /// The graph of these columns with its tasks numbered anew, each after all that it waits for. Each task keeps its dependences
    /// in their order, so that they are numbered by their tasks' new numbers. `numbered` is shown each
    /// task of the columns when it gets its number, with its dependences there.
    ///
    /// The search goes to the first task without a number, and back to all that it waits for. So the tasks of an engine, which have
    /// consecutive numbers, follow one another as far as possible.
    ///
    /// # Errors
    /// A cycle, columns that do not fit together, a negative duration, too many tasks.
    pub fn in_running_order(
        columns: Columns,
        mut numbered: impl FnMut(TaskId, Range<usize>),
    ) -> Result<Ordered, Error> {
        let Columns { duration, first, predecessor, lag } = columns;
        check_columns(&duration, &first, &predecessor, &lag)?;
        let (tasks, dependences) = (duration.len(), predecessor.len());
        let mut number = vec![NEW; tasks];
        let mut next: TaskId = 0;
        let mut sorted = Columns {
            duration: Times::with_capacity(tasks),
            first: Vec::with_capacity(tasks + 1),
            predecessor: Vec::with_capacity(dependences),
            lag: Times::with_capacity(dependences),
        };
        sorted.first.push(0);
        // Tasks that wait for one without a number, each with the dependence on it: those before have numbers.
        let mut open: Vec<(TaskId, usize)> = Vec::new();
        for root in 0..tasks as TaskId {
            if number[root as usize] < OPEN {
                continue;
            }
            let (mut task, mut from) = (root, first[root as usize] as usize);
            loop {
                let until = first[task as usize + 1] as usize;
                let is_missing = |task: &TaskId| number[*task as usize] >= OPEN;
                if let Some(more) = predecessor[from..until].iter().position(is_missing) {
                    open.push((task, from + more));
                    let missing = predecessor[from + more];
                    if missing == task || number[missing as usize] == OPEN {
                        let open: Vec<TaskId> = open.into_iter().map(|(task, _)| task).collect();
                        return Err(cycle(&open, missing));
                    }
                    number[task as usize] = OPEN;
                    (task, from) = (missing, first[missing as usize] as usize);
                    continue;
                }
                let own = first[task as usize] as usize..until;
                for (at, before) in own.clone().zip(&predecessor[own.clone()]) {
                    sorted.predecessor.push(number[*before as usize]);
                    sorted.lag.push_row(&lag, at);
                }
                number[task as usize] = next;
                next += 1;
                sorted.duration.push_row(&duration, task as usize);
                sorted.first.push(sorted.predecessor.len() as u32);
                numbered(task, own);
                match open.pop() {
                    Some(waiting) => (task, from) = waiting,
                    None => break,
                }
            }
        }
        Ok(Ordered { graph: Self::of_sorted(sorted), number })
    }
}
