//! Why a costs file can't be used.

use bigtpu_messages::{Message, error_message};

/// One sentence that names the part or key, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CostsError {
    /// Not JSON.
    #[error("{}", error_message!("error-model-costs-json", value = .0))]
    Json(String),
    /// No list of parts.
    #[error("{}", error_message!("error-model-costs-no-parts"))]
    NoParts,
    /// A layout that this program does not read.
    #[error("{}", error_message!("error-model-costs-version", value = .0))]
    Version(String),
    /// No part of the kind that was asked for.
    #[error("{}", error_message!("error-model-costs-no-kind", value = .0))]
    NoKind(String),
    /// No part of the phase that was asked for.
    #[error("{}", error_message!("error-model-costs-no-phase", value = .0))]
    NoPhase(String),
    /// Parts of which only one sort can be a chain.
    #[error("{}", error_message!("error-model-costs-mixed", what = Message::new(what), found, advice = Message::new(advice)))]
    Mixed {
        /// What differs: an id of the catalogue.
        what: &'static str,
        /// Its values.
        found: String,
        /// What to do: an id of the catalogue.
        advice: &'static str,
    },
    /// A part without a usable number.
    #[error("{}", error_message!("error-model-costs-part", number, name, what))]
    Part {
        /// Number of the part, from 0.
        number: usize,
        /// Its name.
        name: String,
        /// The key.
        what: &'static str,
    },
    /// Paths of a dump that can't be read.
    #[error("{}", error_message!("error-model-costs-paths", value = .0))]
    Paths(String),
    /// `passes` is no number of passes.
    #[error("{}", error_message!("error-model-costs-passes", value = .0))]
    Passes(String),
}
