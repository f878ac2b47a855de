//! `bigtpuprofile synth`.

use std::io::Write;

use anyhow::Result;

use crate::args::synth::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;

/// Writes the dump that the arguments describe.
pub(crate) fn run(args: &Args) -> Result<()> {
    let written = match args.cluster()? {
        Some(cluster) => bigtpu_synth::write_cluster(&cluster, &args.out)?,
        None => bigtpu_synth::write(&args.options()?, &args.out)?,
    };
    if args.quiet {
        return Ok(());
    }
    let (files, bytes) = (written.files, written.bytes);
    let line = writeln!(standard::out(), "{}: {files} files, {bytes} bytes", args.out.display());
    ignore_broken_pipe(line.map_err(Into::into))
}
