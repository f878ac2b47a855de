//! Dumps in a `tar` archive, gzipped or not, or in a `zip` archive: a file, or what comes on stdin.
//!
//! The members are put into a directory of their own, as records are mapped and not read. Only plain files below it are
//! taken: an archive with a link, an absolute name, or a name with `..` is refused, not cleaned up. Few bytes can't stand for
//! many: how much they unfold to is bound.

mod counted;
mod members;
mod packed;
mod tar;
mod zip;

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use bigtpu_format::HeldFiles;
use bigtpu_output::Scratch;
use flate2::read::MultiGzDecoder;

use counted::Counted;
use members::{Members, Target};
pub(crate) use packed::{Packed, holds, holds_files};

/// Bytes of a header of tar.
const BLOCK: usize = 512;
/// The first bytes of a gzipped file.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The first bytes of a zip file.
const ZIP: [u8; 4] = *b"PK\x03\x04";

/// Why an archive is not used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive can't be read, or its members can't be put anywhere.
    #[error("{}", error_message!("error-archive-io", archive, reason = source.reason()))]
    Io {
        /// The archive.
        archive: String,
        /// What the system, or the format, says.
        source: io::Error,
    },
    /// The file is no archive.
    #[error("{}", error_message!("error-archive-no-archive", archive))]
    NoArchive {
        /// The file.
        archive: String,
    },
    /// A member that is no plain file below its directory.
    #[error("{}", error_message!("error-archive-member", archive, member, what))]
    Member {
        /// The archive.
        archive: String,
        /// The member's name, as one line.
        member: String,
        /// What is wrong with it.
        what: Message,
    },
    /// More than any run leaves.
    #[error("{}", error_message!("error-archive-too-much", archive, most, what))]
    TooMuch {
        /// The archive.
        archive: String,
        /// How many are allowed.
        most: u64,
        /// Members or bytes.
        what: Message,
    },
    /// Far more bytes than it has itself.
    #[error("{}", error_message!("error-archive-unfolds", archive, most))]
    Unfolds {
        /// The archive.
        archive: String,
        /// How many times are allowed.
        most: u64,
    },
}

/// An archive's files in a directory, which is removed with it.
#[derive(Debug)]
pub struct Unpacked {
    root: PathBuf,
    _scratch: Scratch,
}

/// Whether an input is an archive: `-` for stdin, or a file that begins like one.
#[must_use]
pub fn is_archive(input: &Path) -> bool {
    if input == Path::new("-") {
        return true;
    }
    if !input.is_file() {
        return false;
    }
    let mut start = Vec::new();
    let read = File::open(input).and_then(|file| file.take(BLOCK as u64).read_to_end(&mut start));
    read.is_ok() && (start.starts_with(&GZIP) || start.starts_with(&ZIP) || tar::is_header(&start))
}

impl Unpacked {
    /// Unpacks the archive of a file, or of stdin (`-`).
    ///
    /// # Errors
    /// [`ArchiveError`]; nothing of it is left then.
    pub fn unpack(input: &Path) -> Result<Self, ArchiveError> {
        let name = input.display().to_string();
        if input == Path::new("-") {
            return Self::from_reader(io::stdin().lock(), "stdin", "stdin");
        }
        let file = File::open(input).map_err(|source| failed(&name, source))?;
        let stem = input.file_name().map(|name| name.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        Self::from_reader(file, &name, stem_of(&stem))
    }

    /// Unpacks what a reader gives. `name`: what errors call it; `stem`: the name of the directory.
    fn from_reader(reader: impl Read, name: &str, stem: &str) -> Result<Self, ArchiveError> {
        let scratch = Scratch::create().map_err(|source| failed(name, source))?;
        unpack(reader, name, stem, Target::Disk(&scratch))?;
        Ok(Self { root: scratch.path().join(stem), _scratch: scratch })
    }

    /// The directory with the archive's files.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What its dumps are called in a text: the archive instead of the directory.
    #[must_use]
    pub fn named(&self, text: &str, archive: &Path) -> String {
        text.replace(&self.root.display().to_string(), &archive.display().to_string())
    }
}

/// The name of a file without the ending of an archive.
fn stem_of(name: &str) -> &str {
    let endings = [".tar.gz", ".tgz", ".tar", ".gz", ".zip"];
    let short = endings.iter().find_map(|ending| name.strip_suffix(ending));
    short.filter(|short| !short.is_empty()).unwrap_or(name)
}

/// Unpacks an archive to memory, below the directory that is named after it, which is returned.
///
/// # Errors
/// [`ArchiveError`]; some members may be among the files then.
pub(crate) fn unpack_held(
    name: &str,
    bytes: &[u8],
    files: &mut HeldFiles,
) -> Result<PathBuf, ArchiveError> {
    let stem = stem_of(name);
    unpack(bytes, name, stem, Target::Held(files))?;
    Ok(PathBuf::from(stem))
}

/// Unpacks what a reader gives. `name`: what errors call it; `stem`: the name of the directory.
fn unpack(
    reader: impl Read,
    name: &str,
    stem: &str,
    target: Target<'_>,
) -> Result<(), ArchiveError> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let start = io::BufRead::fill_buf(&mut reader).map_err(|source| failed(name, source))?;
    let (is_gzip, is_zip) = (start.starts_with(&GZIP), start.starts_with(&ZIP));
    let (counted, packed) = Counted::new(reader);
    let members = Members::new(name, stem, target, packed);
    if is_zip {
        zip::unpack(counted, members)
    } else if is_gzip {
        tar::unpack(MultiGzDecoder::new(counted), members)
    } else {
        tar::unpack(counted, members)
    }
}

