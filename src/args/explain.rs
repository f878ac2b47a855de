//! Arguments of `bigtpuprofile explain`.

use bigtpu_messages::error_message;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;

use super::lang::{self, LangArgs};
use crate::explain::{names, refusal};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile explain serialized
      what this piece of advice means, when it is given, and how its gain is computed
  bigtpuprofile explain slack
      what a term, a metric, a column of a table or a field of a query or of report.json is
  bigtpuprofile explain 'no global.profile here'
      a note or an error, or a part of it: the whole sentence, its causes, what to do
  bigtpuprofile explain docs/capture.md
      a document that a message names; docs/analysis.md#roofline is one section
  bigtpuprofile explain
      the names of all that is explained";

/// Explain a rule of the advice, a term, a metric, a column, a field, a note or an error; print a document
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A name or a sentence, as results and documents have it; without: all names
    #[arg(value_name = "NAME", value_parser = NameParser, hide_possible_values = true)]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// Takes what is explained: a name in small or capital letters, with blanks, `-` or `_`; a sentence or a part of one; the place
/// of a document. Completions list the names.
#[derive(Debug, Clone)]
struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let given = value.to_string_lossy();
        let Some(nearest) = refusal(&given, lang::of_process()) else {
            return Ok(given.into_owned());
        };
        let said = match nearest {
            Some(name) => error_message!("problem-not-explained-near", given, name),
            None => error_message!("problem-not-explained", given),
        };
        let said = said.text(lang::of_process());
        Err(command.clone().error(ErrorKind::InvalidValue, said))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}
