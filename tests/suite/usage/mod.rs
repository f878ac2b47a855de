//! The command line: what it takes, what it says, and how it ends.

mod answers;
mod chinese;
mod commands;
mod cores_and_clock;
mod errors;
mod explain;
mod help;
mod options;
mod output;

use std::path::Path;

use crate::support::run::Said;

/// A dump of two cores, complete and without flaw.
const CASE: &str = "aksv-mode1";

/// An analysis that must fail with exit code 1: returns the one line that it says, without `error: `.
#[track_caller]
fn refused(said: &Said, out: &Path) -> String {
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.stdout, "", "errors belong on stderr");
    assert_eq!(said.stderr.lines().count(), 1, "not one sentence: {}", said.stderr);
    assert!(!out.is_dir(), "{} was made although nothing could be written", out.display());
    let line = said.stderr.trim_end();
    assert!(line.matches("(os error").count() < 2, "the cause is told twice: {line}");
    line.strip_prefix("error: ").unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// Expects every one of the words in a text.
#[track_caller]
fn contains_all(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word:?} in:\n{text}");
    }
}
