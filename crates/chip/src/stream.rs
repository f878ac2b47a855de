//! Descriptor streams (section 4): commands one after another, of various lengths.

use crate::ops::{Command, OpCode, Undecodable};
use crate::register::Slot;
use crate::{Chip, Engine, Family};

/// One command of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamCommand {
    /// Where it starts in the stream, in bytes.
    pub offset: usize,
    /// Which operation it is, or why it could not be decoded: it keeps its place all the same.
    pub code: Result<OpCode, Undecodable>,
}

/// How a stream ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamEnd {
    /// At its end, or at a command that ends it.
    Sound,
    /// At bits whose length is not known: the rest is lost.
    Lost {
        /// Where, in bytes.
        offset: usize,
        /// Bytes from there on.
        bytes: usize,
        /// What is wrong there.
        error: Undecodable,
    },
}

/// A walked stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// The commands in order.
    pub commands: Vec<StreamCommand>,
    /// How it ended.
    pub end: StreamEnd,
}

/// A rest of at most this many zero bits after a system command is padding.
const PADDING_BITS: usize = 1024;

/// Walks the stream of an engine, command by command.
///
/// A stream ends at its end; after a system command that only padding follows; and after the
/// family's own end commands. BM1688's DMA streams lose a final chain-end, which no record has.
#[must_use]
pub fn walk(chip: &Chip, engine: Engine, stream: &[u8]) -> Stream {
    let table = chip.ops(engine);
    let mut commands: Vec<StreamCommand> = Vec::new();
    let mut end = StreamEnd::Sound;
    let mut at = 0;
    let mut chain_end_is_last = false;
    while let Some(rest) = stream.get(at..).filter(|r| !r.is_empty()) {
        let (length, last, code) = match table.decode(rest) {
            Ok(command) => {
                let length = command.register.bytes();
                let after = rest.get(length..).unwrap_or(&[]);
                chain_end_is_last = is_chain_end(chip, engine, &command);
                (length, ends_stream(chip, engine, &command, after), Ok(command.code))
            }
            Err(error) => match error.bits() {
                Some(bits) if bits as usize / 8 <= rest.len() => {
                    chain_end_is_last = false;
                    (bits as usize / 8, false, Err(error))
                }
                _ => {
                    commands.push(StreamCommand { offset: at, code: Err(error.clone()) });
                    end = StreamEnd::Lost { offset: at, bytes: rest.len(), error };
                    chain_end_is_last = false;
                    break;
                }
            },
        };
        commands.push(StreamCommand { offset: at, code });
        at += length;
        if last {
            break;
        }
    }
    if chain_end_is_last && chip.family == Family::Bm1688 {
        commands.pop();
    }
    Stream { commands, end }
}

fn is_system(chip: &Chip, engine: Engine, command: &Command<'_>) -> bool {
    let slot = if engine == Engine::Tiu { Slot::Task } else { Slot::DmaType };
    u8::try_from(command.get(slot)).is_ok_and(|task| chip.is_system(engine, task))
}

fn is_chain_end(chip: &Chip, engine: Engine, command: &Command<'_>) -> bool {
    engine != Engine::Tiu && is_system(chip, engine, command) && command.get(Slot::DmaFunction) == 0
}

fn ends_stream(chip: &Chip, engine: Engine, command: &Command<'_>, after: &[u8]) -> bool {
    if !is_system(chip, engine, command) {
        return false;
    }
    let own_end = match (chip.family, engine) {
        (Family::Aks, Engine::Cdma) | (Family::Cv84x6, Engine::Gdma | Engine::Sdma) => {
            is_chain_end(chip, engine, command)
        }
        (Family::Bm1688 | Family::Cv84x6, Engine::Tiu) => {
            command.variant == 31 && command.get(Slot::Rsvd1) == 1
        }
        _ => false,
    };
    own_end || (after.len() * 8 <= PADDING_BITS && after.iter().all(|&b| b == 0))
}
