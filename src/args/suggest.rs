//! A misspelled command, which would otherwise be taken for the name of a dump directory.

use bigtpu_messages::error_message;
use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Command, Error};

/// Two words at least this similar (Jaro) are taken for the same word, misspelled.
const SIMILAR: f64 = 0.8;

/// What others call an analysis, which is no command here.
const ANALYSES: [&str; 4] = ["analyze", "analyse", "analysis", "profile"];

/// A usage error if the first argument is no directory, but a word: names of commands are words, and those of dumps hardly ever.
pub(super) fn check(command: &mut Command, args: &[OsString]) -> Result<(), Error> {
    let Some(given) = args.get(1).and_then(|arg| arg.to_str()) else { return Ok(()) };
    if given.starts_with('-')
        || command.find_subcommand(given).is_some()
        || std::fs::symlink_metadata(Path::new(given)).is_ok()
    {
        return Ok(());
    }
    let likeness = |name: &String| strsim::jaro(given, name);
    let names = super::generated::commands().chain(ANALYSES.map(str::to_owned));
    let nearest = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let said = match nearest.filter(|name| likeness(name) > SIMILAR) {
        Some(name) if ANALYSES.contains(&name.as_str()) => {
            error_message!("problem-analyze-command", given)
        }
        Some(name) => error_message!("problem-no-command", given, name),
        None if given.bytes().all(|letter| letter.is_ascii_lowercase()) => {
            error_message!("problem-unknown-command", given)
        }
        None => return Ok(()),
    };
    Err(command.error(ErrorKind::InvalidSubcommand, said.text(super::lang::of_process())))
}
