//! `bigtpuprofile synth`.

mod compiled;

use std::io::Write;

use anyhow::Result;

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
        writeln!(out, "{}: {files} files, {bytes} bytes", args.out.display())?;
        for line in written_lines(&compiled, true) {
            writeln!(out, "written: {line}")?;
        }
        Ok(())
    };
    ignore_broken_pipe(show())
}
