//! `bigtpuprofile synth`.

use anyhow::Result;
use bigtpu_synth::Options;

use crate::args::synth::Args;

/// Writes the dump that the arguments describe.
pub(crate) fn run(args: &Args) -> Result<()> {
    let options = Options::of_chip(&args.chip)?;
    Ok(bigtpu_synth::write(&options, &args.out)?)
}
