//! How a run ends; clap ends with 2 on wrong usage. See `docs/command-line.md`.

use bigtpu_answers::Verdict;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Message, message};
use bigtpu_output::{Lines, Text, text};

use crate::args::lang;

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
    if has_loss && strict { lost(Message::new("error-data-lost"), quiet) } else { OK }
}

/// The end of a join of ranks, of which something is missing if it is not `whole`.
pub(crate) fn joined(whole: bool, strict: bool, quiet: bool) -> u8 {
    let is_lost = strict && !whole;
    if is_lost { lost(Message::new("error-ranks-lost"), quiet) } else { OK }
}

fn lost(what: Message, quiet: bool) -> u8 {
    if quiet {
        said(text!("{}", message!("error-strict", what = what).text(lang::of_process())));
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

/// An error of the command line itself.
pub(crate) fn failed(message: Message) -> anyhow::Error {
    anyhow::Error::msg(message)
}

/// Several errors of one run, each a sentence.
#[derive(Debug)]
pub(crate) struct Sentences(pub(crate) Vec<Message>);

impl std::fmt::Display for Sentences {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sentences: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        out.write_str(&sentences.join("; "))
    }
}

impl std::error::Error for Sentences {}

/// Prints the error, if stderr is open: a line for each sentence, whatever the names and keys in it hold.
pub(crate) fn error(error: &anyhow::Error) -> u8 {
    // Our errors are whole sentences that name their causes.
    // If even stderr is gone, the exit code has to do.
    let language = lang::of_process();
    let lines = match error.downcast_ref::<Sentences>() {
        Some(Sentences(sentences)) => {
            let lines: Vec<String> = sentences.iter().map(|one| one.text(language)).collect();
            Text::<Lines>::joined(&lines, "\n")
        }
        None => text!("{}", language.display(|| error.to_string())),
    };
    said(lines);
    ERROR
}

/// Says that something is an error.
pub(crate) fn said(what: Text<Lines>) {
    standard::note(&text!("{}{}", Message::new("error-label").text(lang::of_process()), what));
}
