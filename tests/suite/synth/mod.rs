//! Synthetic dumps: complete when read back, repaired if they have disturbances, with faults that can be measured.

mod command;
mod complete;
mod disturbances;
mod plants;
mod writers;

use std::fmt::Write;

use bigtpu_chip::Engine;
use bigtpu_synth::{Options, write};
use bigtpu_timeline::{Counts, Dump, Profile, Severity};
use tempfile::TempDir;

/// A dump on disk.
struct Synth {
    dir: TempDir,
}

impl Synth {
    fn new(options: &Options) -> Self {
        let dir = tempfile::tempdir().unwrap();
        write(options, dir.path()).unwrap();
        Self { dir }
    }

    fn look<T>(&self, look: impl FnOnce(&Profile<'_>) -> T) -> T {
        let dump = Dump::open(self.dir.path()).unwrap();
        look(&Profile::build(&dump, &bigtpu_timeline::BuildOptions::default()))
    }
}

/// The defaults of a chip, with a few changes.
fn options(chip: &str, change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::of_chip(chip).unwrap();
    change(&mut options);
    options
}

/// The sum of all engines' counts.
fn total(profile: &Profile<'_>, count: impl Fn(&Counts) -> u64) -> u64 {
    profile.ledger.lines.iter().map(|line| count(&line.counts)).sum()
}

fn notes(profile: &Profile<'_>) -> Vec<(Severity, String)> {
    profile.ledger.notes.iter().map(|note| (note.severity, note.to_string())).collect()
}

/// An engine's events as (cycles, id, kernel), without the first and last `margin` ns of rounding.
fn events(profile: &Profile<'_>, core: usize, engine: Engine) -> Vec<(i64, i64, String)> {
    let core = &profile.cores[core];
    let track = core.tracks.iter().find(|track| track.engine_id.engine == engine).unwrap();
    let kernel = |i: usize| {
        let tag = profile.tag(track, i);
        let mut name = String::new();
        write!(name, "{:?}", tag.kernel.map(|k| &profile.kernels[k as usize])).unwrap();
        name
    };
    (0..track.events.len())
        .map(|i| (track.events.cycles(i).unwrap(), track.events.id.value_at(i), kernel(i)))
        .collect()
}
