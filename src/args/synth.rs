//! Arguments of `bigtpuprofile synth`.

use std::path::PathBuf;

/// Write a synthetic dump: for demos, tests and measurements
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Directory for the dump
    pub(crate) out: PathBuf,

    /// Chip
    #[arg(long, value_name = "CHIP", default_value = "aks", value_parser = ["aks", "aksv", "bm1688", "cv84x6"], ignore_case = true)]
    pub(crate) chip: String,
}
