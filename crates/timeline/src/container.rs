//! libsophon's container opened (section 1.2): an iteration's file split into cores, their commands read next to it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{
    Block, BlockKind, CommandPlace, CoreCommands, DumpDir, Error, FileBytes, Files, Global,
    Iteration, MOST_MODEL, ProfileFile, blocks, command_file_names, find_dumps_near,
};
use bigtpu_messages::{Arg, ForeignReason as _, Message, error_message, message};

use crate::dump::{Dump, OpenError, OpenOptions, SourceFile};
use crate::ledger::{Note, Notes, Severity};
use crate::source::sound_blocks;

/// A file that bytes come from.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) path: PathBuf,
    /// Where its first byte is among the core's command bytes.
    pub(crate) base: u64,
    /// Bytes of the file.
    pub(crate) size: u64,
}

/// A core's part of a container.
#[derive(Debug, Default)]
pub(crate) struct ContainerPart {
    /// Its monitors: where their contents are in the iteration's file.
    monitors: Vec<(BlockKind, Range<usize>)>,
    /// The files of its commands, one behind another.
    commands: Vec<u8>,
    /// The streams in them.
    streams: Vec<(BlockKind, Range<usize>, Origin)>,
    /// Commands of each group of the model, GDMA and TIU, where the dump says.
    pub(crate) groups: Option<Vec<(u32, u32)>>,
}

impl ContainerPart {
    pub(crate) fn command_bytes(&self) -> &[u8] {
        &self.commands
    }

    pub(crate) fn blocks<'d>(&'d self, file: &'d [u8]) -> Vec<Block<'d>> {
        let block = |kind, range: &Range<usize>, bytes: &'d [u8]| Block {
            kind,
            offset: range.start as u64,
            content: bytes.get(range.clone()).unwrap_or(&[]),
        };
        let monitors = self.monitors.iter().map(|(kind, range)| block(*kind, range, file));
        let streams =
            self.streams.iter().map(|(kind, range, _)| block(*kind, range, &self.commands));
        monitors.chain(streams).collect()
    }

    pub(crate) fn origin(&self, block: &Block<'_>) -> Option<&Origin> {
        self.streams.iter().find(|(kind, ..)| *kind == block.kind).map(|(.., origin)| origin)
    }

    /// The file of an engine's commands, and how many commands it had.
    pub(crate) fn command_count(&self, engine: Engine) -> Option<(&Path, u64)> {
        let kind = match engine {
            Engine::Tiu => BlockKind::DesTiu,
            Engine::Gdma => BlockKind::DesGdma,
            Engine::Sdma | Engine::Cdma => return None,
        };
        let (.., origin) = self.streams.iter().find(|(of, ..)| *of == kind)?;
        let count =
            |&(gdma, tiu): &(u32, u32)| u64::from(if engine == Engine::Tiu { tiu } else { gdma });
        Some((&origin.path, self.groups.as_ref()?.iter().map(count).sum()))
    }

    /// Reads an engine's commands.
    fn read_commands(
        &mut self,
        (root, files): (&Path, &Files),
        core: u32,
        (engine, kind): (u8, BlockKind),
        place: CommandPlace,
    ) -> Result<(), Message> {
        let names = command_file_names(place.address, core, engine);
        let found = names.iter().map(|name| root.join(name)).find(|path| files.is_file(path));
        let Some(path) = found else {
            return Err(message!("note-commands-missing", file = &names[0]));
        };
        let bytes = files.read_found(&path, MOST_MODEL).map_err(|error| {
            let (file, error) = (path.display().to_string(), error.reason());
            message!("note-commands-unreadable", file = file, error = error)
        })?;
        let start = usize::try_from(place.offset).ok().filter(|&start| start <= bytes.len());
        let Some(start) = start else {
            let offset = Arg::Bytes(place.offset);
            return Err(message!("note-commands-short", file = &names[0], offset = offset));
        };
        let base = self.commands.len();
        let size = bytes.len();
        self.commands.extend(bytes);
        let origin = Origin { path, base: base as u64, size: size as u64 };
        self.streams.push((kind, base + start..base + size, origin));
        Ok(())
    }
}

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
