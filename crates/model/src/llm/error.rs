//! Why a language model can't be estimated.

use bigtpu_messages::{Message, error_message};

/// One sentence that names the field or option, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// The text is no JSON object.
    #[error("{}", error_message!("error-model-llm-json", value = .0))]
    Json(Message),
    /// A field that the model's cost depends on is absent.
    #[error("{}", error_message!("error-model-llm-missing", field, model_type))]
    Missing {
        /// Field.
        field: String,
        /// `model_type` of the file.
        model_type: String,
    },
    /// A field has a value of no use.
    #[error("{}", error_message!("error-model-llm-bad-value", field, value, wanted = Message::new(wanted)))]
    BadValue {
        /// Field.
        field: String,
        /// Value as written.
        value: String,
        /// What it must be: an id of the catalogue.
        wanted: &'static str,
    },
    /// A family of models whose operators are not known.
    #[error("{}", error_message!("error-model-llm-unknown-model", model_type, known))]
    UnknownModel {
        /// As written.
        model_type: String,
        /// All that are known.
        known: String,
    },
    /// Some of the layers keep a state instead of keys and values.
    #[error("{}", error_message!("error-model-llm-states", model_type))]
    States {
        /// As written.
        model_type: String,
    },
    /// Devices, batch and model do not fit together.
    #[error("{}", error_message!("error-model-llm-split", option, value, what))]
    Split {
        /// Option of the command line.
        option: &'static str,
        /// Its value.
        value: u32,
        /// What is wrong and what to do.
        what: Message,
    },
    /// A smaller model can't propose tokens for another one.
    #[error("{}", error_message!("error-model-llm-draft", what))]
    Draft {
        /// What is wrong and what to do.
        what: Message,
    },
}
