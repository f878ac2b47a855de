//! The text of a trace, decompressed if need be.

use std::io::{self, BufReader, Chain, Cursor, Read};

use bigtpu_messages::error_message;
use flate2::bufread::MultiGzDecoder;

use crate::zip_member::{ZIP, ZipMember};

/// The first bytes of gzip data.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// `reader` again, after a look at its first bytes.
type Again<R> = Chain<Cursor<Vec<u8>>, R>;

/// Plain or decompressed text.
pub(crate) enum Source<R: Read> {
    Plain(Again<R>),
    Gzip(Box<Unpacked<MultiGzDecoder<Packed<R>>>>),
    Zip(Box<Unpacked<ZipMember<Packed<R>>>>),
}

/// Compressed data, counted.
type Packed<R> = BufReader<Counted<Again<R>>>;

/// Text that is being decompressed, up to [`MOST_FOLD`].
pub(crate) struct Unpacked<D> {
    decoder: D,
    /// Bytes of text so far.
    text: u64,
}

/// A decoder that knows what it reads from.
trait Decoder: Read {
    /// Bytes of compressed data so far.
    fn packed_bytes(&self) -> u64;
}

impl<R: Read> Decoder for MultiGzDecoder<Packed<R>> {
    fn packed_bytes(&self) -> u64 {
        self.get_ref().get_ref().bytes
    }
}

impl<R: Read> Decoder for ZipMember<Packed<R>> {
    fn packed_bytes(&self) -> u64 {
        self.reader().get_ref().bytes
    }
}

/// Text of more than [`FREE_BYTES`] bytes may be so many times as long as the compressed data, and no longer: that of a torch trace
/// in the fixtures is 13 times as long; data that are made to fill the memory unfold a thousand times.
pub const MOST_FOLD: u64 = 100;

/// Text of so many bytes may be compressed to any size.
pub const FREE_BYTES: u64 = 16 << 20;

/// Counts what is read.
pub(crate) struct Counted<R> {
    reader: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buf)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<D: Decoder> Read for Unpacked<D> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.text > FREE_BYTES && self.text / MOST_FOLD > self.decoder.packed_bytes() {
            let text = error_message!("problem-compression", most = MOST_FOLD);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let read = self.decoder.read(buf)?;
        self.text += read as u64;
        Ok(read)
    }
}

impl<R: Read> Source<R> {
    /// Looks at the first bytes of `reader` to see whether it is gzipped or a zip archive.
    pub(crate) fn new(mut reader: R, chunk: usize) -> io::Result<Self> {
        let mut start = Vec::new();
        reader.by_ref().take(ZIP.len() as u64).read_to_end(&mut start)?;
        let (is_gzip, is_zip) = (start.starts_with(&GZIP), start == ZIP);
        let again = Cursor::new(start).chain(reader);
        if !is_gzip && !is_zip {
            return Ok(Self::Plain(again));
        }
        let packed = BufReader::with_capacity(chunk, Counted { reader: again, bytes: 0 });
        Ok(if is_gzip {
            Self::Gzip(Box::new(Unpacked { decoder: MultiGzDecoder::new(packed), text: 0 }))
        } else {
            Self::Zip(Box::new(Unpacked { decoder: ZipMember::new(packed)?, text: 0 }))
        })
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(buf),
            Self::Gzip(reader) => reader.read(buf),
            Self::Zip(reader) => reader.read(buf),
        }
    }
}
