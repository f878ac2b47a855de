//! Why a file is no graph.

/// One sentence that names the node and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A line or message breaks the format.
    #[error("{place}: {what}")]
    Format {
        /// Where: a line, or the file.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// A node uses a tensor that no node before it makes.
    #[error("node `{node}`: no earlier node produces its input `{input}`")]
    MissingProducer {
        /// Node.
        node: String,
        /// Tensor or node that it names.
        input: String,
    },
    /// Two nodes of one name.
    #[error("node `{node}` exists twice; names must differ")]
    Twice {
        /// Node.
        node: String,
    },
    /// Nodes that wait for each other.
    #[error("the graph has a cycle through {nodes}")]
    Cycle {
        /// Some nodes of the cycle.
        nodes: String,
    },
    /// An operator that the reader does not know.
    #[error("node `{node}`: operator `{operator}` is unknown; {advice}")]
    UnknownOperator {
        /// Node.
        node: String,
        /// Operator.
        operator: String,
        /// What to do.
        advice: &'static str,
    },
    /// Shapes or parameters that can't be.
    #[error("node `{node}` ({operator}): {what}")]
    Node {
        /// Node.
        node: String,
        /// Operator.
        operator: String,
        /// What is wrong and what to do.
        what: String,
    },
}
