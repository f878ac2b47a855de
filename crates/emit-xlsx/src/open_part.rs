//! A part of a workbook that is being written: an archive (zip) with one file, whose sizes stand behind it.

use std::io::{self, Write};

use flate2::Crc;
use tempfile::SpooledTempFile;

/// What readers of zip have to know: deflate; 64-bit sizes come with the last version.
const VERSION: u16 = 45;
const DEFLATED: u16 = 8;
/// The first day of the format, 1980-01-01.
const DAY: u16 = 0x21;
/// A file that its owner reads and writes, as Unix has it.
const BY_UNIX: u16 = 3 << 8;
const MODE: u32 = 0o100_600 << 16;
/// The size of a file that is told with 64 bits.
const WIDE: u32 = u32::MAX;

/// The archive so far.
pub(crate) struct OpenPart {
    file: SpooledTempFile,
    name: Vec<u8>,
    /// Bytes of the file before they were compressed, and their sum.
    pub(crate) length: u64,
    pub(crate) crc: Crc,
    packed: u64,
}

impl OpenPart {
    /// Begins an archive.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(crate) fn new(mut file: SpooledTempFile, name: &str) -> io::Result<Self> {
        let mut head = Record::new(0x0403_4b50);
        head.half(VERSION).half(0).half(DEFLATED).half(0).half(DAY);
        // The sum and the sizes are known at the end.
        head.word(0).word(0).word(0).half(name.len() as u16).half(0);
        file.write_all(&head.0)?;
        file.write_all(name.as_bytes())?;
        Ok(Self { file, name: name.into(), length: 0, crc: Crc::new(), packed: 0 })
    }

    /// Appends compressed bytes.
    ///
    /// # Errors
    /// When they can't be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.packed += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Ends the archive.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn end(mut self) -> io::Result<SpooledTempFile> {
        let Self { name, length, crc, packed, .. } = &self;
        let mut entry = Record::new(0x0201_4b50);
        entry.half(BY_UNIX | VERSION).half(VERSION).half(0).half(DEFLATED).half(0).half(DAY);
        // Both sizes with 64 bits, however large.
        entry.word(crc.sum()).word(WIDE).word(WIDE).half(name.len() as u16).half(20);
        entry.half(0).half(0).half(0).word(MODE).word(0);
        entry.0.extend_from_slice(name);
        entry.half(1).half(16).long(*length).long(*packed);
        let (size, start) = (entry.0.len() as u64, 30 + name.len() as u64 + packed);
        let mut end = Record::new(0x0606_4b50);
        end.long(44).half(BY_UNIX | VERSION).half(VERSION).word(0).word(0).long(1).long(1);
        end.long(size).long(start);
        end.word(0x0706_4b50).word(0).long(start + size).word(1);
        end.word(0x0605_4b50).half(0).half(0).half(1).half(1).word(WIDE).word(WIDE).half(0);
        self.file.write_all(&entry.0)?;
        self.file.write_all(&end.0)?;
        Ok(self.file)
    }
}

/// Numbers one after the other, lowest byte first.
struct Record(Vec<u8>);

impl Record {
    fn new(signature: u32) -> Self {
        Self(signature.to_le_bytes().into())
    }

    fn half(&mut self, number: u16) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn word(&mut self, number: u32) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn long(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }
}
