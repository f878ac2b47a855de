//! Why a file is no graph.

use bigtpu_messages::error_message;

/// One sentence that names the node and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A line or message breaks the format.
    #[error("{}", error_message!("error-model-graph-format", place, what))]
    Format {
        /// Where: a line, or the file.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// A node uses a tensor that no node before it makes.
    #[error("{}", error_message!("error-model-graph-missing-producer", node, input))]
    MissingProducer {
        /// Node.
        node: String,
        /// Tensor or node that it names.
        input: String,
    },
    /// Two nodes of one name.
    #[error("{}", error_message!("error-model-graph-twice", node))]
    Twice {
        /// Node.
        node: String,
    },
    /// Nodes that wait for each other.
    #[error("{}", error_message!("error-model-graph-cycle", nodes))]
    Cycle {
        /// Some nodes of the cycle.
        nodes: String,
    },
    /// An operator that the reader does not know.
    #[error("{}", error_message!("error-model-graph-unknown-operator", node, operator, advice))]
    UnknownOperator {
        /// Node.
        node: String,
        /// Operator.
        operator: String,
        /// What to do.
        advice: &'static str,
    },
    /// Shapes or parameters that can't be.
    #[error("{}", error_message!("error-model-graph-node", node, operator, what))]
    Node {
        /// Node.
        node: String,
        /// Operator.
        operator: String,
        /// What is wrong and what to do.
        what: String,
    },
}
