//! Members of a `zip` archive.

use bigtpu_messages::error_message;
use std::io::ErrorKind::InvalidData;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::ArchiveError;
use super::members::Members;

/// Bytes of the end of the list without its comment, and with the longest one.
const END_BYTES: usize = 22;
const LONGEST_END: u64 = END_BYTES as u64 + 0xffff;

/// Unpacks what a reader gives. The list of members is at the end: the archive is copied to a file, or to memory, first.
pub(super) fn unpack(mut reader: impl Read, to: Members<'_>) -> Result<(), ArchiveError> {
    match to.spool().map_err(|source| to.failed(source))? {
        Some(mut file) => {
            io::copy(&mut reader, &mut file).map_err(|source| to.failed(source))?;
            unpack_copy(file, to)
        }
        None => {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map_err(|source| to.failed(source))?;
            unpack_copy(Cursor::new(bytes), to)
        }
    }
}

fn unpack_copy(mut file: impl Read + Seek, mut to: Members<'_>) -> Result<(), ArchiveError> {
    let length = file.seek(SeekFrom::End(0)).map_err(|source| to.failed(source))?;
    file.seek(SeekFrom::Start(0)).map_err(|source| to.failed(source))?;
    let listed = listed_members(&mut file).map_err(|source| to.failed(source))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| failed(&to, error))?;
    if listed.is_some_and(|listed| listed != archive.len() as u64) {
        return Err(to.failed(io::Error::new(InvalidData, error_message!("problem-zip-twice"))));
    }
    // What the list claims is checked before anything is unpacked; what comes out is counted, too.
    let told = archive.decompressed_size().unwrap_or_default();
    to.expect(archive.len() as u64, u64::try_from(told).unwrap_or(u64::MAX), length)?;
    for index in 0..archive.len() {
        member(&mut archive, index, &mut to)?;
    }
    Ok(())
}

/// The names of the members; `None` where there is no list of them.
pub(super) fn names(bytes: &[u8]) -> Option<Vec<String>> {
    let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let names = archive.file_names().map(|name| name.ok().map(|name| name.into_owned()));
    names.collect()
}

/// How many members the end of the list claims; `None` where it stands elsewhere, for more than 65 534 of them, or
/// there is no end. Where several members have one name, the crate keeps only the last of them and reports no error.
///
/// ```text
/// PK\5\6 | disk u16 | disk of the list u16 | members here u16 | members u16 | bytes u32 | offset u32 | comment u16 | comment
/// ```
fn listed_members(mut file: impl Read + Seek) -> io::Result<Option<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_END)))?;
    let mut end = Vec::new();
    (&mut file).take(LONGEST_END).read_to_end(&mut end)?;
    file.seek(SeekFrom::Start(0))?;
    let found = end.windows(END_BYTES).rev().find(|window| window.starts_with(b"PK\x05\x06"));
    let count = found.map(|end| u16::from_le_bytes([end[10], end[11]]));
    Ok(count.filter(|count| *count < u16::MAX).map(u64::from))
}

fn member(
    archive: &mut ZipArchive<impl Read + Seek>,
    index: usize,
    to: &mut Members<'_>,
) -> Result<(), ArchiveError> {
    to.count()?;
    let member = archive.by_index(index).map_err(|error| failed(to, error))?;
    let name = member.name().map_err(|error| failed(to, error))?.into_owned();
    let path = Path::new(&name);
    if member.is_dir() {
        return Ok(());
    }
    if member.is_symlink() {
        return Err(to.refused(path, error_message!("problem-member-link")));
    }
    if !member.is_file() {
        return Err(to.refused(path, error_message!("problem-member-no-file")));
    }
    let told = member.size();
    if to.put(path, member.take(told.saturating_add(1)))? != told {
        return Err(to.refused(path, error_message!("problem-member-length")));
    }
    Ok(())
}

fn failed(to: &Members<'_>, error: ZipError) -> ArchiveError {
    to.failed(match error {
        ZipError::Io(source) => source,
        other => io::Error::new(InvalidData, other.to_string()),
    })
}
