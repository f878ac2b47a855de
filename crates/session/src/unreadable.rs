//! A file or directory that can't be read.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::{Path, PathBuf};

/// A file or directory that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}", sentence(path, source, advice.as_ref()))]
pub struct Unreadable {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub source: std::io::Error,
    /// What to give instead.
    pub advice: Option<Message>,
}

impl Unreadable {
    /// What makes it of what the system says.
    pub(crate) fn from_io(
        path: &Path,
        advice: impl Into<Option<Message>>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let (path, advice) = (path.to_owned(), advice.into());
        move |source| Self { path, source, advice }
    }
}

fn sentence(path: &Path, source: &std::io::Error, advice: Option<&Message>) -> Message {
    let (path, reason) = (path.display(), source.reason());
    match advice {
        Some(advice) => error_message!("error-unreadable-advice", path, reason, advice),
        None => error_message!("error-unreadable", path, reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_to_do_where_that_is_known() {
        let of = |advice| Unreadable::from_io(Path::new("a"), advice)(std::io::Error::other("x"));
        assert_eq!(of(None).to_string(), "a: cannot be read (x)");
        let advice = Message::new("problem-give-plan");
        assert_eq!(
            of(Some(advice)).to_string(),
            "a: cannot be read (x); give a YAML file to --plan"
        );
    }
}
