//! How a run ends; clap ends with 2 on wrong usage. See `docs/command-line.md`.

use bigtpu_answers::Verdict;
use bigtpu_emit_text::console::standard;
use bigtpu_output::{Lines, Text, text};

/// All is well.
pub(crate) const OK: u8 = 0;
/// Something went wrong.
pub(crate) const ERROR: u8 = 1;
/// Data was lost, or something is missing.
pub(crate) const LOSS: u8 = 3;
const LIMIT: u8 = 4;
/// A limit of memory was too small.
pub(crate) const MEMORY: u8 = 5;

/// The end of an analysis; `strict` makes losses count. `quiet`: nothing was said of them yet.
pub(crate) fn analyzed(has_loss: bool, strict: bool, quiet: bool) -> u8 {
    if !(has_loss && strict) {
        return OK;
    }
    if quiet {
        let text =
            "error: data was lost, which --strict does not allow; run without --quiet to see what";
        standard::note(&text!("{}", text));
    }
    LOSS
}

/// The end of a comparison.
pub(crate) fn compared(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::NotChecked | Verdict::Ok | Verdict::Skipped => OK,
        Verdict::Failed => LIMIT,
    }
}

/// Several errors of one run, each a sentence.
#[derive(Debug)]
pub(crate) struct Sentences(pub(crate) Vec<String>);

impl std::fmt::Display for Sentences {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for Sentences {}

/// Prints the error, if stderr is open: a line for each sentence, whatever the names and keys in it hold.
pub(crate) fn error(error: &anyhow::Error) -> u8 {
    // Our errors are whole sentences that name their causes.
    // If even stderr is gone, the exit code has to do.
    let lines = match error.downcast_ref::<Sentences>() {
        Some(Sentences(sentences)) => Text::<Lines>::joined(sentences, "\n"),
        None => text!("{}", error.to_string()),
    };
    standard::note(&text!("error: {}", lines));
    ERROR
}
