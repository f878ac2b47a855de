//! The sources of the crates that the rules of this folder look at.

use std::fs;
use std::path::{Path, PathBuf};

use crate::generated::repository;

/// Folders whose sources are generated.
const GENERATED: [&str; 2] = ["crates/perfetto-protos/src", "crates/chip/src/generated"];

/// Sources below a folder, but for generated ones.
///
/// # Errors
/// When a folder can't be read.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if GENERATED.iter().any(|generated| repository().join(generated) == folder) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The crates of the program, each with the folder of its sources: the program itself is `src`.
///
/// # Errors
/// When the folder of the crates can't be read.
pub(crate) fn all_crates() -> Result<Vec<(String, PathBuf)>, String> {
    let mut crates = vec![("src".to_owned(), repository().join("src"))];
    let folder =
        fs::read_dir(repository().join("crates")).map_err(|error| format!("crates: {error}"))?;
    for entry in folder {
        let entry = entry.map_err(|error| format!("crates: {error}"))?;
        let sources = entry.path().join("src");
        if sources.is_dir() {
            crates.push((entry.file_name().to_string_lossy().into_owned(), sources));
        }
    }
    Ok(crates)
}
