//! Arguments of `bigtpuprofile info`.

use std::path::PathBuf;

/// Show what a dump holds, by its heads alone: in milliseconds, whatever its size
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Dump directory
    pub(crate) dump: PathBuf,
}
