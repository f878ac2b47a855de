//! Why a file is no graph.

use std::fmt::Debug;

use bigtpu_messages::{Message, error_message};

/// One sentence that names the node and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A line or message breaks the format.
    #[error("{}", error_message!("error-model-graph-format", place, what))]
    Format {
        /// Where: a line, or the file.
        place: Message,
        /// What is wrong.
        what: Message,
    },
    /// A node uses a tensor that no node before it makes.
    #[error("{}", error_message!("error-model-graph-missing-producer", node, input))]
    MissingProducer {
        /// Node.
        node: String,
        /// Tensor or node that it names.
        input: String,
    },
    /// No node makes an output of the model.
    #[error("{}", error_message!("error-model-graph-missing-output", output))]
    MissingOutput {
        /// Tensor.
        output: String,
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
        nodes: Message,
    },
    /// An operator that the reader does not know.
    #[error("{}", error_message!("error-model-graph-unknown-operator", node, operator, advice))]
    UnknownOperator {
        /// Node.
        node: String,
        /// Operator.
        operator: String,
        /// What to do.
        advice: Message,
    },
    /// Shapes or parameters that can't be.
    #[error("{}", error_message!("error-model-graph-node", node, operator, what))]
    Node {
        /// Node.
        node: String,
        /// Operator.
        operator: String,
        /// What is wrong and what to do.
        what: Message,
    },
}

/// Sizes or numbers as an argument of a message.
pub(crate) fn shown(sizes: impl Debug) -> String {
    format!("{sizes:?}")
}
