//! Arguments of `bigtpuprofile explain`.

use clap::builder::PossibleValuesParser;

use super::lang::LangArgs;
use crate::explain::rules;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile explain serialized
      what this piece of advice means, when it is given, and how its gain is computed
  bigtpuprofile explain
      the names of all rules";

/// Explain a rule of the advice
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Name of the rule, as the advice shows it; without: the names of all rules
    #[arg(value_name = "RULE", value_parser = PossibleValuesParser::new(rules().map(|(name, _)| name)))]
    pub(crate) rule: Option<String>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}
