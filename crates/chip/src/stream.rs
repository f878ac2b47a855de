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
    /// The PMU may leave it out: the end command of a group; on BM1688 every system command of a DMA engine.
    pub may_lack_record: bool,
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

/// The runtime pads each command group to a multiple of this many bytes.
const GROUP_BYTES: usize = 128;

/// Walks the stream of an engine, command by command.
///
/// A stream ends at its end; after a system command that only padding follows; and after the
/// family's own end commands. BM1688's DMA streams lose a final chain-end, which no record has.
#[must_use]
pub fn walk(chip: &Chip, engine: Engine, stream: &[u8]) -> Stream {
    walk_group(chip, engine, stream, 0, false).0
}

/// A static model's stream: its command groups, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// The groups; one that could not be walked to its end is the last.
    pub groups: Vec<Stream>,
    /// Where bytes start that belong to no group, though they are not all zero.
    pub unread: Option<usize>,
}

/// Walks a static model's stream: command groups one after another, each from a multiple of 128
/// bytes to its end command.
#[must_use]
pub fn walk_groups(chip: &Chip, engine: Engine, stream: &[u8]) -> Groups {
    let is_zero = |from: usize, to: usize| {
        stream.get(from..to.min(stream.len())).unwrap_or(&[]).iter().all(|&b| b == 0)
    };
    let mut groups = Vec::new();
    let mut at = 0;
    while !is_zero(at, stream.len()) {
        let (group, end) = walk_group(chip, engine, stream, at, true);
        let is_sound = group.end == StreamEnd::Sound;
        groups.push(group);
        let bound = end.next_multiple_of(GROUP_BYTES);
        if !is_sound {
            break;
        }
        if !is_zero(end, bound) {
            return Groups { groups, unread: Some(end) };
        }
        at = bound;
    }
    Groups { groups, unread: None }
}

/// Walks from `start` to the end of the stream or, with `is_group`, of the command group. Returns
/// also where the walk ended, in bytes.
fn walk_group(
    chip: &Chip,
    engine: Engine,
    stream: &[u8],
    start: usize,
    is_group: bool,
) -> (Stream, usize) {
    let table = chip.ops(engine);
    let mut commands: Vec<StreamCommand> = Vec::new();
    let mut end = StreamEnd::Sound;
    let mut at = start;
    let mut chain_end_is_last = false;
    while let Some(rest) = stream.get(at..).filter(|r| !r.is_empty()) {
        let (length, last, may_lack_record, code) = match table.decode(rest) {
            Ok(command) => {
                let length = command.register.bytes();
                let after = rest.get(length..).unwrap_or(&[]);
                chain_end_is_last = is_chain_end(chip, engine, &command);
                let last = ends_stream(chip, engine, &command, after)
                    || is_group && ends_group(chip, engine, &command, at + length, after);
                (length, last, may_lack_record(chip, engine, &command), Ok(command.code))
            }
            Err(error) => match error.bits() {
                Some(bits) if bits as usize / 8 <= rest.len() => {
                    chain_end_is_last = false;
                    (bits as usize / 8, false, false, Err(error))
                }
                _ => {
                    commands.push(StreamCommand {
                        offset: at,
                        code: Err(error.clone()),
                        may_lack_record: false,
                    });
                    end = StreamEnd::Lost { offset: at, bytes: rest.len(), error };
                    chain_end_is_last = false;
                    break;
                }
            },
        };
        commands.push(StreamCommand { offset: at, code, may_lack_record });
        at += length;
        if last {
            break;
        }
    }
    if chain_end_is_last && chip.family == Family::Bm1688 {
        commands.pop();
    }
    (Stream { commands, end }, at)
}

fn is_system(chip: &Chip, engine: Engine, command: &Command<'_>) -> bool {
    let slot = if engine == Engine::Tiu { Slot::Task } else { Slot::DmaType };
    u8::try_from(command.get(slot)).is_ok_and(|task| chip.is_system(engine, task))
}

fn is_chain_end(chip: &Chip, engine: Engine, command: &Command<'_>) -> bool {
    engine != Engine::Tiu && is_system(chip, engine, command) && command.get(Slot::DmaFunction) == 0
}

/// SYS with sub-type 31, or sDMA_sys with function 0.
fn is_end(chip: &Chip, engine: Engine, command: &Command<'_>) -> bool {
    match engine {
        Engine::Tiu => is_system(chip, engine, command) && command.variant == 31,
        _ => is_chain_end(chip, engine, command),
    }
}

fn may_lack_record(chip: &Chip, engine: Engine, command: &Command<'_>) -> bool {
    let is_silent_dma = chip.family == Family::Bm1688 && engine != Engine::Tiu;
    is_end(chip, engine, command) || is_silent_dma && is_system(chip, engine, command)
}

/// The end command of a group: SYS with sub-type 31, or sDMA_sys with function 0, and zeros from
/// its end to the next multiple of 128 bytes.
fn ends_group(
    chip: &Chip,
    engine: Engine,
    command: &Command<'_>,
    end: usize,
    after: &[u8],
) -> bool {
    let padding = end.next_multiple_of(GROUP_BYTES) - end;
    is_end(chip, engine, command) && after.iter().take(padding).all(|&b| b == 0)
}

fn ends_stream(chip: &Chip, engine: Engine, command: &Command<'_>, after: &[u8]) -> bool {
    if !is_system(chip, engine, command) {
        return false;
    }
    let own_end = match (chip.family, engine) {
        (Family::Aks, Engine::Cdma) | (Family::Cv84x6, Engine::Gdma | Engine::Sdma) => {
            is_chain_end(chip, engine, command)
        }
        (Family::Bm1688 | Family::Cv184x | Family::Cv84x6, Engine::Tiu) => {
            command.variant == 31 && command.get(Slot::Rsvd1) == 1
        }
        _ => false,
    };
    own_end || (after.len() * 8 <= PADDING_BITS && after.iter().all(|&b| b == 0))
}
