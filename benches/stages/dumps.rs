//! The dumps that are measured.

use bigtpu_synth::{Options, Style, write};
use bigtpu_timeline::{Dump, Profile};
use tempfile::TempDir;

/// A dump on disk, opened; its directory goes away with it.
pub(crate) struct Synth {
    pub(crate) dump: Dump,
    _dir: TempDir,
}

/// Launches on each core.
fn launches() -> u64 {
    std::env::var("BENCH_LAUNCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

/// What chip, style, mode and disturbance a stage is measured with.
pub(crate) fn options(mode: u8, change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::of_chip("aks").unwrap();
    (options.mode, options.launches, options.style) = (mode, launches(), Style::Op);
    change(&mut options);
    options
}

/// Writes and opens a dump.
pub(crate) fn synth(options: &Options) -> Synth {
    let dir = tempfile::tempdir().unwrap();
    write(options, dir.path()).unwrap();
    Synth { dump: Dump::open(dir.path()).unwrap(), _dir: dir }
}

impl Synth {
    /// The aligned events.
    pub(crate) fn profile(&self) -> Profile<'_> {
        Profile::build(&self.dump, &bigtpu_timeline::BuildOptions::default())
    }
}
