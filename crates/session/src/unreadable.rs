//! A file or directory that can't be read.

use std::path::{Path, PathBuf};

/// A file or directory that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be read ({source}){}{advice}", path.display(), if advice.is_empty() { "" } else { "; " })]
pub struct Unreadable {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub source: std::io::Error,
    /// What to give instead; may be empty.
    pub advice: &'static str,
}

impl Unreadable {
    /// What makes it of what the system says.
    pub(crate) fn at(path: &Path, advice: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { path, source, advice }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_to_do_where_that_is_known() {
        let of = |advice| Unreadable::at(Path::new("a"), advice)(std::io::Error::other("x"));
        assert_eq!(of("").to_string(), "a: cannot be read (x)");
        assert_eq!(of("give b").to_string(), "a: cannot be read (x); give b");
    }
}
