//! The commands of a stream.

use std::ops::Range;

use bigtpu_chip::{Chip, Engine, OpCode, StreamEnd, walk_groups};
use bigtpu_messages::{Message, error_message};

use crate::compiled::error::Error;

/// Where a command is, and which operation it is.
pub type PlacedCommand = (u64, Option<OpCode>);

/// The command groups of a stream in a file: each ends with an end command and zeros to a multiple of 128 bytes. Zeros
/// at the end are no commands, and a missing end command is no error.
///
/// # Errors
/// Where bytes are no commands.
pub fn stream(
    chip: &Chip,
    engine: Engine,
    file: &[u8],
    range: Range<usize>,
) -> Result<Vec<Vec<PlacedCommand>>, Error> {
    let first = range.start as u64;
    let bytes = file.get(range).unwrap_or(&[]);
    let last = bytes.iter().rposition(|byte| *byte != 0);
    let Some(last) = last else { return Ok(Vec::new()) };
    let wrong = |offset: usize, what: Message| Error::Commands {
        engine: engine.name(),
        offset: first + offset as u64,
        what,
    };
    let walked = walk_groups(chip, engine, bytes);
    if let Some(unread) = walked.unread.filter(|unread| *unread <= last) {
        return Err(wrong(unread, error_message!("problem-compiled-after-end")));
    }
    let mut groups = Vec::new();
    for group in &walked.groups {
        if let StreamEnd::Lost { offset, error, .. } = &group.end
            && *offset <= last
        {
            return Err(wrong(*offset, Message::displayed(error)));
        }
        let real = group.commands.iter().filter(|command| command.offset <= last);
        let placed = real.map(|c| (first + c.offset as u64, c.code.as_ref().ok().copied()));
        let commands: Vec<PlacedCommand> = placed.collect();
        if !commands.is_empty() {
            groups.push(commands);
        }
    }
    Ok(groups)
}