fn failed(archive: &str, source: io::Error) -> ArchiveError {
    ArchiveError::Io { archive: archive.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use ::tar::{Builder, EntryType, Header};
    use ::zip::ZipWriter;
    use ::zip::write::SimpleFileOptions;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// An archive with a member of a kind and name, behind a plain one.
    fn archive(kind: EntryType, name: &str) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        for (kind, name, content) in [
            (EntryType::Regular, "d/global.profile", b"arch=AKSV\n".as_slice()),
            (kind, name, b"x"),
        ] {
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            // Not by the crate's own check of names.
            let field = &mut header.as_old_mut().name;
            field.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, content).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> Result<Unpacked, String> {
        Unpacked::from_reader(bytes, "x.tar", "x").map_err(|error| error.to_string())
    }

    #[test]
    fn archives_are_unpacked_gzipped_or_not() {
        let plain = archive(EntryType::Regular, "./d/cdmlib0_0.profile");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&plain).unwrap();
        for bytes in [plain, encoder.finish().unwrap()] {
            let unpacked = unpacked(&bytes).unwrap();
            let root = unpacked.root().to_owned();
            assert_eq!(std::fs::read(root.join("d/cdmlib0_0.profile")).unwrap(), b"x");
            assert_eq!(std::fs::read_dir(root.join("d")).unwrap().count(), 2);
            drop(unpacked);
            assert!(!root.exists());
        }
    }

    #[test]
    fn hostile_members_end_with_a_sentence_and_nothing_is_left() {
        for (kind, name, what) in [
            (EntryType::Symlink, "d/l", "d/l is a link"),
            (EntryType::Link, "d/l", "is a link"),
            (EntryType::Fifo, "d/f", "is no plain file"),
            (EntryType::Regular, "../x", "has .. in its name"),
            (EntryType::Regular, "d/../../x", "has .. in its name"),
            (EntryType::Regular, "/etc/x", "has an absolute name"),
            (EntryType::Regular, "./", "has no name"),
            (EntryType::Regular, "d/global.profile", "is there twice"),
            (EntryType::GNUSparse, "d/s", "is no plain file"),
            (EntryType::Regular, "d/global.profile/x", "is there twice"),
        ] {
            let error = unpacked(&archive(kind, name)).err().unwrap_or_default();
            assert!(error.contains(what) && error.lines().count() == 1, "{name}: {error}");
        }
    }

    /// GNU's long names, and those of POSIX, also when they are hostile.
    #[test]
    fn long_names_are_read_and_checked() {
        let long = format!("d/{}/global.profile", "n".repeat(150));
        let mut builder = Builder::new(Vec::new());
        let mut header = Header::new_gnu();
        header.set_size(1);
        builder.append_data(&mut header, &long, b"x".as_slice()).unwrap();
        let mut posix = Header::new_ustar();
        posix.set_size(1);
        posix.set_cksum();
        builder.append_pax_extensions([("mtime", b"1.5".as_slice()), ("path", b"d/p")]).unwrap();
        builder.append(&posix, b"y".as_slice()).unwrap();
        let unpacked_files = unpacked(&builder.into_inner().unwrap()).unwrap();
        assert_eq!(std::fs::read(unpacked_files.root().join(&long)).unwrap(), b"x");
        assert_eq!(std::fs::read(unpacked_files.root().join("d/p")).unwrap(), b"y");
        for (key, value, what) in [
            ("path", "../x", "has .. in its name"),
            ("size", "5", "is larger than 8 GiB"),
            ("GNU.sparse.major", "1", "is sparse"),
            ("comment", "x".repeat(70_000).as_str(), "more than 64 KiB"),
        ] {
            let mut builder = Builder::new(Vec::new());
            builder.append_pax_extensions([(key, value.as_bytes())]).unwrap();
            builder.append(&posix, b"y".as_slice()).unwrap();
            let error = unpacked(&builder.into_inner().unwrap()).err().unwrap();
            assert!(error.contains(what), "{key}: {error}");
        }
    }

    #[test]
    fn sizes_are_not_believed() {
        let whole = archive(EntryType::Regular, "d/a");
        // The second header says that its member has 8 GiB.
        let mut large = whole.clone();
        let header = &mut large[1024..1536];
        header[124..136].copy_from_slice(b"77777777777\0");
        header[148..156].copy_from_slice(b"        ");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let error = unpacked(&large).err().unwrap();
        assert!(error.contains("x.tar:"), "{error}");
        for length in [0, 1, 100, 511, 600, 1030, 1500] {
            assert!(unpacked(&whole[..length]).is_err(), "{length}");
        }
        assert!(unpacked(b"\x1f\x8b\x08 no gzip").is_err());
        let error = unpacked(&[b'a'; 4096]).err().unwrap();
        assert!(error.contains("is no tar, tar.gz or zip archive"), "{error}");
    }

    /// A zip archive with a plain member and another one.
    fn zipped(name: &str, content: &[u8]) -> Vec<u8> {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, content) in [("d/global.profile", b"arch=AKSV\n".as_slice()), (name, content)] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn zip_archives_are_unpacked_and_checked_as_others() {
        let whole = zipped("./d/cdmlib0_0.profile", b"x");
        let files = unpacked(&whole).unwrap();
        assert_eq!(std::fs::read(files.root().join("d/cdmlib0_0.profile")).unwrap(), b"x");
        assert_eq!(std::fs::read_dir(files.root().join("d")).unwrap().count(), 2);
        for (name, what) in [
            ("../x", "has .. in its name"),
            ("/etc/x", "has an absolute name"),
            ("d/./global.profile", "is there twice"),
        ] {
            let error = unpacked(&zipped(name, b"x")).err().unwrap_or_default();
            assert!(error.contains(what) && error.lines().count() == 1, "{name}: {error}");
        }
        for length in [4, 30, whole.len() / 2, whole.len() - 1] {
            let error = unpacked(&whole[..length]).err().unwrap_or_default();
            assert!(error.contains("x.tar:"), "{length}: {error}");
        }
        // Two files of one name, as no writer makes them: one of them is renamed in both places.
        let mut twice = zipped("d/global.profilx", b"arch=AKS\n");
        while let Some(at) = twice.windows(16).position(|name| name == b"d/global.profilx") {
            twice[at + 15] = b'e';
        }
        let error = unpacked(&twice).err().unwrap_or_default();
        assert!(error.contains("there twice") && error.lines().count() == 1, "{error}");
        let mut link = ZipWriter::new(io::Cursor::new(Vec::new()));
        link.add_symlink("d/l", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        let error = unpacked(&link.finish().unwrap().into_inner()).err().unwrap();
        assert!(error.contains("d/l is a link"), "{error}");
    }

    #[test]
    fn few_bytes_do_not_unpack_to_many() {
        let zeros = vec![0; 40 << 20];
        let mut tar = Builder::new(Vec::new());
        let mut header = Header::new_gnu();
        header.set_size(zeros.len() as u64);
        tar.append_data(&mut header, "d/a", zeros.as_slice()).unwrap();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&tar.into_inner().unwrap()).unwrap();
        // What is passed counts, too: a directory has no content, and claims some here.
        let mut claims = Builder::new(Vec::new());
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Directory);
        header.set_size(zeros.len() as u64);
        claims.append_data(&mut header, "d", zeros.as_slice()).unwrap();
        let mut passed = GzEncoder::new(Vec::new(), Compression::fast());
        passed.write_all(&claims.into_inner().unwrap()).unwrap();
        let [gzip, passed] = [gzip, passed].map(|encoder| encoder.finish().unwrap());
        for bytes in [gzip, passed, zipped("d/a", &zeros)] {
            assert!(bytes.len() < zeros.len() / 100, "{}", bytes.len());
            let error = unpacked(&bytes).err().unwrap_or_default();
            assert!(error.contains("more than 100 times its size"), "{error}");
        }
    }
}
