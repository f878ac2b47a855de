//! The program of compiled commands: of a `.bmodel`, or of the CModel's command files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::compiled::{CommandFile, Error as ReadError, PlacedCommand, Subnet, stream};
use bigtpu_chip::Chip;
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
        program.notes.push(Note::of(Severity::Note, path, message));
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
            program.push((core, engine), buffer, found, first_group, 0);
        }
        first_group += longest;
    }
    if runs.contains(&None) {
        let message = Message::new("note-last-group");
        program.notes.push(Note::of(Severity::Warning, path, message));
    }
    program.note_groups(first_group, path);
    Ok(program)
}

impl Program<'_> {
    /// Says that the pause between command groups is not known, if there are several.
    pub(crate) fn note_groups(&mut self, groups: u32, path: &Path) {
        if groups > 1 {
            let message = message!("note-groups", groups = u64::from(groups));
            self.notes.push(Note::of(Severity::Note, path, message));
        }
    }
}
