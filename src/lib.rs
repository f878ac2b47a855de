//! `bigtpuprofile`: where the time of a TPU run went. The program is [`run`]; Python's package is made of [`run`] and
//! [`Reading`].
#![forbid(unsafe_code)]
// What is shown goes through `console::standard`, whatever texts from outside it holds.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyze;
mod args;
mod batch;
mod cluster;
mod complete;
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
mod memory;
mod multi_dump;
mod open;
mod pipeline;
mod progress;
mod query;
mod reading;
mod record;
mod search;
mod simulate;
mod synth;
mod threads;
mod whatif;
mod written;

use std::ffi::OsString;

use anyhow::Result;

use crate::args::analyze::Options;
use crate::args::{Cli, Command};
use crate::console::ignore_broken_pipe;

pub use memory::guard;
pub use reading::{Reading, ReadingError};

/// Runs a command line, which begins with the program's name, to its end, and returns the exit code. Wrong usage ends the
/// process; signals do too, without incomplete files.
#[must_use]
pub fn run(arguments: Vec<OsString>) -> u8 {
    args::lang::set_of_process(&arguments);
    complete::answer();
    let cli = args::parse(arguments);
    silence_libraries();
    interrupt::watch();
    command(&cli).unwrap_or_else(|error| exit::error(&error))
}

fn command(cli: &Cli) -> Result<u8> {
    match (&cli.command, &cli.analyze.generate) {
        (Some(Command::Batch(args)), _) => batch::run(args),
        (Some(Command::Cluster(args)), _) => cluster::run(args),
        (Some(Command::Costs(args)), _) => costs::run(args).map(|()| exit::OK),
        (Some(Command::Diff(args)), _) => diff::run(args).map(exit::compared),
        (Some(Command::Estimate(args)), _) => estimate::run(args).map(|()| exit::OK),
        (Some(Command::Explain(args)), _) => explain::run(args).map(|()| exit::OK),
        (Some(Command::Info(args)), _) => info::run(args).map(|()| exit::OK),
        (Some(Command::Open(args)), _) => open::run(args).map(|()| exit::OK),
        (Some(Command::Pipeline(args)), _) => pipeline::run(args).map(|()| exit::OK),
        (Some(Command::Query(args)), _) => query::run(args).map(|()| exit::OK),
        (Some(Command::Record(args)), _) => record::run(args),
        (Some(Command::Search(args)), _) => search::run(args).map(|()| exit::OK),
        (Some(Command::Simulate(args)), _) => simulate::run(args).map(|()| exit::OK),
        (Some(Command::Synth(args)), _) => synth::run(args).map(|()| exit::OK),
        (Some(Command::Whatif(args)), _) => whatif::run(args).map(|()| exit::OK),
        (None, Some(what)) => ignore_broken_pipe(generate::print(what)).map(|()| exit::OK),
        (None, None) => {
            let outcome = analyze::run(&cli.analyze)?;
            let Options { strict, quiet, .. } = cli.analyze.options;
            Ok(exit::analyzed(outcome.has_loss, strict, quiet))
        }
    }
}

/// Libraries panic where the system refuses what they need. What the workbook's library can't do, its emitter turns into an
/// error, which is reported as such, and once. Where zlib or a thread that starts can't have its memory, the run ends as at any
/// limit of memory.
fn silence_libraries() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map_or("", std::panic::Location::file);
        let has_no_memory = (place.contains("zlib-rs") && panic.to_string().contains("MemError"))
            || place.ends_with("stack_overflow.rs");
        if has_no_memory {
            memory::end();
        }
        // The catalogue itself has no memory: whoever waits for this process says the sentence.
        if place.contains("fluent-bundle") {
            bigtpu_output::abandon();
            std::process::abort();
        }
        if !place.contains("rust_xlsxwriter") && !bigtpu_emit::is_caught() {
            others(panic);
        }
    }));
}
