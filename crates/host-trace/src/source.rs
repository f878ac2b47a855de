//! The text of a trace, decompressed if need be.

use std::io::{self, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

/// The first bytes of gzip data.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// `reader` again, after a look at its first bytes.
type Again<R> = Chain<Cursor<Vec<u8>>, R>;

/// Plain or decompressed text.
pub(crate) enum Source<R: Read> {
    Plain(Again<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Again<R>>>>),
}

impl<R: Read> Source<R> {
    /// Looks at the first bytes of `reader` to see whether it is gzipped.
    pub(crate) fn new(mut reader: R, chunk: usize) -> io::Result<Self> {
        let mut start = Vec::new();
        reader.by_ref().take(GZIP.len() as u64).read_to_end(&mut start)?;
        let gzipped = start == GZIP;
        let again = Cursor::new(start).chain(reader);
        Ok(if gzipped {
            Self::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(chunk, again))))
        } else {
            Self::Plain(again)
        })
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(buf),
            Self::Gzip(reader) => reader.read(buf),
        }
    }
}
