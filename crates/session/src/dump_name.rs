//! What the names of dump directories show.

use std::path::Path;

/// What the runtime's names begin with.
const PREFIX: &str = "cdm_profile_data_";

/// Name of a dump: that of its directory.
#[must_use]
pub fn source_name(root: &Path) -> String {
    let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    full.file_name().unwrap_or(full.as_os_str()).to_string_lossy().into_owned()
}

/// The part of a directory's name that distinguishes dumps: `dev0-3` of `cdm_profile_data_dev0-3`.
#[must_use]
pub fn short_name(name: &str) -> &str {
    name.strip_prefix(PREFIX).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_to_what_differs() {
        assert_eq!(short_name("cdm_profile_data_dev0-3"), "dev0-3");
        assert_eq!(short_name("cdm_profile_data_"), "cdm_profile_data_");
        assert_eq!(short_name("run"), "run");
    }
}
