//! How a dump is opened: its directory is read, its chip found, its files mapped.

use std::path::Path;

use bigtpu_chip::Chip;
use bigtpu_format::{DumpDir, FileKind, Files, Global};
use bigtpu_messages::{Arg, Message, message};

use crate::container::open_container;
use crate::dump::Dump;
use crate::note::{Extent, Note, Severity};
use crate::open_options::{OpenError, OpenOptions};
use crate::source_file::SourceFile;

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
