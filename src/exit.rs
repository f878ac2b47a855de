//! How a run ends; clap ends with 2 on wrong usage. See `docs/command-line.md`.

use std::io::Write;
use std::process::ExitCode;

use bigtpu_answers::Verdict;

use crate::analyze::Outcome;

/// Something went wrong.
pub(crate) const ERROR: u8 = 1;
const LOSS: u8 = 3;
const LIMIT: u8 = 4;

/// The end of an analysis; `strict` makes losses count.
pub(crate) fn analyzed(outcome: Outcome, strict: bool) -> ExitCode {
    match outcome {
        Outcome::Lost if strict => ExitCode::from(LOSS),
        Outcome::Whole | Outcome::Lost => ExitCode::SUCCESS,
    }
}

/// The end of a comparison.
pub(crate) fn compared(verdict: Verdict) -> ExitCode {
    match verdict {
        Verdict::NotChecked | Verdict::Ok => ExitCode::SUCCESS,
        Verdict::Failed => ExitCode::from(LIMIT),
    }
}

/// Prints the error, if stderr is open.
pub(crate) fn error(error: &anyhow::Error) -> ExitCode {
    // Our errors are whole sentences that name their causes.
    // If even stderr is gone, the exit code has to do.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    ExitCode::from(ERROR)
}
