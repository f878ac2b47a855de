//! An opened dump: its files mapped or read, its chip found.

use std::path::PathBuf;

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::Global;

use crate::core_engines::CORE_ENGINES;
use crate::ledger::EngineId;
use crate::note::Note;
use crate::source_file::SourceFile;

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
    /// The engines of all cores and ports that have a file.
    pub(crate) fn places(&self) -> impl Iterator<Item = EngineId> {
        let of_core = |index| CORE_ENGINES.map(|engine| EngineId { index, engine });
        let cores = self.cores.iter().flat_map(move |file| of_core(file.index));
        let ports = self.ports.iter().map(|f| EngineId { index: f.index, engine: Engine::Cdma });
        cores.chain(ports)
    }
}
