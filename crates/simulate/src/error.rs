//! Why commands have no time line.

use bigtpu_timeline::EngineId;

/// Why commands have no time line: nothing is assumed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A dependence on a command that is not there.
    #[error(
        "{engine}: command {number} waits for command {awaited} of its core's other engine, whose stream has only {commands} in that group: a part of the commands is missing"
    )]
    NoSuchCommand {
        /// Whose command waits.
        engine: EngineId,
        /// Its number, counted from 1 in its group.
        number: u32,
        /// What it waits for.
        awaited: u32,
        /// Commands that there are.
        commands: usize,
    },
    /// A wait that gets too few messages.
    #[error(
        "{engine}: command {number} waits for {needed} sends of message {message}, but only {sent} come: the commands of another core or engine are missing"
    )]
    NoSends {
        /// Whose command waits.
        engine: EngineId,
        /// Its number.
        number: u32,
        /// The message.
        message: u16,
        /// Sends that it needs.
        needed: u32,
        /// Sends that come.
        sent: u32,
    },
    /// Commands that wait for each other.
    #[error("{engine}: command {number} and a command that it waits for wait for each other")]
    Cycle {
        /// Whose command waits.
        engine: EngineId,
        /// Its number.
        number: u32,
    },
    /// No command has full bits.
    #[error(
        "no command has descriptors: only a dump with descriptors can be simulated (PMU mode 2, a static model, or libsophon's command files; docs/capture.md)"
    )]
    NoCommands,
}
