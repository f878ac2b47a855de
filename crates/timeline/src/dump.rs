//! An opened dump: its files mapped or read, its chip found.

use bigtpu_messages::error_message;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bigtpu_chip::{Chip, Engine, NoSuchChip};
use bigtpu_format::{Block, DumpDir, FileBytes, FileKind, Files, Global};
use bigtpu_messages::{Arg, Message, message};

use crate::container::{ContainerPart, Origin, open_container};
use crate::ledger::{EngineId, Extent, Note, Notes, Severity};
use crate::source::{CORE_ENGINES, sound_blocks};

/// Why a dump can't be analyzed at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or a file of it.
    #[error(transparent)]
    Format(#[from] bigtpu_format::Error),
    /// `arch` names no chip that is supported.
    #[error("{}", error_message!("error-in-file-advice", path = path.display(), source, advice = source.advice()))]
    Chip {
        /// `global.profile`.
        path: PathBuf,
        /// What was asked for.
        source: NoSuchChip,
    },
}

/// The profile file of a core or port, or a core's part of libsophon's container.
#[derive(Debug)]
pub struct SourceFile {
    /// Core number or CDMA port.
    pub index: u32,
    /// Where it is.
    pub path: PathBuf,
    bytes: Arc<FileBytes>,
    part: Option<ContainerPart>,
}

impl SourceFile {
    pub(crate) fn whole(index: u32, path: PathBuf, bytes: FileBytes) -> Self {
        Self { index, path, bytes: Arc::new(bytes), part: None }
    }

    pub(crate) fn part(
        index: u32,
        path: PathBuf,
        bytes: Arc<FileBytes>,
        part: ContainerPart,
    ) -> Self {
        Self { index, path, bytes, part: Some(part) }
    }

    /// The file's bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.bytes()
    }

    /// The bytes that commands' full bits are in.
    pub(crate) fn command_bytes(&self) -> &[u8] {
        self.part.as_ref().map_or(self.bytes(), ContainerPart::command_bytes)
    }

    /// The blocks of the core or port, with notes of those that are unknown or cut.
    pub(crate) fn blocks(&self, notes: &mut Notes) -> Vec<Block<'_>> {
        match &self.part {
            Some(part) => part.blocks(self.bytes()),
            None => sound_blocks(self.bytes(), notes),
        }
    }

    /// Where a block's bytes come from, if not from the file itself.
    pub(crate) fn origin(&self, block: &Block<'_>) -> Option<&Origin> {
        self.part.as_ref()?.origin(block)
    }

    /// The most command groups that the model has, where the dump says.
    pub(crate) fn group_count(&self) -> Option<usize> {
        Some(self.part.as_ref()?.groups.as_ref()?.len())
    }

    /// The file of an engine's commands, and how many commands it had, where the dump says.
    pub(crate) fn command_count(&self, engine: Engine) -> Option<(&Path, u64)> {
        self.part.as_ref()?.command_count(engine)
    }
}

/// How a dump is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The chip of a dump that names none: one that names another is right, with a warning.
    pub arch: Option<&'static Chip>,
    /// Which iteration of libsophon's container; else the first that has records.
    pub iteration: Option<u32>,
    /// Where the files are.
    pub files: Files,
}

/// An opened dump directory.
#[derive(Debug)]
pub struct Dump {
    /// The directory.
    pub root: PathBuf,
    /// What the runtime says of the dump.
    pub global: Global,
    /// The chip.
    pub chip: &'static Chip,
    /// The cores' files, by core.
    pub cores: Vec<SourceFile>,
    /// The CDMA ports' files, by port.
    pub ports: Vec<SourceFile>,
    /// Which iteration of libsophon's container it is.
    pub iteration: Option<u32>,
    /// Whether the file of a core or port could not be read; becomes part of the ledger, too.
    pub(crate) has_unread: bool,
    /// What is wrong with the directory; becomes part of the ledger.
    pub(crate) notes: Vec<Note>,
}

impl Dump {
    /// Opens a dump directory and maps its files.
    ///
    /// A file that can't be read is a note, not an error, as long as another one can.
    ///
    /// # Errors
    /// When the directory is no dump, its chip is not known, or none of its files can be read.
    pub fn open(root: &Path) -> Result<Self, OpenError> {
        Self::open_as(root, OpenOptions::default())
    }

