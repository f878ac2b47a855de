//! Arguments of `bigtpuprofile explain`.

use bigtpu_messages::error_message;
use std::ffi::OsStr;
use std::sync::OnceLock;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;

use super::lang::{self, LangArgs};
use crate::explain::{Explained, explained, names};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile explain serialized
      what this piece of advice means, when it is given, and how its gain is computed
  bigtpuprofile explain slack
      what a term, a metric, a column of a table or a field of a query or of report.json is
  bigtpuprofile explain 'no global.profile here'
      a note or an error, or a part of it: the whole sentence, its causes, what to do
  bigtpuprofile explain why is the TIU idle
      a question: the section of the documents that answers it, and others
  bigtpuprofile explain docs/capture.md
      a document that a message names; docs/analysis.md#roofline is one section
  bigtpuprofile explain
      the names of all that is explained";

/// Explain a rule of the advice, a term, a metric, a column, a field, a note or an error; print a document
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A name, a sentence or a question, as results and documents have it; without: all names
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = NameParser)]
    words: Vec<String>,

    /// What is said of it, since it was sought.
    #[arg(skip)]
    found: OnceLock<Explained>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is asked for: its words need no quotation marks.
    pub(crate) fn name(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join(" "))
    }

    /// What is said of it, once it is known that something is.
    pub(crate) fn found(&self) -> Option<&Explained> {
        self.found.get()
    }

    /// A usage error where nothing is said of it.
    pub(crate) fn check(&self, command: &mut clap::Command) -> Result<(), clap::Error> {
        let language = lang::of_process();
        let Some(given) = self.name() else { return Ok(()) };
        let said = match explained(&given, language) {
            Ok(found) => {
                self.found.get_or_init(|| found);
                return Ok(());
            }
            Err(Some(name)) => error_message!("problem-not-explained-near", given, name),
            Err(None) => error_message!("problem-not-explained", given),
        };
        let explain = command.find_subcommand_mut("explain");
        let command = explain.ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?;
        Err(command.error(ErrorKind::InvalidValue, said.text(language)))
    }
}

/// Takes any word; completions list the names.
#[derive(Debug, Clone)]
struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(
        &self,
        _: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}
