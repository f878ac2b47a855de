//! Why a graph can't be simulated.

use crate::TaskId;
use bigtpu_messages::error_message;

/// Why a graph can't be simulated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Tasks wait for each other. The tasks are in the order of the cycle: each waits for the one
    /// before it, the first for the last.
    #[error("{}", error_message!("error-sim-cycle", circle = circle(.0, |t| format!("task {t}")), count = .0.len()))]
    Cycle(Vec<TaskId>),
    /// A dependence names a task that does not exist.
    #[error("{}", error_message!("error-sim-unknown-task", from, to, tasks))]
    UnknownTask {
        /// The task that must end first.
        from: TaskId,
        /// The task that waits.
        to: TaskId,
        /// Number of tasks.
        tasks: usize,
    },
    /// A task takes less than no time.
    #[error("{}", error_message!("error-sim-negative-duration", task, duration))]
    NegativeDuration {
        /// The task.
        task: TaskId,
        /// Its duration.
        duration: crate::Time,
    },
    /// The columns of a graph differ in length, or name tasks that do not exist.
    #[error("{}", error_message!("error-sim-columns"))]
    Columns,
    /// More tasks or dependences than a 32-bit number can count.
    #[error("{}", error_message!("error-sim-too-large", most = u32::MAX))]
    TooLarge,
}

impl Error {
    /// The error as text, with the tasks named by `name`.
    pub fn with_names(&self, name: impl Fn(TaskId) -> String) -> String {
        match self {
            Self::Cycle(tasks) => {
                format!(
                    "{} tasks wait for each other in a cycle: {}",
                    tasks.len(),
                    circle(tasks, name)
                )
            }
            Self::NegativeDuration { task, duration } => {
                format!("{} has the negative duration {duration}", name(*task))
            }
            other => other.to_string(),
        }
    }
}

/// A circle of tasks as text; of a long one the first and last few.
fn circle(tasks: &[TaskId], name: impl Fn(TaskId) -> String) -> String {
    const SHOWN: usize = 8;
    let mut parts: Vec<String> = tasks.iter().take(SHOWN).map(|&t| name(t)).collect();
    if tasks.len() > SHOWN {
        parts.push(format!("({} more)", tasks.len() - SHOWN));
    }
    parts.extend(tasks.first().map(|&t| name(t)));
    parts.join(" -> ")
}
