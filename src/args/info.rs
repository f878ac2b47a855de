//! Arguments of `bigtpuprofile info`.

use std::path::PathBuf;

use bigtpu_session::info::Request;

use super::lang::LangArgs;
use super::views::{Arch, chip};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile info cdm_profile_data_dev0-0
      chip, mode, records of each engine, how large the PMU rings must be, and what is missing
  bigtpuprofile info old_dump --arch BM1690
      a dump whose global.profile does not name the chip
  bigtpuprofile info large_dump --headers
      the same without reading records and commands: in a moment, however large the dump is";

/// Show what a dump contains, and whether it is complete
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directory, or a directory with dumps
    dump: PathBuf,

    /// Chip, for dumps that do not name it: a name such as BM1690, or a number of the runtime such as 8800
    #[arg(long, value_name = "CHIP", value_parser = chip)]
    arch: Option<Arch>,

    /// Read only the heads of files and blocks: records and commands are counted, not read, and completeness can't be verified
    #[arg(long)]
    headers: bool,

    /// For libsophon's bmprofile_data*: show only iteration N (default: all)
    #[arg(long, value_name = "N")]
    iteration: Option<u32>,

    #[command(flatten)]
    lang: LangArgs,
}

impl Args {
    /// What is wanted.
    pub(crate) fn request(&self) -> Request<'_> {
        Request {
            dump: &self.dump,
            iteration: self.iteration,
            chip: self.arch.map(Arch::chip),
            only_headers: self.headers,
            language: self.lang.language(),
        }
    }
}
