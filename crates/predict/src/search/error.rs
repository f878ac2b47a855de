//! Errors of graphs, machines and strategies.

use bigtpu_messages::{Message, error_message};

/// Why a graph, machine or strategy can't be used. Each message is a sentence that names the node or line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The text breaks its grammar.
    #[error("{}", error_message!("error-machine-interconnect-line", line, problem))]
    Line {
        /// Line, from 1.
        line: usize,
        /// What is wrong and what to do.
        problem: Message,
    },
    /// A node can't be used.
    #[error("{}", error_message!("error-predict-search-node", node, problem))]
    Node {
        /// The node's name.
        node: String,
        /// What is wrong and what to do.
        problem: Message,
    },
    /// The whole file can't be used.
    #[error("{0}")]
    Whole(Message),
}

impl StrategyError {
    /// A problem of a node.
    pub(crate) fn node(node: &str, problem: Message) -> Self {
        Self::Node { node: node.to_owned(), problem }
    }

    /// A problem of a line.
    pub(crate) fn line(line: usize, problem: Message) -> Self {
        Self::Line { line, problem }
    }

    /// A problem of the whole.
    pub(crate) fn whole(problem: Message) -> Self {
        Self::Whole(problem)
    }
}
