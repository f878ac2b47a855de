//! The file: packets as they come, and sources that take turns.

use std::io::Write as _;

use bigtpu_emit::ProgressTask;
use bigtpu_output::{ByLibrary, OutDir, OutFile, OutputError, Written};
use bigtpu_perfetto_protos::field;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::source::Source;
use crate::turns::{self, Filled};
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

    /// Appends all that the sources have, a piece of each in turn, see [`turns::write`].
    pub(crate) fn sources(
        &mut self,
        sources: Vec<Box<dyn Source + '_>>,
        task: &dyn ProgressTask,
    ) -> Result<(), OutputError> {
        let compress = self.compress;
        let parts = self.file.parts()?;
        let written = turns::write(
            sources,
            |source, packets| {
                let events = source.fill(packets);
                if compress {
                    packets.change(deflate);
                }
                Filled {
                    is_last: events == 0,
                    commands: if source.is_of_commands() { events } else { 0 },
                }
            },
            |packets, at, commands| {
                parts.write(&ByLibrary(packets), at)?;
                task.advance(commands as u64);
                Ok(())
            },
        )?;
        parts.end(written)
    }

    /// Ends the file.
    pub(crate) fn commit(self) -> Result<Written, OutputError> {
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
