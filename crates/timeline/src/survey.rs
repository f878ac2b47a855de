//! The contents of a dump from its block headers only: blocks, records, capture mode, and whether the runtime's counts agree
//! (sections 1 and 2). Nothing is decoded, so that a dump of any size takes milliseconds.

use std::path::PathBuf;

use bigtpu_chip::Engine;
use bigtpu_format::{BlockKind, CdmaRecord, bytes_before_zero_record};
use bigtpu_messages::Message;

use crate::completeness::Completeness;
use crate::dump::Dump;
use crate::ledger::{Counts, EngineId, Notes};
use crate::note::{Note, Severity};
use crate::sound_blocks::further_monitor;
use crate::source_file::SourceFile;
use crate::totals_check::check_counts;

/// All blocks of a kind in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSum {
    /// What they hold.
    pub kind: BlockKind,
    /// How many there are.
    pub blocks: u64,
    /// Bytes of their contents.
    pub bytes: u64,
    /// Whole PMU records in them; `None` for a kind that holds none.
    pub records: Option<u64>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSurvey {
    /// Where it is.
    pub path: PathBuf,
    /// Core, or port.
    pub index: u32,
    /// Whether the file is a CDMA port's.
    pub is_port: bool,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its blocks by kind, in order of first appearance.
    pub blocks: Vec<BlockSum>,
}

/// What a dump holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// Cores in order, then ports.
    pub files: Vec<FileSurvey>,
    /// What is wrong with the directory, the files' ends and the runtime's counts.
    pub notes: Vec<Note>,
}

impl Survey {
    /// Reads the headers of all blocks.
    #[must_use]
    pub fn read(dump: &Dump) -> Self {
        let mut survey = Self { files: Vec::new(), notes: dump.notes.clone() };
        let cores = dump.cores.iter().map(|file| (file, false));
        for (file, is_port) in cores.chain(dump.ports.iter().map(|file| (file, true))) {
            let mut notes = Notes::new(&file.path, file.bytes().len());
            survey.files.push(FileSurvey::read(dump, file, is_port, &mut notes));
            survey.notes.extend(notes.finish());
        }
        let verdicts = check_counts(dump, dump.places(), |engine_id| survey.counts(engine_id));
        survey.notes.extend(verdicts.into_iter().map(|verdict| verdict.note));
        survey
    }

    /// What the heads of files and blocks show of the dump's completeness: whether records and commands fit each other is not
    /// known.
    #[must_use]
    pub fn completeness(&self) -> Completeness {
        let mut found = Completeness::default();
        found.lose(&self.notes);
        let message = Message::new("note-headers-only");
        found.doubt(vec![Note::of_dump(Severity::Note, message)]);
        found
    }

    /// Capture mode: 0 monitors only, 1 also commands, 2 also the commands' full bits. `None` for a static model,
    /// whose descriptors say all.
    #[must_use]
    pub fn mode(&self) -> Option<u8> {
        let has = |kinds: &[BlockKind]| {
            self.files.iter().flat_map(|f| &f.blocks).any(|b| kinds.contains(&b.kind))
        };
        if has(&[BlockKind::DynExtra]) {
            Some(2)
        } else if has(&[BlockKind::DynData]) {
            Some(1)
        } else if has(&[BlockKind::DesTiu, BlockKind::DesGdma, BlockKind::DesSdma]) {
            None
        } else {
            Some(0)
        }
    }

    fn counts(&self, engine_id: EngineId) -> Option<Counts> {
        let is_port = engine_id.engine == Engine::Cdma;
        let own = |f: &&FileSurvey| (f.is_port, f.index) == (is_port, engine_id.index);
        let file = self.files.iter().find(own)?;
        Some(Counts { read: file.records(engine_id.engine), ..Counts::default() })
    }
}

/// Whole records of a monitor, up to those that are all zero at its end.
fn record_count(content: &[u8], size: usize) -> u64 {
    let last = content.chunks_exact(size.max(1)).next_back();
    let has_zeros = last.is_some_and(|record| record.iter().all(|&b| b == 0));
    // Only then all of it has to be looked at.
    let valid = if has_zeros { bytes_before_zero_record(content, size) } else { content.len() };
    (valid / size.max(1)) as u64
}

impl FileSurvey {
    /// All files of a dump: those of cores, then those of ports.
    pub(crate) fn all(dump: &Dump) -> Vec<Self> {
        let of = |file: &SourceFile, is_port| {
            Self::read(dump, file, is_port, &mut Notes::new(&file.path, file.bytes().len()))
        };
        let cores = dump.cores.iter().map(|file| of(file, false));
        cores.chain(dump.ports.iter().map(|file| of(file, true))).collect()
    }

    fn read(dump: &Dump, file: &SourceFile, is_port: bool, notes: &mut Notes) -> Self {
        let mut blocks: Vec<BlockSum> = Vec::new();
        for block in file.blocks(notes) {
            let (tiu, dma) = dump.chip.record_bytes;
            let size = match block.kind {
                BlockKind::MonitorTiu => Some(tiu),
                BlockKind::MonitorGdma | BlockKind::MonitorSdma => Some(dma),
                BlockKind::MonitorCdma => Some(size_of::<CdmaRecord>()),
                _ => None,
            };
            let bytes = block.content.len();
            let records = size.map(|size| record_count(block.content, size));
            match blocks.iter_mut().find(|sum| sum.kind == block.kind) {
                Some(sum) => {
                    sum.blocks += 1;
                    sum.bytes += bytes as u64;
                    match (&mut sum.records, records) {
                        (Some(all), Some(more)) if is_port => *all += more,
                        (Some(_), Some(_)) => further_monitor(&block, notes),
                        _ => {}
                    }
                }
                None => blocks.push(BlockSum {
                    kind: block.kind,
                    blocks: 1,
                    bytes: bytes as u64,
                    records,
                }),
            }
        }
        Self {
            path: file.path.clone(),
            index: file.index,
            is_port,
            bytes: file.bytes().len() as u64,
            blocks,
        }
    }

    /// Records of an engine.
    #[must_use]
    pub fn records(&self, engine: Engine) -> u64 {
        let kind = match engine {
            Engine::Tiu => BlockKind::MonitorTiu,
            Engine::Gdma => BlockKind::MonitorGdma,
            Engine::Sdma => BlockKind::MonitorSdma,
            Engine::Cdma => BlockKind::MonitorCdma,
        };
        self.of_kind(kind).and_then(|sum| sum.records).unwrap_or(0)
    }

    /// The blocks of a kind.
    #[must_use]
    pub fn of_kind(&self, kind: BlockKind) -> Option<&BlockSum> {
        self.blocks.iter().find(|sum| sum.kind == kind)
    }
}
