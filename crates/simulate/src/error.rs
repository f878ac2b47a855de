//! Why commands have no time line.

use bigtpu_messages::error_message;
use bigtpu_timeline::EngineId;

/// Why commands have no time line: nothing is assumed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A dependence on a command that is not there.
    #[error("{}", error_message!("error-simulate-no-such-command", engine, number, awaited, commands))]
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
    #[error("{}", error_message!("error-simulate-no-sends", engine, number, needed, message, sent))]
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
    #[error("{}", error_message!("error-simulate-cycle", engine, number))]
    Cycle {
        /// Whose command waits.
        engine: EngineId,
        /// Its number.
        number: u32,
    },
    /// No command has full bits.
    #[error("{}", error_message!("error-simulate-no-commands"))]
    NoCommands,
}
