//! `bigtpuprofile synth`.

mod compiled;

use anyhow::Result;
use bigtpu_output::put;

use crate::args::synth::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;
use crate::written::written_lines;

/// Writes the dump that the arguments describe.
pub(crate) fn run(args: &Args) -> Result<()> {
    let written = match args.cluster()? {
        Some(cluster) => bigtpu_synth::write_cluster(&cluster, &args.out)?,
        None => bigtpu_synth::write(&args.options()?, &args.out)?,
    };
    let compiled = compiled::write(args)?;
    if args.quiet {
        return Ok(());
    }
    let (files, bytes) = (written.files, written.bytes);
    let show = || -> Result<()> {
        let mut out = standard::out();
        put!(out, "{}: {} files, {} bytes\n", args.out, files, bytes)?;
        for line in written_lines(&compiled, true) {
            put!(out, "written: {}\n", line)?;
        }
        Ok(())
    };
    ignore_broken_pipe(show())
}
