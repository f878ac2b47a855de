//! Why a model can't be estimated.

use bigtpu_messages::error_message;
use bigtpu_model::ModelError;

/// One sentence that names the operator or machine, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EstimateError {
    /// The model itself is not right.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A mapping names an unknown machine.
    #[error("{}", error_message!("error-predict-estimate-unknown-machine", context, machine, known))]
    UnknownMachine {
        /// Context that is mapped.
        context: String,
        /// Machine as written.
        machine: String,
        /// What is known.
        known: String,
    },
}
