//! A core's part of libsophon's container: where its records are, and the files of its commands.

use std::ops::Range;
use std::path::{Path, PathBuf};

use bigtpu_chip::Engine;
use bigtpu_format::{Block, BlockKind, CommandPlace, Files, MOST_MODEL, command_file_names};
use bigtpu_messages::{Arg, ForeignReason as _, Message, message};

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
    pub(crate) monitors: Vec<(BlockKind, Range<usize>)>,
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
    pub(crate) fn read_commands(
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
