//! `bigtpuprofile`: where the time of a TPU run went.
#![forbid(unsafe_code)]
// What is shown goes through `standard`, whatever texts from outside it holds.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyze;
mod args;
mod batch;
mod cluster;
mod colour;
mod console;
mod costs;
mod diff;
mod estimate;
mod exit;
mod explain;
mod generate;
mod incumbent;
mod info;
mod interrupt;
mod language;
mod layout;
mod multi_dump;
mod open;
mod pipeline;
mod progress;
mod search;
mod simulate;
mod standard;
mod synth;
mod terminal;
mod threads;
mod whatif;
mod written;

use std::process::ExitCode;

use anyhow::Result;

use crate::args::{Cli, Command};
use crate::console::ignore_broken_pipe;

fn main() -> ExitCode {
    let cli = args::parse();
    interrupt::watch();
    silence_full_disks();
    run(&cli).unwrap_or_else(|error| exit::error(&error))
}

fn run(cli: &Cli) -> Result<ExitCode> {
    match (&cli.command, &cli.analyze.generate) {
        (Some(Command::Batch(args)), _) => batch::run(args),
        (Some(Command::Cluster(args)), _) => cluster::run(args),
        (Some(Command::Costs(args)), _) => costs::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Diff(args)), _) => diff::run(args).map(exit::compared),
        (Some(Command::Estimate(args)), _) => estimate::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Explain(args)), _) => explain::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Info(args)), _) => info::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Open(args)), _) => open::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Pipeline(args)), _) => pipeline::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Search(args)), _) => search::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Simulate(args)), _) => simulate::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Synth(args)), _) => synth::run(args).map(|()| ExitCode::SUCCESS),
        (Some(Command::Whatif(args)), _) => whatif::run(args).map(|()| ExitCode::SUCCESS),
        (None, Some(what)) => ignore_broken_pipe(generate::print(what)).map(|()| ExitCode::SUCCESS),
        (None, None) => {
            let outcome = analyze::run(&cli.analyze)?;
            Ok(exit::analyzed(outcome, cli.analyze.strict, cli.analyze.quiet))
        }
    }
}

/// The workbook's library panics when a temporary file of its own can't be written, which the emitter turns into an
/// error; that is reported as such, and once.
fn silence_full_disks() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if !text.starts_with("Couldn't write to xml file") {
            others(panic);
        }
    }));
}
