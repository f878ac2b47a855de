//! Why a machine file can't be used.

use bigtpu_messages::{Message, error_message};

/// One sentence that names the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InterconnectError {
    /// The text breaks its grammar.
    #[error("{}", error_message!("error-machine-interconnect-line", line, problem))]
    Line {
        /// Line, from 1.
        line: usize,
        /// What is wrong and what to do.
        problem: Message,
    },
    /// The whole file can't be used.
    #[error("{0}")]
    Whole(Message),
}

impl InterconnectError {
    /// A problem of a line.
    pub(crate) fn line(line: usize, problem: Message) -> Self {
        Self::Line { line, problem }
    }

    /// A problem of the whole.
    pub(crate) fn whole(problem: Message) -> Self {
        Self::Whole(problem)
    }
}
