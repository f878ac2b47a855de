//! A misspelled command, which would otherwise be taken for the name of a dump directory.

use bigtpu_messages::error_message;
use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Command, Error};

/// Two words at least this similar (Jaro) are taken for the same word, misspelled.
const SIMILAR: f64 = 0.8;

/// A usage error if the first argument is no directory, but nearly the name of a command.
pub(super) fn check(command: &mut Command, args: &[OsString]) -> Result<(), Error> {
    let Some(given) = args.get(1).and_then(|arg| arg.to_str()) else { return Ok(()) };
    if given.starts_with('-')
        || command.find_subcommand(given).is_some()
        || std::fs::symlink_metadata(Path::new(given)).is_ok()
    {
        return Ok(());
    }
    let likeness = |name: &String| strsim::jaro(given, name);
    let nearest = super::generated::commands().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|name| likeness(name) > SIMILAR) {
        Some(name) => Err(command.error(
            ErrorKind::InvalidSubcommand,
            error_message!("problem-no-command", given, name).text(super::lang::of_process()),
        )),
        None => Ok(()),
    }
}
