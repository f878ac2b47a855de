//! The file of a workbook: the archive that its library made, with the sheets of engines and the charts in their final form.
//! What stays as it is, is copied without being compressed anew.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile, spooled_tempfile_in};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::sheet::Result;

/// A sheet that takes more than so many bytes, compressed, goes through a nameless temporary file.
const MOST_IN_MEMORY: usize = 1 << 18;

/// How much is done to make a sheet of an engine small: as little as there is. Speed comes before size: a workbook is written
/// over far more often than it is read.
const COMPRESSION: i64 = 1;

/// Parts of a workbook, compressed.
pub(crate) struct PackedParts(ZipArchive<SpooledTempFile>);

/// Parts of a workbook that are being written, one after the other: they share what compresses them, which takes longer to make
/// ready than a small part to compress.
pub(crate) struct PartWriter(ZipWriter<StreamWriter<Forward<SpooledTempFile>>>);

impl PartWriter {
    /// What is large goes to a nameless file in `dir`, if there is one.
    pub(crate) fn new(dir: Option<&Path>) -> Self {
        Self(ZipWriter::new_stream(Forward::new(match dir {
            Some(dir) => spooled_tempfile_in(MOST_IN_MEMORY, dir),
            None => spooled_tempfile(usize::MAX),
        })))
    }

    /// Begins a part. `is_huge`: whether it may take more than 4 GiB before it is compressed.
    pub(crate) fn start(&mut self, name: &str, is_huge: bool) -> Result {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(COMPRESSION))
            .unix_permissions(0o600)
            .last_modified_time(DateTime::default())
            .large_file(is_huge);
        Ok(self.0.start_file(name, options)?)
    }

    /// Appends bytes to the part.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result {
        Ok(self.0.write_all(bytes)?)
    }

    /// Ends the last part.
    pub(crate) fn end(self) -> Result<PackedParts> {
        Ok(PackedParts(ZipArchive::new(self.0.finish()?.into_inner().inner)?))
    }
}

/// The archive that the workbook's library made.
pub(crate) struct Skeleton(ZipArchive<Cursor<Vec<u8>>>);

impl Skeleton {
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self> {
        Ok(Self(ZipArchive::new(Cursor::new(bytes))?))
    }

    /// The name of the part of a sheet; `number`: of the sheet in the workbook, from 0.
    pub(crate) fn sheet(number: usize) -> String {
        format!("xl/worksheets/sheet{}.xml", number + 1)
    }

    /// The text of a part.
    pub(crate) fn text(&mut self, name: &str) -> Result<String> {
        let mut text = String::new();
        self.0.by_name(name)?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// The names of its charts.
    pub(crate) fn charts(&self) -> Vec<String> {
        let names = self.0.file_names_raw().filter_map(|name| std::str::from_utf8(name).ok());
        let charts = names.filter(|name| name.starts_with("xl/charts/chart"));
        charts.map(str::to_owned).collect()
    }

    /// Writes the workbook: these parts instead of those of their names.
    pub(crate) fn write(mut self, mut parts: Vec<PackedParts>, out: impl Write) -> Result {
        let mut whole = ZipWriter::new(Forward::new(out));
        for index in 0..self.0.len() {
            let own = self.0.by_index_raw(index)?;
            let mut all = parts.iter_mut();
            match all.find_map(|PackedParts(p)| Some((p.index_for_name_raw(own.name_raw())?, p))) {
                Some((index, part)) => whole.raw_copy_file(part.by_index_raw(index)?)?,
                None => whole.raw_copy_file(own)?,
            }
        }
        whole.finish()?;
        Ok(())
    }
}

/// Writes from the first byte to the last. A library that asks where it is gets an answer, but it can't go back. After an error
/// nothing more is written, and no second error told: the library ends its archive also when it was given up.
struct Forward<W> {
    inner: W,
    at: u64,
    has_failed: bool,
}

impl<W> Forward<W> {
    fn new(inner: W) -> Self {
        Self { inner, at: 0, has_failed: false }
    }
}

impl<W: Write> Write for Forward<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.has_failed { Ok(bytes.len()) } else { self.inner.write(bytes) };
        match &written {
            Ok(n) => self.at += *n as u64,
            Err(error) => self.has_failed |= error.kind() != io::ErrorKind::Interrupted,
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed { Ok(()) } else { self.inner.flush() }
    }
}

impl<W> Seek for Forward<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(0) | SeekFrom::End(0) => Ok(self.at),
            SeekFrom::Start(at) if at == self.at => Ok(at),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive as the workbook's library makes it, with these parts.
    fn skeleton(parts: &[(&str, &str)]) -> Skeleton {
        let mut archive = ZipWriter::new_stream(Vec::new());
        for (name, text) in parts {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        Skeleton::new(archive.finish().unwrap().into_inner()).unwrap()
    }

    #[test]
    fn parts_take_the_places_of_others() {
        let own = skeleton(&[("a", "first"), ("xl/worksheets/sheet1.xml", "frame"), ("z", "last")]);
        let dir = tempfile::tempdir().unwrap();
        // As a part of more than 4 GiB has them, sizes take 64 bits.
        let text = "row".repeat(MOST_IN_MEMORY);
        let mut part = PartWriter::new(Some(dir.path()));
        part.start(&Skeleton::sheet(0), true).unwrap();
        part.put(text.as_bytes()).unwrap();
        let mut others = PartWriter::new(None);
        for (name, text) in [("none", "of the workbook"), ("z", "final")] {
            others.start(name, false).unwrap();
            others.put(text.as_bytes()).unwrap();
        }
        let mut bytes = Vec::new();
        own.write(vec![part.end().unwrap(), others.end().unwrap()], &mut bytes).unwrap();
        let mut archive = ZipArchive::new(Cursor::new(&bytes)).unwrap();
        let names: Vec<_> = archive.file_names_raw().map(<[u8]>::to_vec).collect();
        assert_eq!(names, [&b"a"[..], b"xl/worksheets/sheet1.xml", b"z"]);
        let mut read = |name: &str| {
            let mut text = String::new();
            let mut part = archive.by_name(name).unwrap();
            part.read_to_string(&mut text).unwrap();
            text
        };
        assert!(read("a") == "first" && read("z") == "final");
        assert!(read("xl/worksheets/sheet1.xml") == text);
        // Readers that go from the first byte on find all sizes in front of the parts.
        let mut rest = Cursor::new(&bytes);
        for name in ["a", "xl/worksheets/sheet1.xml", "z"] {
            let mut part = zip::read::read_zipfile_from_stream(&mut rest).unwrap().unwrap();
            assert_eq!(part.name_raw(), name.as_bytes());
            io::copy(&mut part, &mut io::sink()).unwrap();
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    /// A disk that is full after some bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_error_is_told_once() {
        for room in [0, 20, 150] {
            let own = skeleton(&[("a", "first"), ("z", "last")]);
            let error = own.write(Vec::new(), Full(room)).unwrap_err();
            assert!(error.to_string().contains("storage"), "{room}: {error}");
        }
    }
}
