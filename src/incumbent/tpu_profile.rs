//! The program under the names `tpu_profile` (tpu-mlir) and `bmprofile` (PPL): their arguments, and what they write.

use std::ffi::OsString;
use std::path::PathBuf;

use bigtpu_chip::{Chip, Family};
use bigtpu_session::views;
use clap::{Parser, ValueEnum};

use crate::args::Cli;
use crate::args::views::{Arch, chip};
use crate::incumbent::Defaults;

const AFTER_HELP: &str = "\
This is bigtpuprofile under the name of another program: it takes the arguments of that program and writes its files, \
with its own numbers. docs/compat.md lists the differences. `bigtpuprofile --help` shows all that it can do.";

/// The arguments of the other program.
#[derive(Debug, Parser)]
#[command(
    name = "tpu_profile",
    version,
    about = "Shows where the time of a TPU run went",
    after_help = AFTER_HELP
)]
struct Args {
    /// Dump directory: bmprofile_data* or cdm_profile_data*
    input_dir: PathBuf,

    /// Directory for the results
    #[arg(default_value = "profile_out")]
    output_dir: PathBuf,

    /// What the dump is read as
    #[arg(long, value_enum, ignore_case = true, default_value_t)]
    mode: Mode,

    /// Chip, for dumps that do not name it, such as BM1684X, A2 or tpub_7_1
    #[arg(long, value_name = "CHIP", value_parser = chip)]
    arch: Option<Arch>,

    /// What is written
    #[arg(long, value_enum, ignore_case = true, default_value_t)]
    format: Format,

    /// Show all notes
    #[arg(long)]
    debug: bool,
}

/// What the dump is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Mode {
    /// Measured times of a run
    #[default]
    Time,
    /// The same
    #[value(name = "perfAI")]
    PerfAi,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// The page, and the data that scripts read beside it
    #[default]
    Html,
    /// layer.csv, instruction.csv, summary.csv and mac_util.csv
    Layer,
}

impl Format {
    /// The views of a dump of this chip.
    pub(crate) fn views(self, chip: &Chip) -> Vec<String> {
        let views: &[&str] = match (self, chip.family) {
            (Self::Layer, _) => &[views::MLIR_TABLES],
            (Self::Html, Family::Bm1684x) => &[views::FLAT_PAGE, views::COMMAND_LINES],
            (Self::Html, _) => &[views::PAGE, views::WORKBOOK],
        };
        views.iter().map(|&view| view.to_owned()).collect()
    }
}

/// Parses a call of `tpu_profile` into the same call of `bigtpuprofile`. Ends the process on wrong usage.
pub(crate) fn parse(given: Vec<OsString>) -> Result<Cli, clap::Error> {
    let args = Args::parse_from(given);
    let own = ["bigtpuprofile".into(), "--".into(), args.input_dir.into(), args.output_dir.into()];
    let mut cli = crate::args::parsed(&own)?;
    let options = &mut cli.analyze.options;
    options.verbose = args.debug;
    options.views.arch = args.arch;
    options.views.defaults = Defaults::TpuProfile(args.format);
    Ok(cli)
}
