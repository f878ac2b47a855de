//! Arguments of `bigtpuprofile simulate`.

use std::path::PathBuf;

use bigtpu_session::simulate::{CalibrateRequest, SimulateRequest};
use bigtpu_session::views;
use clap::builder::PossibleValuesParser;

use crate::args::lang::LangArgs;
use crate::args::views::{Arch, chip};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile simulate bmprofile_data-1
      the time of each core as its commands' bits explain it, beside the measured time
  bigtpuprofile simulate bmprofile_data-1 out
      the same, and in out: commands.csv (command by command), simulate.html and simulate.pftrace (both time lines), \
    and all views of the simulated run
  bigtpuprofile simulate model.bmodel out
      a compiled model without hardware
  bigtpuprofile simulate bmprofile_data-1 --json | jq .marks
      for scripts: how much of the time is exact, fitted, estimated and not validated
  bigtpuprofile simulate --calibrate my_dump other_dump --to my.json
      constants from your own records, for bigtpuprofile simulate model.bmodel --model my.json

INPUT is a dump with descriptors (PMU mode 2, a static model, libsophon's command files), a .bmodel, or command files of \
    the CModel (LABEL-LAUNCH-GROUP.BD.CORE ..., one of them or their directory; --chip is needed). Each command is exact (met \
    hardware to the cycle), fitted, estimated or not validated; docs/prediction/simulate.md has the rules and their errors.";

/// Predict the time line of a command stream without hardware
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directory with descriptors, .bmodel, or command files of the CModel
    #[arg(required_unless_present = "calibrate")]
    pub(crate) input: Option<PathBuf>,

    /// Output directory
    pub(crate) output: Option<PathBuf>,

    /// Write only these views of the simulated run, such as trace,summary
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(views::names()),
        default_value = "trace,summary,report,page",
        requires = "output"
    )]
    pub(crate) emit: Vec<String>,

    /// Chip of command files, which do not name it; of a .bmodel: instead of its own
    #[arg(long, alias = "arch", value_name = "CHIP", value_parser = chip)]
    pub(crate) chip: Option<Arch>,

    /// Only this net of a .bmodel
    #[arg(long, value_name = "NAME")]
    pub(crate) net: Option<String>,

    /// Only this stage (shape of the inputs, from 0) of each net of a .bmodel
    #[arg(long, value_name = "N")]
    pub(crate) stage: Option<usize>,

    /// Constants to use instead of the chip's own: a file of --calibrate
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,

    /// Fit the constants to the records of these dumps of one chip, and show the error of every second command, which is left out
    #[arg(long, value_name = "DUMP", num_args = 1.., conflicts_with_all = ["input", "chip", "net", "stage", "json"])]
    pub(crate) calibrate: Vec<PathBuf>,

    /// With --calibrate: write the constants here, for --model
    #[arg(long, value_name = "FILE", requires = "calibrate")]
    pub(crate) to: Option<PathBuf>,

    /// Print only the result as JSON, on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is simulated; no input with `--calibrate`.
    pub(crate) fn request(&self) -> SimulateRequest {
        SimulateRequest {
            input: self.input.clone().unwrap_or_default(),
            chip: self.chip.map(Arch::chip),
            net: self.net.clone(),
            stage: self.stage,
            model: self.model.clone(),
            out: self.output.clone(),
            views: self.emit.clone(),
        }
    }

    /// From which dumps constants are learned.
    pub(crate) fn calibration(&self) -> CalibrateRequest {
        CalibrateRequest {
            dumps: self.calibrate.clone(),
            model: self.model.clone(),
            to: self.to.clone(),
        }
    }
}
