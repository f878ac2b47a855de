//! Why a model can't be estimated.

use bigtpu_model::ModelError;

/// One sentence that names the operator or machine, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EstimateError {
    /// The model itself is not right.
    #[error(transparent)]
    Model(#[from] ModelError),
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
