//! The file of a core or port.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bigtpu_chip::Engine;
use bigtpu_format::{Block, FileBytes};

use crate::container_part::{ContainerPart, Origin};
use crate::ledger::Notes;
use crate::sound_blocks::sound_blocks;

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
