//! `bigtpuprofile`: where the time of a TPU run went.
#![forbid(unsafe_code)]

mod args;
mod console;
mod emitters;
mod generate;
mod host_notes;
mod interrupt;
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
        return match console::or_unread(generate::print(what)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error),
        };
    }
    interrupt::watch();
    silence_full_disks();
    match run::run(&args) {
        Ok(run::Outcome::Whole) => ExitCode::SUCCESS,
        Ok(run::Outcome::Lost) if args.strict => ExitCode::from(exit::LOSS),
        Ok(run::Outcome::Lost) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // Our errors are whole sentences that name their causes.
    // If even stderr is gone, the exit code has to do.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    ExitCode::from(exit::ERROR)
}

/// The workbook's library panics when a temporary file of its own can't be written, which the emitter turns into an
/// error; that is told as such, and once.
fn silence_full_disks() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if !text.starts_with("Couldn't write to xml file") {
            others(panic);
        }
    }));
}
