//! `bigtpuprofile synth`.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_output::put;
use bigtpu_session::synthetic::write;

use crate::args::synth::Args;
use crate::console::ignore_broken_pipe;
use crate::written::written_lines;

/// Writes the dump that the arguments describe.
pub(crate) fn run(args: &Args) -> Result<()> {
    let written = write(&args.request()?, &standard::note)?;
    if args.quiet {
        return Ok(());
    }
    let show = || -> Result<()> {
        let mut out = standard::out();
        put!(out, "{}: {} files, {} bytes\n", args.out, written.files, written.bytes)?;
        for line in written_lines(&written.compiled, true) {
            put!(out, "written: {}\n", line)?;
        }
        Ok(())
    };
    ignore_broken_pipe(show())
}
