//! The file of a workbook: the archive that its library made, with the sheets of engines and the charts in their final form.
//! What stays as it is, is copied without being compressed anew.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile, spooled_tempfile_in};
use zip::{ZipArchive, ZipWriter};

use crate::deflate::Deflate;
use crate::open_part::OpenPart;
use crate::sheet::Result;

/// A sheet that takes more than so many bytes, compressed, goes through a nameless temporary file.
const MOST_IN_MEMORY: usize = 1 << 18;

/// Compressed bytes that are collected before they are written.
const PIECE: usize = 1 << 16;

/// Parts of a workbook, compressed: each an archive of its own.
pub(crate) struct PackedParts(Vec<ZipArchive<SpooledTempFile>>);

/// Parts of a workbook that are being written, one after the other.
pub(crate) struct PartWriter<'d> {
    /// Where what is large goes, if there is such a place.
    dir: Option<&'d Path>,
    deflate: Deflate,
    /// The part that is being written.
    open: Option<OpenPart>,
    done: PackedParts,
}

impl<'d> PartWriter<'d> {
    /// What is large goes to a nameless file in `dir`, if there is one.
    pub(crate) fn new(dir: Option<&'d Path>) -> Self {
        Self { dir, deflate: Deflate::new(), open: None, done: PackedParts(Vec::new()) }
    }

    /// Begins a part.
    pub(crate) fn start(&mut self, name: &str) -> Result {
        self.end_part()?;
        let file = match self.dir {
            Some(dir) => spooled_tempfile_in(MOST_IN_MEMORY, dir),
            None => spooled_tempfile(usize::MAX),
        };
        self.open = Some(OpenPart::new(file, name)?);
        self.deflate.begin();
        Ok(())
    }

    /// Appends a text to the part.
    pub(crate) fn put(&mut self, text: &[u8]) -> Result {
        self.deflate.text(text);
        self.count()
    }

    /// What compresses the part, for texts that say themselves what they repeat, and the bytes of the part so far; what is appended is
    /// to be [counted](Self::count).
    pub(crate) fn deflate(&mut self) -> (&mut Deflate, u64) {
        (&mut self.deflate, self.open.as_ref().map_or(0, |part| part.length))
    }

    /// Counts what was appended.
    pub(crate) fn count(&mut self) -> Result {
        let Some(part) = &mut self.open else { return Ok(()) };
        self.deflate.take_text(|text| {
            part.length += text.len() as u64;
            part.crc.update(text);
        });
        if self.deflate.bytes().len() >= PIECE {
            part.write(self.deflate.bytes())?;
            self.deflate.clear();
        }
        Ok(())
    }

    /// Ends the part that is open.
    fn end_part(&mut self) -> Result {
        if let Some(mut part) = self.open.take() {
            self.deflate.end();
            part.write(self.deflate.bytes())?;
            self.done.0.push(ZipArchive::new(part.end()?)?);
        }
        Ok(())
    }

    /// Ends the last part.
    pub(crate) fn end(mut self) -> Result<PackedParts> {
        self.end_part()?;
        Ok(self.done)
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
            let mut all = parts.iter_mut().flat_map(|PackedParts(parts)| parts);
            match all.find_map(|part| Some((part.index_for_name_raw(own.name_raw())?, part))) {
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
    use zip::write::SimpleFileOptions;

    use super::*;

    impl PackedParts {
        /// The text of the part of this name.
        pub(crate) fn text(mut self, name: &str) -> String {
            let mut text = String::new();
            let part = self.0.iter_mut().find_map(|part| part.by_name(name).ok());
            part.unwrap().read_to_string(&mut text).unwrap();
            text
        }
    }

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
        let text = "row".repeat(MOST_IN_MEMORY);
        let mut part = PartWriter::new(Some(dir.path()));
        part.start(&Skeleton::sheet(0)).unwrap();
        part.put(text.as_bytes()).unwrap();
        let mut others = PartWriter::new(None);
        for (name, text) in [("none", "of the workbook"), ("z", "final")] {
            others.start(name).unwrap();
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
