//! What a slice tells of its step.

/// What a slice tells of its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepTold {
    Nothing,
    Number(u64),
    /// That it has none, though it starts in one.
    Absence,
}

impl StepTold {
    /// The text of [`StepTold::Absence`], which the views know.
    pub(crate) const NONE: &'static str = "none";
}
