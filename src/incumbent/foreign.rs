//! Options of other programs under our own name: a sentence says how they are called here.

use bigtpu_messages::{Message, message};
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Command, Error};

use crate::args::lang;

/// Options of tpu-mlir's `tpu_profile`, and what to write instead.
const OPTIONS: [(&str, &str); 3] = [
    ("--mode", "problem-foreign-mode"),
    ("--format", "problem-foreign-format"),
    ("--debug", "problem-foreign-debug"),
];

/// A usage error if an analysis is called with an option of another program.
pub(crate) fn check(command: &mut Command, args: &[OsString]) -> Result<(), Error> {
    let texts = || args.iter().skip(1).map(|arg| arg.to_string_lossy());
    if texts().next().is_some_and(|first| command.find_subcommand(&*first).is_some()) {
        return Ok(());
    }
    let given = texts().take_while(|arg| arg != "--").find_map(|arg| {
        let name = arg.split('=').next().unwrap_or_default().to_owned();
        OPTIONS.iter().find(|(option, _)| *option == name)
    });
    match given {
        Some((option, instead)) => Err(command.error(
            ErrorKind::UnknownArgument,
            message!("problem-foreign", option = *option, instead = Message::new(instead))
                .text(lang::of_process()),
        )),
        None => Ok(()),
    }
}
