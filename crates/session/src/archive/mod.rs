//! Dumps in a `tar` archive, gzipped or not: a file, or what comes on stdin.
//!
//! The members are put into a directory of their own, as records are mapped and not read. Only plain files below it are
//! taken: an archive with a link, an absolute name, or a name with `..` is refused, not cleaned up.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use bigtpu_output::Scratch;
use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType, PaxExtensions};

/// Members of an archive at most: 16 384 dumps of 16 files.
const MOST_MEMBERS: u64 = 1 << 18;
/// Bytes of all members at most, unpacked.
const MOST_BYTES: u64 = 1 << 38;
/// Bytes of a long name, or of extended attributes, at most.
const MOST_EXTENSION: u64 = 1 << 16;
/// Bytes of a header.
const BLOCK: usize = 512;
/// The first bytes of a gzipped file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why an archive is not used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It can't be read, or its members can't be put anywhere.
    #[error("{archive}: cannot be unpacked ({source})")]
    Io {
        /// The archive.
        archive: String,
        /// What the system, or the format, says.
        source: io::Error,
    },
    /// It is none.
    #[error(
        "{archive}: is no tar or tar.gz archive; give a dump directory, or an archive of one (tar -czf dump.tar.gz cdm_profile_data_dev0-0)"
    )]
    NoArchive {
        /// The file.
        archive: String,
    },
    /// A member that is no plain file below its directory.
    #[error("{archive}: member {member} {what}; nothing of the archive is used")]
    Member {
        /// The archive.
        archive: String,
        /// The member's name, as one line.
        member: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// More than any run leaves.
    #[error("{archive}: holds more than {most} {what}; unpack it yourself, and give the directory")]
    TooMuch {
        /// The archive.
        archive: String,
        /// How many are allowed.
        most: u64,
        /// Members or bytes.
        what: &'static str,
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
    read.is_ok() && (start.starts_with(&GZIP) || is_header(&start))
}

/// Whether a block is the header of a member: its checksum is right.
fn is_header(block: &[u8]) -> bool {
    let Some((sum, block)) = block.get(148..156).zip(block.get(..BLOCK)) else { return false };
    let digits: String = sum.iter().map(|b| char::from(*b)).collect();
    let digits = digits.trim_matches(|c: char| c == '\0' || c == ' ');
    let own = block
        .iter()
        .enumerate()
        .map(|(at, byte)| u64::from(if (148..156).contains(&at) { b' ' } else { *byte }));
    u64::from_str_radix(digits, 8).is_ok_and(|told| told == own.sum::<u64>())
}

impl Unpacked {
    /// Unpacks the archive of a file, or of stdin (`-`).
    ///
    /// # Errors
    /// [`ArchiveError`]; nothing of it is left then.
    pub fn of(input: &Path) -> Result<Self, ArchiveError> {
        let name = input.display().to_string();
        if input == Path::new("-") {
            return Self::from_reader(io::stdin().lock(), "stdin", "stdin");
        }
        let file = File::open(input).map_err(|source| failed(&name, source))?;
        let stem = input.file_name().map(|name| name.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        let endings = [".tar.gz", ".tgz", ".tar", ".gz"];
        let short = endings.iter().find_map(|ending| stem.strip_suffix(ending));
        let short = short.filter(|short| !short.is_empty()).unwrap_or(&stem);
        Self::from_reader(file, &name, short)
    }

    /// Unpacks what a reader gives. `name`: what errors call it; `stem`: the name of the directory.
    fn from_reader(reader: impl Read, name: &str, stem: &str) -> Result<Self, ArchiveError> {
        let failed = |source| failed(name, source);
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let start = io::BufRead::fill_buf(&mut reader).map_err(failed)?;
        let is_gzip = start.starts_with(&GZIP);
        let scratch = Scratch::create().map_err(failed)?;
        if is_gzip {
            unpack(MultiGzDecoder::new(reader), name, stem, &scratch)?;
        } else {
            unpack(reader, name, stem, &scratch)?;
        }
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

fn failed(archive: &str, source: io::Error) -> ArchiveError {
    ArchiveError::Io { archive: archive.to_owned(), source }
}

fn unpack(
    mut reader: impl Read,
    name: &str,
    stem: &str,
    scratch: &Scratch,
) -> Result<(), ArchiveError> {
    let mut start = Vec::new();
    let read = (&mut reader).take(BLOCK as u64).read_to_end(&mut start);
    read.map_err(|source| failed(name, source))?;
    if !is_header(&start) {
        return Err(ArchiveError::NoArchive { archive: name.to_owned() });
    }
    let mut archive = Archive::new(start.as_slice().chain(reader));
    let too_much = |most, what| ArchiveError::TooMuch { archive: name.to_owned(), most, what };
    let (mut members, mut bytes) = (0, 0);
    let mut buffer = vec![0; 1 << 16];
    let mut long_name: Option<PathBuf> = None;
    // Raw: else the crate reads long names and extended headers of any size into memory.
    for entry in archive.entries().map_err(|source| failed(name, source))?.raw(true) {
        let mut entry = entry.map_err(|source| failed(name, source))?;
        members += 1;
        if members > MOST_MEMBERS {
            return Err(too_much(MOST_MEMBERS, "members"));
        }
        let path = match long_name.take() {
            Some(path) => path,
            None => entry.path().map_err(|source| failed(name, source))?.into_owned(),
        };
        let refused = |what| ArchiveError::Member {
            archive: name.to_owned(),
            member: bigtpu_output::Untrusted::from(path.as_path()).line().to_string(),
            what,
        };
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Directory | EntryType::XGlobalHeader | EntryType::GNULongLink => continue,
            EntryType::Symlink | EntryType::Link => return Err(refused("is a link")),
            kind @ (EntryType::GNULongName | EntryType::XHeader) => {
                let mut content = Vec::new();
                let read = (&mut entry).take(MOST_EXTENSION + 1).read_to_end(&mut content);
                read.map_err(|source| failed(name, source))?;
                if content.len() as u64 > MOST_EXTENSION {
                    return Err(refused("has a name or attributes of more than 64 KiB"));
                }
                long_name = match kind {
                    EntryType::GNULongName => {
                        Some(path_of(content.split(|byte| *byte == 0).next().unwrap_or_default()))
                    }
                    _ => extended(&content).map_err(refused)?,
                };
                continue;
            }
            _ => return Err(refused("is no plain file")),
        }
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => plain.push(name),
                Component::CurDir => {}
                Component::ParentDir => return Err(refused("has .. in its name")),
                Component::RootDir | Component::Prefix(_) => {
                    return Err(refused("has an absolute name"));
                }
            }
        }
        if plain.as_os_str().is_empty() {
            return Err(refused("has no name"));
        }
        let mut file = match scratch.file(&Path::new(stem).join(&plain)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(refused("is there twice"));
            }
            Err(source) => return Err(failed(name, source)),
        };
        let told = entry.header().size().map_err(|source| failed(name, source))?;
        let mut own = 0u64;
        loop {
            let read = entry.read(&mut buffer).map_err(|source| failed(name, source))?;
            if read == 0 {
                break;
            }
            (own, bytes) = (own + read as u64, bytes + read as u64);
            if bytes > MOST_BYTES {
                return Err(too_much(MOST_BYTES, "bytes"));
            }
            let piece = buffer.get(..read).unwrap_or_default();
            file.write_all(piece).map_err(|source| failed(name, source))?;
        }
        if own != told {
            return Err(refused("is cut off"));
        }
    }
    Ok(())
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The name that extended attributes give the next member.
fn extended(content: &[u8]) -> Result<Option<PathBuf>, &'static str> {
    let mut path = None;
    for attribute in PaxExtensions::new(content) {
        let attribute = attribute.map_err(|_| "has damaged attributes")?;
        match attribute.key_bytes() {
            b"path" => path = Some(path_of(attribute.value_bytes())),
            b"size" => return Err("is larger than 8 GiB"),
            key if key.starts_with(b"GNU.sparse") => return Err("is sparse"),
            _ => {}
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tar::{Builder, Header};

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
        assert!(error.contains("is no tar or tar.gz archive"), "{error}");
    }
}
