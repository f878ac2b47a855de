//! Errors of graphs, machines and strategies.

use bigtpu_messages::error_message;

/// Why a graph, machine or strategy can't be used. Each message is a sentence that names the node or line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The text breaks its grammar.
    #[error("{}", error_message!("error-machine-interconnect-line", line, problem))]
    Line {
        /// Line, from 1.
        line: usize,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A node can't be used.
    #[error("{}", error_message!("error-predict-search-node", node, problem))]
    Node {
        /// The node's name.
        node: String,
        /// What is wrong and what to do.
        problem: String,
    },
    /// The whole file can't be used.
    #[error("{0}")]
    Whole(String),
}

impl StrategyError {
    /// A problem of a node.
    pub(crate) fn node(node: &str, problem: impl Into<String>) -> Self {
        Self::Node { node: node.to_owned(), problem: problem.into() }
    }

    /// A problem of a line.
    pub(crate) fn line(line: usize, problem: impl Into<String>) -> Self {
        Self::Line { line, problem: problem.into() }
    }

    /// A problem of the whole.
    pub(crate) fn whole(problem: impl Into<String>) -> Self {
        Self::Whole(problem.into())
    }
}
