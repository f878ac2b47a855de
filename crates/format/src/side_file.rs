//! Files next to dumps: settings, models, plans, and results that are read back. Whatever they are, they are read up to a
//! bound.

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use bigtpu_messages::error_message;

/// Bytes of a file that people write: machines, plans, lists, at most.
pub const MOST_SETTINGS: u64 = 64 << 20;
/// Bytes of a model, a graph, a trace, or of results, at most.
pub const MOST_MODEL: u64 = 4 << 30;

/// The content of a file that the user named, which may be a pipe.
///
/// # Errors
/// When it can't be read, is a device, or has more than `most` bytes.
pub fn read_given(path: &Path, most: u64) -> Result<Vec<u8>> {
    read(File::open(path)?, most)
}

/// The text of a file that the user named, which may be a pipe.
///
/// # Errors
/// As [`read_given`]; also when it is no UTF-8.
pub fn read_given_text(path: &Path, most: u64) -> Result<String> {
    text(read_given(path, most)?)
}

/// The content of a file that a run looks for by itself, such as results of an earlier one: a pipe in its place is not waited
/// for.
///
/// # Errors
/// When it is no plain file, can't be read, or has more than `most` bytes.
pub fn read_found(path: &Path, most: u64) -> Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::other(error_message!("problem-no-regular-file")));
    }
    read(File::open(path)?, most)
}

/// The text of such a file.
///
/// # Errors
/// As [`read_found`]; also when it is no UTF-8.
pub fn read_found_text(path: &Path, most: u64) -> Result<String> {
    text(read_found(path, most)?)
}

fn read(file: File, most: u64) -> Result<Vec<u8>> {
    let known = file.metadata()?;
    // Devices have no end: they would be read up to the bound.
    if is_device(&known) {
        return Err(Error::other(error_message!("problem-device")));
    }
    // Of a plain file that is known before a byte of it takes memory.
    if known.len() > most {
        return Err(too_long(most));
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long(most)) } else { Ok(bytes) }
}

/// What is said of a file that is too long.
pub(crate) fn too_long(most: u64) -> Error {
    let text = format!("it has more than {most} bytes, which no such file needs");
    Error::new(ErrorKind::InvalidData, text)
}

#[cfg(unix)]
fn is_device(known: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    let kind = known.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

fn text(bytes: Vec<u8>) -> Result<String> {
    let wrong = |_| Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(bytes).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_bound() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(read_given_text(&path, 3).unwrap(), "abc");
        assert!(read_found(&path, 2).unwrap_err().to_string().contains("more than 2 bytes"));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_found_text(&path, 2).is_err());
        assert!(read_found(dir.path(), 2).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_not_read_and_not_waited_for() {
        // Without a bound that would end it.
        let device = read_given(Path::new("/dev/zero"), u64::MAX).unwrap_err();
        assert_eq!(device.to_string(), "a device, not a file");
        assert!(
            read_found(Path::new("/dev/zero"), 1000).unwrap_err().to_string().contains("regular")
        );
    }
}
