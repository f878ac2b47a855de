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

    /// Appends all that the sources have: they fill pieces side by side, which are written in their order.
    pub(crate) fn sources(
        &mut self,
        sources: Vec<Box<dyn Source + '_>>,
        task: &dyn Task,
    ) -> Result<(), EmitError> {
        let compress = self.compress;
        let mut pieces: Vec<(Box<dyn Source + '_>, Vec<u8>, usize)> =
            sources.into_iter().map(|s| (s, Vec::new(), 0)).collect();
        while !pieces.is_empty() {
            pieces.par_iter_mut().for_each(|(source, out, events)| {
                *events = source.fill(out);
                if compress {
                    deflate(out);
                }
            });
            for (_, out, events) in &mut pieces {
                self.file.append(out)?;
                out.clear();
                task.advance(*events as u64);
            }
            pieces.retain(|(_, _, events)| *events > 0);
        }
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn commit(self) -> Result<Written, EmitError> {
        self.file.commit()
    }
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
