//! Why a text is no model.

use bigtpu_messages::{Message, error_message};

/// One sentence that names the operator, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The text is no op list.
    #[error("{0}")]
    NoOpList(Message),
    /// An operator is not described well enough.
    #[error("{}", error_message!("error-model-operator", index, name, what))]
    Operator {
        /// Number in the list, from 0.
        index: usize,
        /// Its label.
        name: String,
        /// What is wrong and what to do.
        what: Message,
    },
}
