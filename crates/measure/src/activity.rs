//! What an event means for the question where the time went.

use bigtpu_chip::{Engine, SystemRole};

/// What an engine does during an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activity {
    /// The engine computes or moves data.
    Work,
    /// The engine sends a sync message.
    Send,
    /// The engine waits for sync messages.
    Wait,
    /// Another system command, such as `nop` and `end`.
    Control,
}

impl Activity {
    /// Returns the activity of a command with this function (sub-type); `is_system` as the event's view says.
    #[must_use]
    pub fn from_function(engine: Engine, is_system: bool, function: u8) -> Self {
        if !is_system {
            return Self::Work;
        }
        SystemRole::from_function(engine, function).into()
    }

    /// Returns the activity of a command whose word holds generator indices, by its names.
    #[must_use]
    pub(crate) fn of_generator(function_type: &str, name: &str) -> Self {
        SystemRole::of_generator(function_type, name).map_or(Self::Work, Self::from)
    }

    /// Whether it is work; all else is a system command.
    #[must_use]
    #[inline]
    pub fn is_work(self) -> bool {
        self == Self::Work
    }

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Send => "send",
            Self::Wait => "wait",
            Self::Control => "control",
        }
    }
}

impl From<SystemRole> for Activity {
    fn from(role: SystemRole) -> Self {
        match role {
            SystemRole::Send => Self::Send,
            SystemRole::Wait => Self::Wait,
            SystemRole::Control => Self::Control,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_functions_depend_on_the_engine() {
        assert_eq!(Activity::from_function(Engine::Tiu, true, 9), Activity::Wait);
        assert_eq!(Activity::from_function(Engine::Tiu, false, 9), Activity::Work);
        assert_eq!(Activity::from_function(Engine::Gdma, true, 4), Activity::Wait);
        assert_eq!(Activity::from_function(Engine::Sdma, true, 3), Activity::Send);
        assert_eq!(Activity::from_function(Engine::Gdma, true, 6), Activity::Control);
        assert_eq!(Activity::from_function(Engine::Cdma, true, 6), Activity::Wait);
    }
}
