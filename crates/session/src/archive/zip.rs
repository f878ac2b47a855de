//! Members of a `zip` archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::ArchiveError;
use super::members::Members;

/// Unpacks what a reader gives. The list of members is at the end: the archive is copied to a file first.
pub(super) fn unpack(mut reader: impl Read, mut to: Members<'_>) -> Result<(), ArchiveError> {
    let mut file = to.spool().map_err(|source| to.failed(source))?;
    let length = io::copy(&mut reader, &mut file).map_err(|source| to.failed(source))?;
    file.seek(SeekFrom::Start(0)).map_err(|source| to.failed(source))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| failed(&to, error))?;
    // What the list claims is checked before anything is unpacked; what comes out is counted, too.
    let told = archive.decompressed_size().unwrap_or_default();
    to.expect(archive.len() as u64, u64::try_from(told).unwrap_or(u64::MAX), length)?;
    for index in 0..archive.len() {
        member(&mut archive, index, &mut to)?;
    }
    Ok(())
}

fn member(
    archive: &mut ZipArchive<BufReader<File>>,
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
        return Err(to.refused(path, "is a link"));
    }
    if !member.is_file() {
        return Err(to.refused(path, "is no plain file"));
    }
    let told = member.size();
    if to.put(path, member.take(told.saturating_add(1)))? != told {
        return Err(to.refused(path, "is not as long as it says"));
    }
    Ok(())
}

fn failed(to: &Members<'_>, error: ZipError) -> ArchiveError {
    to.failed(match error {
        ZipError::Io(source) => source,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    })
}
