//! Options of other programs under our own name: a sentence says how they are called here.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Command, Error};

/// Options of tpu-mlir's `tpu_profile`, and what to write instead.
const OPTIONS: [(&str, &str); 3] = [
    ("--mode", "leave it out, measured times are what is read"),
    ("--format", "use --emit layers for the tables of layers, --emit page for the page"),
    ("--debug", "use --verbose"),
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
            format!(
                "{option} is an option of tpu_profile, not of bigtpuprofile: {instead}; or call the program by that name \
                 (docs/compat.md)"
            ),
        )),
        None => Ok(()),
    }
}
