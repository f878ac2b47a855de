//! The only file of a zip archive, read as a stream.
//!
//! ```text
//! PK\3\4 | version u16 | flags u16 | method u16 | time u32 | crc u32 | packed u32 | size u32 | name u16 | extra u16 | name | extra | data
//! ```
//!
//! Behind the data may stand their sizes once more (`PK\7\8`), then the list of files (`PK\1\2`): another `PK\3\4` there is a second
//! file. Which of several files is the trace is not for a program to choose.

use bigtpu_messages::{Message, error_message};
use std::io::ErrorKind::{UnexpectedEof, Unsupported};
use std::io::{self, BufRead, Read};

use flate2::bufread::DeflateDecoder;

/// The first bytes of a zip archive.
pub(crate) const ZIP: [u8; 4] = *b"PK\x03\x04";
/// Sizes behind data whose sizes are not in front of them.
const SIZES: [u8; 4] = *b"PK\x07\x08";
/// Bytes of the header of a file before its name.
const HEADER: usize = 30;
/// A bit of the flags: the data are encrypted.
const IS_ENCRYPTED: u16 = 1;
/// A bit of the flags: their sizes stand behind the data.
const HAS_SIZES_BEHIND: u16 = 8;
/// Methods of compression: none, deflate.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// A size that stands elsewhere: of more than 4 GiB.
const IS_LARGE: u32 = u32::MAX;

/// The content of the file.
pub(crate) struct ZipMember<R> {
    data: Data<R>,
    is_over: bool,
}

enum Data<R> {
    Stored(io::Take<R>),
    Deflated(DeflateDecoder<R>),
}

impl<R: BufRead> ZipMember<R> {
    /// Passes the header of the first file.
    pub(crate) fn new(mut reader: R) -> io::Result<Self> {
        let mut header = [0; HEADER];
        reader.read_exact(&mut header)?;
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (flags, method) = (short(6), short(8));
        let packed = u32::from_le_bytes([header[18], header[19], header[20], header[21]]);
        let skipped = u64::from(short(26)) + u64::from(short(28));
        io::copy(&mut reader.by_ref().take(skipped), &mut io::sink())?;
        let data = match method {
            _ if flags & IS_ENCRYPTED != 0 => {
                return Err(refused(error_message!("problem-zip-encrypted")));
            }
            DEFLATED => Data::Deflated(DeflateDecoder::new(reader)),
            STORED if flags & HAS_SIZES_BEHIND == 0 && packed != IS_LARGE => {
                Data::Stored(reader.take(packed.into()))
            }
            _ => return Err(refused(error_message!("problem-zip-packed"))),
        };
        Ok(Self { data, is_over: false })
    }

    /// What the archive is read from.
    pub(crate) fn reader(&self) -> &R {
        match &self.data {
            Data::Stored(reader) => reader.get_ref(),
            Data::Deflated(decoder) => decoder.get_ref(),
        }
    }

    /// Looks for another file behind this one.
    fn end(&mut self) -> io::Result<()> {
        let reader = match &mut self.data {
            Data::Stored(reader) if reader.limit() > 0 => return Err(UnexpectedEof.into()),
            Data::Stored(reader) => reader.get_mut(),
            Data::Deflated(decoder) => decoder.get_mut(),
        };
        let mut next = [0; 4];
        reader.read_exact(&mut next)?;
        if next == SIZES {
            // A checksum and two sizes of 4 bytes each, or of 8; a signature follows.
            let mut rest = [0; 24];
            let (short, more) = rest.split_at_mut(16);
            reader.read_exact(short)?;
            next.copy_from_slice(&short[12..]);
            if !next.starts_with(b"PK") {
                reader.read_exact(more)?;
                next.copy_from_slice(&more[4..]);
            }
        }
        if next == ZIP { Err(refused(error_message!("problem-zip-several"))) } else { Ok(()) }
    }
}

impl<R: BufRead> Read for ZipMember<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let read = match &mut self.data {
            Data::Stored(reader) => reader.read(buf)?,
            Data::Deflated(decoder) => decoder.read(buf)?,
        };
        if read == 0 && !buf.is_empty() {
            self.is_over = true;
            self.end()?;
        }
        Ok(read)
    }
}

/// What is well and can't be read here all the same.
fn refused(why: Message) -> io::Error {
    io::Error::new(Unsupported, why)
}
