//! The commands of a static model as the dump holds them, without records.

use bigtpu_chip::{Engine, OpCode};
use bigtpu_format::BlockKind;

use crate::dump::Dump;
use crate::ledger::Notes;
use crate::note::Note;
use crate::static_model::StaticStream;
use crate::streams::group_descriptors;

/// A command of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamPlace {
    /// Where its bits start in the core's command bytes.
    pub offset: u64,
    /// Which operation it is; `None` where the bits do not decode.
    pub code: Option<OpCode>,
}

/// The command groups of one engine.
#[derive(Debug)]
pub struct ModelStream<'d> {
    /// Core.
    pub core: u32,
    /// Engine.
    pub engine: Engine,
    /// The bytes that offsets count in.
    pub file: &'d [u8],
    /// The groups, each with its commands in order. Ids count from 1 in each.
    pub groups: Vec<Vec<StreamPlace>>,
}

/// The command groups of a dump's static model, by core and engine; also what is wrong with them. None where the
/// commands were dispatched one by one.
#[must_use]
pub fn model_streams(dump: &Dump) -> (Vec<ModelStream<'_>>, Vec<Note>) {
    let (mut streams, mut all_notes) = (Vec::new(), Vec::new());
    for file in &dump.cores {
        let mut notes = Notes::new(&file.path, file.bytes().len());
        let blocks = file.blocks(&mut notes);
        for (kind, engine) in [
            (BlockKind::DesTiu, Engine::Tiu),
            (BlockKind::DesGdma, Engine::Gdma),
            (BlockKind::DesSdma, Engine::Sdma),
        ] {
            let mut stream = StaticStream { groups: Vec::new() };
            for block in blocks.iter().filter(|block| block.kind == kind) {
                let origin = file.origin(block);
                notes.set_file(origin.map(|o| (o.path.as_path(), o.base, o.size)));
                stream.groups.extend(group_descriptors(
                    dump.chip,
                    engine,
                    (block.content, block.offset),
                    &[],
                    &mut notes,
                ));
            }
            stream.groups.truncate(file.group_count().unwrap_or(usize::MAX));
            stream.drop_repetitions(file.command_bytes());
            let place =
                |d: &crate::streams::Descriptor| StreamPlace { offset: d.offset, code: d.code };
            let groups: Vec<Vec<StreamPlace>> =
                stream.groups.iter().map(|group| group.iter().map(place).collect()).collect();
            if !groups.is_empty() {
                let file_bytes = file.command_bytes();
                streams.push(ModelStream { core: file.index, engine, file: file_bytes, groups });
            }
        }
        all_notes.extend(notes.finish());
    }
    (streams, all_notes)
}
