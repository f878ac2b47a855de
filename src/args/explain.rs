//! Arguments of `bigtpuprofile explain`.

use clap::builder::PossibleValuesParser;

use super::lang::LangArgs;
use crate::explain::names;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile explain serialized
      what this piece of advice means, when it is given, and how its gain is computed
  bigtpuprofile explain slack
      what a term, a metric, a column of events.csv or a field of a query is
  bigtpuprofile explain
      the names of all that is explained";

/// Explain a rule of the advice, a term, a metric, a column or a field
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A name, as results and documents have it; without: all names
    #[arg(
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(names()),
        hide_possible_values = true,
        ignore_case = true
    )]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}
