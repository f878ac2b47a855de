//! Why a model can't be estimated.

/// One sentence that names the operator or machine, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EstimateError {
    /// The text is no op list.
    #[error("{0}")]
    NoOpList(String),
    /// An operator is not described well enough.
    #[error("operator {index} `{name}`: {what}")]
    Operator {
        /// Number in the list, from 0.
        index: usize,
        /// Its label.
        name: String,
        /// What is wrong and what to do.
        what: String,
    },
    /// A mapping names an unknown machine.
    #[error(
        "the mapping of `{context}` names `{machine}`, which no file and no preset describes; {known}"
    )]
    UnknownMachine {
        /// Context that is mapped.
        context: String,
        /// Machine as written.
        machine: String,
        /// What is known.
        known: String,
    },
}
