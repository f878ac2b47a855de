//! Files of the repository that are derived from others: written when stale, and checked by tests.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// A file that is derived from another.
pub(crate) struct Generated {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Rewrites the stale files.
pub(crate) fn write(files: Vec<Generated>) -> Result<()> {
    for file in files {
        if is_stale(&file)? {
            fs::write(&file.path, &file.text)?;
            println!("wrote {}", display(&file.path));
        } else {
            println!("up to date: {}", display(&file.path));
        }
    }
    Ok(())
}

/// Fails when a file is stale; `command` is the xtask command that makes it fresh.
pub(crate) fn check(files: Vec<Generated>, command: &str) -> Result<()> {
    let mut stale = Vec::new();
    for file in files {
        if is_stale(&file)? {
            stale.push(display(&file.path));
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        let stale = stale.join(", ");
        Err(format!("stale: {stale}; run `cargo run -p xtask -- {command}`").into())
    }
}

/// Whether the file on disk differs. Line ends do not count, since a checkout may have converted them.
fn is_stale(file: &Generated) -> Result<bool> {
    match fs::read_to_string(&file.path) {
        Ok(text) => Ok(text.replace("\r\n", "\n") != file.text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(format!("{}: {error}", display(&file.path)).into()),
    }
}

/// The directory of the repository.
pub(crate) fn repository() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

fn display(path: &Path) -> String {
    path.strip_prefix(repository()).unwrap_or(path).display().to_string()
}
