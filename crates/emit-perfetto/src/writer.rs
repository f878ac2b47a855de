//! The file: packets as they come, and sources that take turns.

use std::io::Write as _;

use bigtpu_emit::Task;
use bigtpu_output::{ByLibrary, OutDir, OutFile, OutputError, Written};
use bigtpu_perfetto_protos::field;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;

use crate::source::Source;
use crate::wire;

/// A trace that is being written.
pub(crate) struct Writer {
    file: OutFile,
    compress: bool,
}

impl Writer {
    /// Starts the file; `compress` deflates the packets in it.
    pub(crate) fn create(out: &OutDir, name: &str, compress: bool) -> Result<Self, OutputError> {
        Ok(Self { file: out.file(name)?, compress })
    }

    /// Appends packets.
    pub(crate) fn packets(&mut self, mut packets: Vec<u8>) -> Result<(), OutputError> {
        if self.compress {
            deflate(&mut packets);
        }
        self.file.append(&ByLibrary(&packets))
    }

    /// Appends all that the sources have, a piece of each in turn. Some sources fill their pieces side by side, while
    /// the pieces of those before them are written.
    pub(crate) fn sources(
        &mut self,
        sources: Vec<Box<dyn Source + '_>>,
        task: &dyn Task,
    ) -> Result<(), OutputError> {
        let compress = self.compress;
        let at_a_time = SOURCES_OF_A_THREAD * rayon::current_num_threads();
        let mut sources: Vec<(Box<dyn Source + '_>, bool)> =
            sources.into_iter().map(|source| (source, false)).collect();
        let (mut filled, mut written): (Vec<Piece>, Vec<Piece>) = Default::default();
        while !sources.is_empty() {
            for side_by_side in sources.chunks_mut(at_a_time) {
                std::mem::swap(&mut filled, &mut written);
                filled.resize_with(side_by_side.len(), Piece::default);
                let (result, ()) = rayon::join(
                    || self.pieces(&written, task),
                    || {
                        let pairs = side_by_side.par_iter_mut().zip(&mut filled);
                        pairs.for_each(|((source, is_done), piece)| {
                            piece.packets.clear();
                            let events = source.fill(&mut piece.packets);
                            piece.commands = if source.is_of_commands() { events } else { 0 };
                            *is_done = events == 0;
                            if compress {
                                deflate(&mut piece.packets);
                            }
                        });
                    },
                );
                result?;
            }
            sources.retain(|(_, is_done)| !is_done);
        }
        self.pieces(&filled, task)
    }

    fn pieces(&mut self, pieces: &[Piece], task: &dyn Task) -> Result<(), OutputError> {
        for piece in pieces {
            self.file.append(&ByLibrary(&piece.packets))?;
            task.advance(piece.commands as u64);
        }
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn commit(self) -> Result<Written, OutputError> {
        self.file.commit()
    }
}

/// Sources that fill their pieces side by side, for each thread: more would share the work better, and take more memory.
const SOURCES_OF_A_THREAD: usize = 4;

/// What a source fills at a time.
#[derive(Default)]
struct Piece {
    packets: Vec<u8>,
    /// Commands of the dump in them, which progress counts.
    commands: usize,
}

/// Turns packets into one packet that holds them deflated.
fn deflate(packets: &mut Vec<u8>) {
    if packets.is_empty() {
        return;
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing into a vector cannot fail; if it did, the packets would stay as they are.
    if encoder.write_all(packets).is_err() {
        return;
    }
    let Ok(deflated) = encoder.finish() else { return };
    packets.clear();
    wire::message(packets, field::trace::PACKET, |out| {
        wire::bytes(out, field::trace_packet::COMPRESSED_PACKETS, &deflated);
    });
}
