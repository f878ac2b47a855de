//! `bigtpuprofile synth`.

use std::io::Write;

use anyhow::Result;

use crate::args::synth::Args;

/// Writes the dump that the arguments describe.
pub(crate) fn run(args: &Args) -> Result<()> {
    let written = bigtpu_synth::write(&args.options()?, &args.out)?;
    if !args.quiet {
        let (files, bytes) = (written.files, written.bytes);
        writeln!(std::io::stdout(), "{}: {files} files, {bytes} bytes", args.out.display())?;
    }
    Ok(())
}
