//! `-o` of commands that write several files: a directory, and not the name of one of the files.

use std::ffi::OsStr;
use std::path::PathBuf;

use bigtpu_messages::{Message, error_message};
use clap::builder::{PathBufValueParser, TypedValueParser};

/// Endings of the files that such commands write.
const ENDINGS: [&str; 9] =
    ["csv", "html", "json", "md", "parquet", "pftrace", "svg", "txt", "xlsx"];

/// Takes a directory; a name that ends as a file does only where it is one.
pub(super) fn out_dir() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(directory)
}

fn directory(path: PathBuf) -> Result<PathBuf, Message> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_file = ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending));
    if !is_file || path.is_dir() {
        return Ok(path);
    }
    let directory = path.with_extension("");
    Err(error_message!("problem-out-directory", directory = directory.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_not_named_as_a_file_unless_it_is_there() {
        let here = tempfile::tempdir().unwrap();
        let named = here.path().join("run.json");
        assert!(directory("out".into()).is_ok() && directory("run.v2".into()).is_ok());
        let told = directory(named.clone()).unwrap_err().to_string();
        assert!(told.contains(here.path().join("run").to_str().unwrap()), "{told}");
        std::fs::create_dir(&named).unwrap();
        assert!(directory(named).is_ok());
    }
}