    /// Opens a dump directory and maps its files, as the options say.
    ///
    /// # Errors
    /// As [`Dump::open`]; also when there is no such iteration, or none with records.
    pub fn open_as(root: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        let OpenOptions { arch, iteration, ref files } = options;
        let dir = DumpDir::open(root, files)?;
        let mut global = Global::read(&dir.global, files)?;
        let chip = match arch {
            Some(chip) if global.arch.is_empty() => chip,
            _ if global.arch.is_empty() => {
                return Err(bigtpu_format::Error::NoArch { path: dir.global }.into());
            }
            _ => Chip::find(&global.arch)
                .map_err(|source| OpenError::Chip { path: dir.global.clone(), source })?,
        };
        if let Some(other) = arch.filter(|other| other.name != chip.name) {
            let (given, named) = (&other.name, &chip.name);
            global.warnings.push(message!("note-other-chip", named = *named, given = *given));
        }
        if let Some(cores) = global.core_num.filter(|&cores| cores > chip.core_num) {
            let (name, most) = (&chip.name, chip.core_num);
            let (given, cores) = (Arg::Number(cores.into()), u64::from(most));
            let message = message!("note-core-num", given = given, chip = *name, cores = cores);
            global.warnings.push(message);
            global.core_num = Some(most);
        }
        if !dir.iterations.is_empty() {
            return open_container(dir, global, chip, &options);
        }
        if iteration.is_some() {
            return Err(bigtpu_format::Error::NotIterated { path: root.to_owned() }.into());
        }
        let mut notes: Vec<Note> = Vec::new();
        let mut note = |severity, file: &Path, message: Message| {
            let mut note = Note::about_file(severity, file, message);
            if severity == Severity::Loss {
                note.extent = whole_file(file, files);
            }
            notes.push(note);
        };
        for message in &global.warnings {
            note(Severity::Warning, &dir.global, message.clone());
        }
        for (path, why) in &dir.ignored {
            note(Severity::Loss, path, message!("note-left-out", why = why.clone()));
        }
        let mut first_error = None;
        let mut open = |listed: Vec<bigtpu_format::ProfileFile>, most: u32, too_many: Message| {
            let mut opened = Vec::new();
            for file in listed {
                if file.index >= most {
                    note(Severity::Loss, &file.path, too_many.clone());
                    continue;
                }
                match files.bytes(&file.path) {
                    Ok(bytes) => {
                        // A static model leaves the files of idle cores empty. What must not be empty is a loss,
                        // see `evidence`.
                        if bytes.bytes().is_empty() && !global.is_static {
                            note(Severity::Warning, &file.path, Message::new("note-empty-file"));
                        }
                        opened.push(SourceFile::whole(file.index, file.path, bytes));
                    }
                    Err(error) => {
                        let why = unreadable(&error);
                        note(Severity::Loss, &file.path, message!("note-left-out", why = why));
                        first_error.get_or_insert(error);
                    }
                }
            }
            opened
        };
        let [cores, ports] = [chip.core_num, chip.cdma_ports].map(u64::from);
        let too_many = message!("note-too-many-cores", chip = chip.name, most = cores);
        let cores = open(dir.cores, chip.core_num, too_many);
        let too_many = message!("note-too-many-ports", chip = chip.name, most = ports);
        let ports = open(dir.ports, chip.cdma_ports, too_many);
        let has_unread = first_error.is_some();
        if let Some(error) = first_error.filter(|_| cores.is_empty() && ports.is_empty()) {
            return Err(error.into());
        }
        let root = root.to_owned();
        Ok(Self { root, global, chip, cores, ports, iteration: None, has_unread, notes })
    }

    /// The engines of all cores and ports that have a file.
    pub(crate) fn places(&self) -> impl Iterator<Item = EngineId> {
        let of_core = |index| CORE_ENGINES.map(|engine| EngineId { index, engine });
        let cores = self.cores.iter().flat_map(move |file| of_core(file.index));
        let ports = self.ports.iter().map(|f| EngineId { index: f.index, engine: Engine::Cdma });
        cores.chain(ports)
    }
}

/// Why a file of a dump can't be read.
fn unreadable(error: &bigtpu_format::Error) -> Message {
    match error {
        bigtpu_format::Error::Io { path, source } => {
            let (path, source) = (path.display().to_string(), source.to_string());
            message!("note-unreadable", path = path, error = source)
        }
        other => Message::verbatim(other.to_string()),
    }
}

/// All of a file; `None` for what is no file or can't be looked at.
fn whole_file(file: &Path, files: &Files) -> Option<Extent> {
    match files.kind(file) {
        Ok(FileKind::File(bytes)) => Some(Extent { bytes, of: bytes }),
        _ => None,
    }
}
