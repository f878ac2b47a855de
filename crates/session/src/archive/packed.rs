//! What a file is that may be packed, by its bytes.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{BLOCK, GZIP, ZIP, tar, zip};

/// What bytes in memory are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packed {
    /// A `tar` archive, gzipped or not, or a `zip` archive with anything but traces of hosts.
    Archive,
    /// Gzipped, or zipped, text.
    Text,
    /// Neither.
    No,
}

impl Packed {
    /// What they begin like.
    pub(crate) fn detect(bytes: &[u8]) -> Self {
        if bytes.starts_with(&ZIP) {
            let is_trace = zip::names(bytes)
                .is_some_and(|names| matches!(names.as_slice(), [name] if name.ends_with(".json")));
            return if is_trace { Self::Text } else { Self::Archive };
        }
        if !bytes.starts_with(&GZIP) {
            return if tar::is_header(bytes) { Self::Archive } else { Self::No };
        }
        let mut start = Vec::new();
        // What is damaged is said by whoever reads it as an archive.
        let read = MultiGzDecoder::new(bytes).take(BLOCK as u64).read_to_end(&mut start);
        match read.is_err() || tar::is_header(&start) {
            true => Self::Archive,
            false => Self::Text,
        }
    }
}

/// Whether an archive may hold a file of this name: of a `tar` archive only reading all of it would tell.
pub(crate) fn holds(archive: &[u8], name: &str) -> bool {
    !archive.starts_with(&ZIP)
        || zip::names(archive).is_some_and(|names| names.iter().any(|own| own.ends_with(name)))
}

/// Whether it is a `zip` archive whose list of files can be read.
pub(crate) fn holds_files(archive: &[u8]) -> bool {
    archive.starts_with(&ZIP) && zip::names(archive).is_some()
}
