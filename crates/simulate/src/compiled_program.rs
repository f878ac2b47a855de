//! The program of compiled commands: of a `.bmodel`, or of the CModel's command files.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use crate::compiled::{CommandFile, Error as ReadError, PlacedCommand, Subnet, stream};
use bigtpu_chip::{Chip, Engine, Slot};
use bigtpu_messages::{Message, message};
use bigtpu_timeline::{Clocks, Note, Severity};

use crate::program::Program;

/// A command file among those of its core.
#[derive(Debug, Clone)]
pub struct CoreFile {
    /// What it holds.
    pub name: CommandFile,
    /// Where its bytes are in the core's buffer.
    pub range: Range<usize>,
}

/// The program of a model's subnets, one after another. `file`: the `.bmodel`.
///
/// # Errors
/// Where bytes are no commands of the chip.
pub fn program_of_subnets<'d>(
    chip: &'static Chip,
    clocks: Clocks,
    file: &'d [u8],
    subnets: &[Subnet],
    path: &Path,
) -> Result<Program<'d>, ReadError> {
    let cores = subnets.iter().map(|subnet| subnet.cores.len()).max().unwrap_or(0);
    let mut program = Program::of_model(chip, clocks, cores.min(MOST_CORES));
    let mut first_group = 0;
    for subnet in subnets {
        let mut next = first_group;
        for (core, groups) in (0u32..).zip(&subnet.cores) {
            let mut own = first_group;
            for group in groups {
                let mut longest = 1;
                for (engine, range) in &group.streams {
                    let found: Vec<Vec<PlacedCommand>> =
                        stream(chip, *engine, file, range.clone())?;
                    longest = longest.max(found.len() as u32);
                    program.push((core, *engine), file, found, own, 0);
                }
                own += longest;
            }
            next = next.max(own);
        }
        first_group = next;
    }
    let left_out = subnets.iter().filter(|subnet| subnet.is_left_out).count();
    if left_out > 0 {
        let message =
            message!("note-subnets-left-out", left_out = left_out, subnets = subnets.len());
        program.notes.push(Note::about_file(Severity::Note, path, message));
    }
    program.note_groups(first_group, path);
    Ok(program)
}

/// More cores than any chip has.
const MOST_CORES: usize = 4096;

/// The program of command files. `buffers`: the bytes of each core's files, by core.
///
/// # Errors
/// Where bytes are no commands of the chip: the file's name with it.
pub fn program_of_files<'d>(
    chip: &'static Chip,
    clocks: Clocks,
    buffers: &'d [Vec<u8>],
    files: &[CoreFile],
    path: &Path,
) -> Result<Program<'d>, (CommandFile, ReadError)> {
    let mut program = Program::of_model(chip, clocks, buffers.len());
    let runs: BTreeSet<Option<(u32, u32)>> = files.iter().map(|file| file.name.group).collect();
    let mut first_group = 0;
    for run in &runs {
        let mut longest = 1;
        // By core, whether the last of a file's bytes are a command that ends no stream: no engine could read it.
        let mut words: BTreeMap<u32, bool> = BTreeMap::new();
        for file in files.iter().filter(|file| file.name.group == *run) {
            let CommandFile { core, engine, .. } = file.name;
            let Some(buffer) = buffers.get(core as usize) else { continue };
            let found = stream(chip, engine, buffer, file.range.clone()).map_err(|mut error| {
                // Offsets count in the file, not in the buffer.
                if let ReadError::Commands { offset, .. } = &mut error {
                    *offset = offset.saturating_sub(file.range.start as u64);
                }
                (file.name.clone(), error)
            })?;
            longest = longest.max(found.len() as u32);
            let is_open = is_open(chip, engine, buffer, file.range.end, &found);
            words.entry(core).and_modify(|all| *all &= is_open).or_insert(is_open);
            program.push((core, engine), buffer, found, first_group, 0);
        }
        for (core, _) in words.into_iter().filter(|(_, are_words)| *are_words) {
            program.issue_words(core, first_group..first_group + longest);
        }
        first_group += longest;
    }
    if runs.contains(&None) {
        let message = Message::new("note-last-group");
        program.notes.push(Note::about_file(Severity::Warning, path, message));
    }
    program.note_groups(first_group, path);
    Ok(program)
}

/// Whether a file ends right after a command that is no system command. An engine reads a stream to its end command, and streams are padded:
/// commands without an end are issued one by one.
fn is_open(
    chip: &Chip,
    engine: Engine,
    buffer: &[u8],
    end: usize,
    groups: &[Vec<PlacedCommand>],
) -> bool {
    let Some((offset, code)) = groups.last().and_then(|group| group.last()) else { return true };
    let offset = usize::try_from(*offset).unwrap_or(usize::MAX);
    let bits = buffer.get(offset..end);
    let command = bits.zip(*code).and_then(|(bits, code)| chip.ops(engine).command(code, bits));
    command.is_some_and(|command| {
        let slot = if engine == Engine::Tiu { Slot::Task } else { Slot::DmaType };
        let task = u8::try_from(command.get(slot));
        let is_system = task.is_ok_and(|task| chip.is_system(engine, task));
        !is_system && offset + command.register.bytes() == end
    })
}

impl Program<'_> {
    /// Says that the pause between command groups is not known, if there are several.
    pub(crate) fn note_groups(&mut self, groups: u32, path: &Path) {
        if groups > 1 {
            let message = message!("note-groups", groups = u64::from(groups));
            self.notes.push(Note::about_file(Severity::Note, path, message));
        }
    }
}
