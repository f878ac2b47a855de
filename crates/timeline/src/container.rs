//! libsophon's container opened (section 1.2): an iteration's file split into cores, their commands read next to it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use bigtpu_chip::Chip;
use bigtpu_format::{
    Block, BlockKind, CoreCommands, DumpDir, Error, FileBytes, Files, Global, Iteration,
    ProfileFile, blocks, find_dumps_near,
};
use bigtpu_messages::{Message, error_message, message};

use crate::container_part::ContainerPart;
use crate::dump::Dump;
use crate::ledger::Notes;
use crate::note::{Note, Severity};
use crate::open_options::{OpenError, OpenOptions};
use crate::sound_blocks::sound_blocks;
use crate::source_file::SourceFile;

/// The iterations of a container that hold PMU records; none for any other dump.
#[must_use]
pub fn iterations(root: &Path, files: &Files) -> Vec<u32> {
    let found = DumpDir::open(root, files).map(|dir| dir.iterations).unwrap_or_default();
    found.iter().filter(|file| has_records(file, files)).map(|file| file.index).collect()
}

/// Whether a directory holds a container's summaries, and no PMU records.
#[must_use]
pub fn is_summary_only(root: &Path, files: &Files) -> bool {
    let found = DumpDir::open(root, files).map(|dir| dir.iterations).unwrap_or_default();
    !found.is_empty() && !found.iter().any(|file| has_records(file, files))
}

fn has_records(file: &ProfileFile, files: &Files) -> bool {
    let bytes = files.bytes(&file.path);
    bytes.is_ok_and(|bytes| Iteration::sort(&blocks(bytes.bytes()).blocks).has_records())
}

/// Opens an iteration of a container, the first with records where none is asked for.
pub(crate) fn open_container(
    dir: DumpDir,
    mut global: Global,
    chip: &'static Chip,
    options: &OpenOptions,
) -> Result<Dump, OpenError> {
    let files = &options.files;
    let with_records: Vec<&ProfileFile> =
        dir.iterations.iter().filter(|f| has_records(f, files)).collect();
    let wanted = options.iteration;
    let found = match wanted {
        Some(iteration) => with_records.iter().find(|file| file.index == iteration),
        None => with_records.first(),
    };
    let Some(file) = found else {
        let path = dir.root.clone();
        return Err(match wanted.filter(|_| !with_records.is_empty()) {
            Some(iteration) => {
                let known: Vec<String> = with_records.iter().map(|f| f.index.to_string()).collect();
                Error::NoIteration { path, iteration, known: known.join(", ") }
            }
            None => Error::SummaryOnly { hint: hint(&path, files), path },
        }
        .into());
    };
    let bytes = Arc::new(files.bytes(&file.path)?);
    let mut notes: Vec<Note> = global
        .warnings
        .iter()
        .map(|message| Note::about_file(Severity::Warning, &dir.global, message.clone()))
        .collect();
    let mut file_notes = Notes::new(&file.path, bytes.bytes().len());
    let iteration = Iteration::sort(&sound_blocks(bytes.bytes(), &mut file_notes));
    for &offset in &iteration.short {
        file_notes.loss(offset, 0, Message::new("note-short-block"));
    }
    notes.extend(file_notes.finish());
    global.is_static = !iteration.commands.is_empty();
    notes.extend(odd_cores(&iteration, chip, &mut global, &dir.global, &file.path));
    let mut cores = Vec::new();
    let mut opening =
        Opening { root: &dir.root, files, global: &global, file, bytes: &bytes, notes: &mut notes };
    for (place, blocks) in iteration.cores.iter().take(chip.core_num as usize).enumerate() {
        cores.push(opening.core(place, blocks, iteration.commands.get(place)));
    }
    cores.sort_by_key(|core: &SourceFile| core.index);
    let iteration = Some(file.index);
    Ok(Dump {
        root: dir.root,
        global,
        chip,
        cores,
        ports: Vec::new(),
        iteration,
        has_unread: false,
        notes,
    })
}

/// What the cores of an iteration contradict: each other's number, the commands, the chip. A list of cores that can't be
/// right is dropped.
fn odd_cores(
    iteration: &Iteration<'_>,
    chip: &Chip,
    global: &mut Global,
    global_path: &Path,
    file: &Path,
) -> Vec<Note> {
    let mut notes = Vec::new();
    let (with_records, most) = (iteration.cores.len(), chip.core_num as usize);
    let is_used = |core: &&CoreCommands| core.groups.iter().any(|group| *group != (0, 0));
    let with_commands = iteration.commands.iter().filter(is_used).count();
    if with_commands > with_records {
        let message =
            message!("note-fewer-cores", commands = with_commands, records = with_records);
        notes.push(Note::about_file(Severity::Loss, file, message));
    }
    if with_records > most {
        let message =
            message!("note-more-cores", chip = chip.name, cores = most, blocks = with_records);
        notes.push(Note::about_file(Severity::Loss, file, message));
    }
    let list = &mut global.core_list;
    let mut known = BTreeSet::new();
    if !list.iter().all(|core| *core < chip.core_num && known.insert(*core)) {
        let names: Vec<String> = list.iter().take(most + 1).map(u32::to_string).collect();
        let message = message!("note-core-list", cores = names.join(","), chip = chip.name);
        notes.push(Note::about_file(Severity::Warning, global_path, message));
        list.clear();
    }
    notes
}

/// A dump with records next to a container.
fn hint(root: &Path, files: &Files) -> Option<Message> {
    let own = files.absolute(root);
    let above = own.as_deref().and_then(Path::parent);
    let near = above.map(|above| find_dumps_near(above, files));
    let other = near
        .into_iter()
        .flatten()
        .find(|path| Some(path) != own.as_ref() && !is_summary_only(path, files));
    other.map(|path| error_message!("problem-near", dump = path.display()))
}

/// What the cores of an iteration share while it is opened.
struct Opening<'a> {
    root: &'a Path,
    files: &'a Files,
    global: &'a Global,
    file: &'a ProfileFile,
    bytes: &'a Arc<FileBytes>,
    notes: &'a mut Vec<Note>,
}

impl Opening<'_> {
    /// The core at a place among the iteration's cores.
    fn core(
        &mut self,
        place: usize,
        blocks: &[Block<'_>],
        commands: Option<&CoreCommands>,
    ) -> SourceFile {
        let index = self.global.core_list.get(place).copied().unwrap_or(place as u32);
        let mut part = ContainerPart::default();
        for block in blocks {
            let start = block.offset as usize;
            // The logs of the firmware have a layout of their own; the records are whole without them.
            if !matches!(block.kind, BlockKind::DynData | BlockKind::DynExtra) {
                part.monitors.push((block.kind, start..start + block.content.len()));
            }
        }
        if let Some(commands) = commands {
            part.groups = Some(commands.groups.clone());
            let streams =
                [((0, BlockKind::DesTiu), commands.tiu), ((1, BlockKind::DesGdma), commands.gdma)];
            for (engine, stream) in streams {
                if let Err(message) =
                    part.read_commands((self.root, self.files), index, engine, stream)
                {
                    self.notes.push(Note::about_file(Severity::Loss, &self.file.path, message));
                }
            }
        }
        SourceFile::part(index, self.file.path.clone(), Arc::clone(self.bytes), part)
    }
}
