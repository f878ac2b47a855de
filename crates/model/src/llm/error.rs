//! Why a language model can't be estimated.

/// One sentence that names the field or option, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// The text is no JSON object.
    #[error("not a config.json of a language model ({0})")]
    Json(String),
    /// A field that the model's cost depends on is absent.
    #[error(
        "the field `{field}` is missing, and a model of the type `{model_type}` can't be estimated without it"
    )]
    Missing {
        /// Field.
        field: String,
        /// `model_type` of the file.
        model_type: String,
    },
    /// A field has a value of no use.
    #[error("the field `{field}` is {value}; it must be {wanted}")]
    BadValue {
        /// Field.
        field: String,
        /// Value as written.
        value: String,
        /// What it must be.
        wanted: &'static str,
    },
    /// A family of models whose operators are not known.
    #[error("`model_type` is `{model_type}`, whose operators are not known; known are {known}")]
    UnknownModel {
        /// As written.
        model_type: String,
        /// All that are known.
        known: String,
    },
    /// Devices, batch and model do not fit together.
    #[error("{option} {value}: {what}")]
    Split {
        /// Option of the command line.
        option: &'static str,
        /// Its value.
        value: u32,
        /// What is wrong and what to do.
        what: String,
    },
    /// A smaller model can't propose tokens for another one.
    #[error("--draft: {what}")]
    Draft {
        /// What is wrong and what to do.
        what: String,
    },
}
