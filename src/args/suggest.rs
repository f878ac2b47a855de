//! A misspelled command, which would otherwise be taken for the name of a dump directory.

use bigtpu_messages::{Message, error_message};
use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Command, Error};

/// Two words at least this similar (Jaro) are taken for the same word, misspelled.
const SIMILAR: f64 = 0.8;

/// What others call an analysis, which is no command here.
const ANALYSES: [&str; 4] = ["analyze", "analyse", "analysis", "profile"];

/// A usage error if the first argument is no directory, but nearly the name of a command.
pub(super) fn check(command: &mut Command, args: &[OsString]) -> Result<(), Error> {
    let Some(given) = absent(args).filter(|given| command.find_subcommand(given).is_none()) else {
        return Ok(());
    };
    let likeness = |name: &String| strsim::jaro(given, name);
    let names = super::generated::commands().chain(ANALYSES.map(str::to_owned));
    let nearest = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let said = match nearest.filter(|name| likeness(name) > SIMILAR) {
        Some(name) if ANALYSES.contains(&name.as_str()) => {
            error_message!("problem-analyze-command", given)
        }
        Some(name) => error_message!("problem-no-command", given, name),
        None => return Ok(()),
    };
    Err(wrong(command, &said))
}

/// A usage error if what stands where a command would is no directory, but a word: names of commands are words, and those of dumps
/// hardly ever. `args`: they make an analysis.
pub(super) fn check_word(command: &mut Command, args: &[OsString]) -> Result<(), Error> {
    let is_word = |given: &&str| given.bytes().all(|letter| letter.is_ascii_lowercase());
    match absent(args).filter(is_word) {
        Some(given) => Err(wrong(command, &error_message!("problem-unknown-command", given))),
        None => Ok(()),
    }
}

/// The first argument, if it is neither an option nor the name of a file.
fn absent(args: &[OsString]) -> Option<&str> {
    let given = args.get(1)?.to_str()?;
    let is_there = || std::fs::symlink_metadata(Path::new(given)).is_ok();
    (!given.is_empty() && !given.starts_with('-') && !is_there()).then_some(given)
}

fn wrong(command: &mut Command, said: &Message) -> Error {
    command.error(ErrorKind::InvalidSubcommand, said.text(super::lang::of_process()))
}
