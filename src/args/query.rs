//! Arguments of `bigtpuprofile query`.

use std::path::PathBuf;

use bigtpu_session::query::{QueryField, QueryRequest};
use clap::builder::{PossibleValue, TypedValueParser};

use super::lang::LangArgs;
use super::views::{Arch, chip};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile query cdm_profile_data_dev0-0 'bytes>1MiB stride_enable=1 not:wait' --sort dur
      transfers of more than 1 MiB with a stride, the longest first
  bigtpuprofile query cdm_profile_data_dev0-0 'layer:conv* dur>5us' --by name
      commands of layers whose name or operation starts with conv, longer than 5 us: count, time and bytes by function
  bigtpuprofile query cdm_profile_data_dev0-0 gap:sync --csv > gaps.csv
      times in which an engine waited for another, for a script

All parts of a query must match; put it in quotes, since < and > mean something to a shell. docs/query.md lists the fields; every \
    register field is one, too.";

/// Find commands by any of their values; sum them up
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directory
    pub(crate) dump: PathBuf,

    /// What to find, such as 'bytes>1MiB dur>5us'; words without a field are looked for in names; several arguments are one query;
    /// without: all commands
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    /// Sum up what is found by the values of a field, such as kernel or stride_enable
    #[arg(long, value_name = "FIELD", hide_possible_values = true, value_parser = FieldName { sums: &[] })]
    pub(crate) by: Option<String>,

    /// Sort by a field: numbers from the greatest, texts by their letters (default: by start); with --by by count, time, bytes or
    /// that field (default: time)
    #[arg(long, value_name = "FIELD", hide_possible_values = true, value_parser = FieldName { sums: &["count", "time"] })]
    pub(crate) sort: Option<String>,

    /// Show at most N commands or groups (default: 20 in a table, all in CSV and JSON)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Print CSV on stdout: the columns of events.csv, and the register fields that the query names
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// Print JSON on stdout: the sums, and the same columns
    #[arg(long)]
    pub(crate) json: bool,

    /// Chip, for dumps that do not name it: a name such as BM1690, or a number of the runtime such as 8800
    #[arg(long, value_name = "CHIP", value_parser = chip)]
    arch: Option<Arch>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is asked.
    pub(crate) fn request(&self) -> QueryRequest {
        QueryRequest {
            dump: self.dump.clone(),
            chip: self.arch.map(Arch::chip),
            text: self.query.join(" "),
            by: self.by.clone(),
            sort: self.sort.clone(),
            all_columns: self.csv || self.json,
        }
    }

    /// How many are shown at most.
    pub(crate) fn most(&self) -> Option<usize> {
        self.limit.map(|most| usize::try_from(most).unwrap_or(usize::MAX))
    }
}

/// The name of a field: any, since the register fields are known only with the dump. Shells complete those that all dumps have.
#[derive(Debug, Clone)]
struct FieldName {
    /// What may stand there besides fields.
    sums: &'static [&'static str],
}

impl TypedValueParser for FieldName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let fields =
            QueryField::ALL.iter().filter(|field| field.is_value()).map(|field| field.name());
        Some(Box::new(self.sums.iter().copied().chain(fields).map(PossibleValue::new)))
    }
}
