//! `bigtpuprofile`: where the time of a TPU run went.
#![forbid(unsafe_code)]

mod analyze;
mod args;
mod console;
mod emitters;
mod exit;
mod generate;
mod hardware;
mod layout;
mod progress;
mod synth;
mod written;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    run(&cli).unwrap_or_else(|error| exit::error(&error))
}

fn run(cli: &Cli) -> Result<ExitCode> {
    match (&cli.command, cli.analyze.generate) {
        (Some(Command::Synth(args)), _) => synth::run(args).map(|()| ExitCode::SUCCESS),
        (None, Some(what)) => generate::print(what).map(|()| ExitCode::SUCCESS),
        (None, None) => {
            let outcome = analyze::run(&cli.analyze)?;
            Ok(exit::analyzed(outcome, cli.analyze.strict))
        }
    }
}
