//! Synthetic PMU dumps: the format of section 1 to 4 of `docs/format.md`, written instead of read.
#![forbid(unsafe_code)]

mod error;
mod options;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::{Error, Result};
pub use options::Options;

/// A dump in memory: file names and their bytes.
#[must_use]
pub fn generate(options: &Options) -> BTreeMap<String, Vec<u8>> {
    let arch = options.chip.name.as_str();
    BTreeMap::from([
        ("global.profile".to_owned(), format!("arch={arch}\ncore_num=1\n").into_bytes()),
        ("cdmlib0_0.profile".to_owned(), Vec::new()),
    ])
}

/// Writes a dump to a directory, which is created where it is missing.
///
/// # Errors
/// When the system refuses to write.
pub fn write(options: &Options, dir: &Path) -> Result<()> {
    let failed = |path: &Path, source| Error::Io { path: path.to_owned(), source };
    std::fs::create_dir_all(dir).map_err(|e| failed(dir, e))?;
    for (name, bytes) in generate(options) {
        let path = dir.join(name);
        std::fs::write(&path, bytes).map_err(|e| failed(&path, e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_names_its_chip() {
        let options = Options::of_chip("cv84x6").unwrap();
        assert!(generate(&options)["global.profile"].starts_with(b"arch=CV84X6\n"));
        assert!(Options::of_chip("none").is_err());
    }
}
