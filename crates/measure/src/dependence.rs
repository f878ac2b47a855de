//! The command that a command waits for.

use std::fmt;

/// `cmd_id_dep` of a TIU or GDMA command: the last command of the core's other engine that must be done before this
/// one starts. All chips lay the field out alike; registers differ in how many bits above the enable bit belong to it.
///
/// ```text
/// bit  0              19  20      21..23
///     | command number  | enable | other |
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dependence(u32);

impl Dependence {
    /// No field: the command is known by its word only, or its register lacks it.
    pub const ABSENT: u32 = u32::MAX;
    const NUMBER: u32 = (1 << 20) - 1;

    /// From a column's value; `None` of [`Dependence::ABSENT`].
    #[must_use]
    #[inline]
    pub fn of_column(raw: u32) -> Option<Self> {
        (raw != Self::ABSENT).then_some(Self(raw))
    }

    /// The whole field, as register texts and traces show it.
    #[must_use]
    #[inline]
    pub fn field(self) -> u32 {
        self.0
    }

    /// Number of the other engine's command in the present id epoch, counted from 1; 0 is none. A PMU record's id is
    /// this number - 1.
    #[must_use]
    #[inline]
    pub fn number(self) -> u32 {
        self.0 & Self::NUMBER
    }

    /// Whether the enable bit is set. Sends and waits of messages carry a number that is not enabled. Some chips have no
    /// such bit: `Chip::awaited_command` says what the hardware waits for.
    #[must_use]
    #[inline]
    pub fn is_enabled(self) -> bool {
        self.0 & (Self::NUMBER + 1) != 0
    }
}

impl fmt::Debug for Dependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let enabled = if self.is_enabled() { "enabled" } else { "disabled" };
        write!(f, "Dependence({} {enabled})", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_enable_bit_are_in_one_field() {
        let dependence = Dependence::of_column(1 << 20 | 77).unwrap();
        assert_eq!((dependence.number(), dependence.is_enabled()), (77, true));
        assert!(!Dependence::of_column(77).unwrap().is_enabled());
        assert_eq!(Dependence::of_column(Dependence::ABSENT), None);
    }
}
