//! What the event loop knows of a command.

use crate::Picoseconds;

/// What a command does with messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Nothing.
    None,
    /// Sends a message when the command ends.
    Send(u16),
    /// Starts the command when so many sends of a message have ended.
    Wait {
        /// The message.
        message: u16,
        /// Sends that it needs.
        needed: u32,
    },
}

/// What the event loop knows of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// What it takes whatever else runs.
    pub fixed: Picoseconds,
    /// What it takes after that if it has the DDR for itself.
    pub shared: Picoseconds,
    /// What its bytes take at the core's part of the DDR, to which many in a row are held; 0 if nothing holds them.
    pub sustained: Picoseconds,
    /// Group, from 0: a group starts when all engines of the core have finished the one before.
    pub group: u32,
    /// Index of the command of the core's other engine that must have ended, in its queue.
    pub awaits: Option<u32>,
    /// Messages.
    pub sync: Sync,
    /// When its core has issued it, from the start of its group; 0 in a stream.
    pub issued: Picoseconds,
}
