//! Why a costs file can't be used.

/// One sentence that names the part or key, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CostsError {
    /// Not JSON.
    #[error("is not JSON ({0}); give a file that `bigtpuprofile costs` wrote")]
    Json(String),
    /// No list of parts.
    #[error("it has no list 'parts'; give a file that `bigtpuprofile costs` wrote")]
    NoParts,
    /// A layout that this program does not read.
    #[error(
        "its layout has version {0}, and this program reads version 1; write it again with `bigtpuprofile costs`"
    )]
    Version(String),
    /// No part of the kind that was asked for.
    #[error("it has no parts of kind '{0}'")]
    NoKind(String),
    /// No part of the phase that was asked for.
    #[error("it has no parts of phase '{0}'")]
    NoPhase(String),
    /// Parts of which only one sort can be a chain.
    #[error("it has parts of several {what} ({found}); {advice}")]
    Mixed {
        /// What differs.
        what: &'static str,
        /// Its values.
        found: String,
        /// What to do.
        advice: &'static str,
    },
    /// A part without a usable number.
    #[error("part {number} ('{name}') has no {what} that is a number of at least 0")]
    Part {
        /// Number of the part, from 0.
        number: usize,
        /// Its name.
        name: String,
        /// The key.
        what: &'static str,
    },
    /// `passes` is no number of passes.
    #[error("its 'passes' is {0}; it must be a whole number of at least 1")]
    Passes(String),
}
