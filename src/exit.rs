//! How a run ends; clap ends with 2 on wrong usage. See `docs/command-line.md`.

use std::io::Write;
use std::process::ExitCode;

use crate::analyze::Outcome;

const ERROR: u8 = 1;
const LOSS: u8 = 3;

/// The end of an analysis; `strict` makes losses count.
pub(crate) fn analyzed(outcome: Outcome, strict: bool) -> ExitCode {
    match outcome {
        Outcome::Lost if strict => ExitCode::from(LOSS),
        Outcome::Whole | Outcome::Lost => ExitCode::SUCCESS,
    }
}

/// Prints the error, if anyone can read it.
pub(crate) fn error(error: &anyhow::Error) -> ExitCode {
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
    ExitCode::from(ERROR)
}
