//! `bigtpuprofile`: where the time of a TPU run went.
#![forbid(unsafe_code)]

mod args;
mod console;
mod emitters;
mod generate;
mod layout;
mod progress;
mod run;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

/// Exit codes; clap ends with 2 on wrong usage. See `docs/command-line.md`.
mod exit {
    pub(crate) const ERROR: u8 = 1;
    pub(crate) const LOSS: u8 = 3;
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(what) = args.generate {
        return match generate::print(what) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error),
        };
    }
    match run::run(&args) {
        Ok(run::Outcome::Whole) => ExitCode::SUCCESS,
        Ok(run::Outcome::Lost) if args.strict => ExitCode::from(exit::LOSS),
        Ok(run::Outcome::Lost) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // A reader that went away is no error of ours.
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(closed) {
        return ExitCode::SUCCESS;
    }
    // Our errors are whole sentences that name their causes.
    // If even stderr is gone, the exit code has to do.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    ExitCode::from(exit::ERROR)
}
