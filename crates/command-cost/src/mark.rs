//! How well a predicted time is known.

/// How well a predicted time is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// The rule has met hardware of this chip to the cycle, for this operation and data type.
    Exact,
    /// The rule has constants from hardware of this chip, and errors.
    Fitted,
    /// A rule of another chip, operation or data type.
    Estimated,
    /// No rule: a lower bound, lines or bytes at full speed.
    NotValidated,
}

impl Mark {
    /// All, the best known first.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Fitted, Self::Estimated, Self::NotValidated];

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Fitted => "fitted",
            Self::Estimated => "estimated",
            Self::NotValidated => "not validated",
        }
    }

    /// Whether an error bound can be given.
    #[must_use]
    pub fn is_validated(self) -> bool {
        matches!(self, Self::Exact | Self::Fitted)
    }
}
