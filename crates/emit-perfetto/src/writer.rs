//! The file: packets as they come, and sources that take turns.

use std::io::Write as _;

use bigtpu_emit::{EmitError, OutDir, OutFile, Task, Written};
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
    pub(crate) fn create(out: &OutDir, name: &str, compress: bool) -> Result<Self, EmitError> {
        Ok(Self { file: out.file(name)?, compress })
    }

    /// Appends packets.
    pub(crate) fn packets(&mut self, mut packets: Vec<u8>) -> Result<(), EmitError> {
        if self.compress {
            deflate(&mut packets);
        }
        self.file.append(&packets)
    }

    /// Appends all that the sources have: they fill pieces side by side, which are written in their order, while the
    /// sources fill the next ones.
    pub(crate) fn sources(
        &mut self,
        sources: Vec<Box<dyn Source + '_>>,
        task: &dyn Task,
    ) -> Result<(), EmitError> {
        let compress = self.compress;
        let mut sources: Vec<(Box<dyn Source + '_>, Piece)> =
            sources.into_iter().map(|source| (source, Piece::default())).collect();
        let mut ready: Vec<Piece> = Vec::new();
        let mut used: Vec<Piece> = Vec::new();
        while !sources.is_empty() || !ready.is_empty() {
            let (written, ()) = rayon::join(
                || self.pieces(&ready, task),
                || {
                    sources.par_iter_mut().for_each(|(source, piece)| {
                        piece.packets.clear();
                        piece.events = source.fill(&mut piece.packets);
                        if compress {
                            deflate(&mut piece.packets);
                        }
                    });
                },
            );
            written?;
            sources.retain(|(_, piece)| piece.events > 0);
            used.append(&mut ready);
            let exchange = |piece| std::mem::replace(piece, used.pop().unwrap_or_default());
            ready.extend(sources.iter_mut().map(|(_, piece)| piece).map(exchange));
        }
        Ok(())
    }

    fn pieces(&mut self, pieces: &[Piece], task: &dyn Task) -> Result<(), EmitError> {
        for piece in pieces {
            self.file.append(&piece.packets)?;
            task.advance(piece.events as u64);
        }
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn commit(self) -> Result<Written, EmitError> {
        self.file.commit()
    }
}

/// What a source fills at a time.
#[derive(Default)]
struct Piece {
    packets: Vec<u8>,
    /// 0: the source has no more.
    events: usize,
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
