//! `bigtpuprofile synth`.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::message;
use bigtpu_output::put;
use bigtpu_session::synthetic::write;

use crate::args::synth::Args;
use crate::console::ignore_broken_pipe;
use crate::console::note;
use crate::written::show_written;

/// Writes the dump that the arguments describe.
pub(crate) fn run(args: &Args) -> Result<()> {
    let written = write(&args.request()?, &note)?;
    if args.quiet {
        return Ok(());
    }
    let show = || -> Result<()> {
        let mut out = standard::stdout();
        let line = message!(
            "synth-written",
            dump = args.out.display().to_string(),
            files = written.files,
            bytes = written.bytes
        );
        put!(out, "{}\n", line.text(args.lang.language()))?;
        Ok(show_written(&mut out, &written.compiled, args.lang.language())?)
    };
    ignore_broken_pipe(show())
}
