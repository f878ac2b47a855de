//! Members of a `tar` archive.

use bigtpu_messages::{Message, error_message};
use std::io::Read;
use std::path::PathBuf;

use tar::{Archive, EntryType, PaxExtensions};

use super::members::Members;
use super::{ArchiveError, BLOCK};

/// Bytes of a long name, or of extended attributes, at most.
const MOST_EXTENSION: u64 = 1 << 16;

/// Whether a block is the header of a member: its checksum is right.
pub(super) fn is_header(block: &[u8]) -> bool {
    let Some((sum, block)) = block.get(148..156).zip(block.get(..BLOCK)) else { return false };
    let digits: String = sum.iter().map(|b| char::from(*b)).collect();
    let digits = digits.trim_matches(|c: char| c == '\0' || c == ' ');
    let own = block
        .iter()
        .enumerate()
        .map(|(at, byte)| u64::from(if (148..156).contains(&at) { b' ' } else { *byte }));
    u64::from_str_radix(digits, 8).is_ok_and(|told| told == own.sum::<u64>())
}

/// Unpacks what a reader gives.
pub(super) fn unpack(mut reader: impl Read, mut to: Members<'_>) -> Result<(), ArchiveError> {
    let mut start = Vec::new();
    let read = (&mut reader).take(BLOCK as u64).read_to_end(&mut start);
    read.map_err(|source| to.failed(source))?;
    if !is_header(&start) {
        return Err(to.no_archive());
    }
    let mut archive = Archive::new(start.as_slice().chain(reader));
    let mut long_name: Option<PathBuf> = None;
    // Raw: else the crate reads long names and extended headers of any size into memory.
    for entry in archive.entries().map_err(|source| to.failed(source))?.raw(true) {
        let mut entry = entry.map_err(|source| to.failed(source))?;
        to.count()?;
        let path = match long_name.take() {
            Some(path) => path,
            None => entry.path().map_err(|source| to.failed(source))?.into_owned(),
        };
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Directory | EntryType::XGlobalHeader | EntryType::GNULongLink => {
                to.pass(entry)?;
                continue;
            }
            EntryType::Symlink | EntryType::Link => {
                return Err(to.refused(&path, error_message!("problem-member-link")));
            }
            kind @ (EntryType::GNULongName | EntryType::XHeader) => {
                let mut content = Vec::new();
                let read = (&mut entry).take(MOST_EXTENSION + 1).read_to_end(&mut content);
                read.map_err(|source| to.failed(source))?;
                if content.len() as u64 > MOST_EXTENSION {
                    return Err(to.refused(&path, error_message!("problem-member-long")));
                }
                long_name = match kind {
                    EntryType::GNULongName => {
                        Some(path_of(content.split(|byte| *byte == 0).next().unwrap_or_default()))
                    }
                    _ => extended(&content).map_err(|what| to.refused(&path, what))?,
                };
                continue;
            }
            _ => return Err(to.refused(&path, error_message!("problem-member-no-file"))),
        }
        let told = entry.header().size().map_err(|source| to.failed(source))?;
        if to.put(&path, entry)? != told {
            return Err(to.refused(&path, error_message!("problem-member-cut")));
        }
    }
    Ok(())
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The name that extended attributes give the next member.
fn extended(content: &[u8]) -> Result<Option<PathBuf>, Message> {
    let mut path = None;
    for attribute in PaxExtensions::new(content) {
        let attribute = attribute.map_err(|_| error_message!("problem-member-attributes"))?;
        match attribute.key_bytes() {
            b"path" => path = Some(path_of(attribute.value_bytes())),
            b"size" => return Err(error_message!("problem-member-large")),
            key if key.starts_with(b"GNU.sparse") => {
                return Err(error_message!("problem-member-sparse"));
            }
            _ => {}
        }
    }
    Ok(path)
}
