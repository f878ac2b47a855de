//! Arguments of `bigtpuprofile explain`.

use bigtpu_messages::error_message;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;

use super::lang::{self, LangArgs};
use crate::explain::{is_page, is_same, names, plain};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile explain serialized
      what this piece of advice means, when it is given, and how its gain is computed
  bigtpuprofile explain slack
      what a term, a metric, a column of events.csv or a field of a query is
  bigtpuprofile explain docs/capture.md
      a document that a message names; docs/analysis.md#roofline is one section
  bigtpuprofile explain
      the names of all that is explained";

/// Explain a rule of the advice, a term, a metric, a column or a field; print a document
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A name, as results and documents have it; without: all names
    #[arg(value_name = "NAME", value_parser = NameParser, hide_possible_values = true)]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// Takes a name that is explained, in small or capital letters, with blanks, `-` or `_`; or the place of a document. Completions list all.
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
        if is_page(&given) {
            return Ok(given.into_owned());
        }
        if let Some(name) = names().find(|name| is_same(name, &given)) {
            return Ok(name.to_owned());
        }
        let likeness = |name: &&str| strsim::jaro(&plain(&given), &plain(name));
        let nearest = names().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
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
