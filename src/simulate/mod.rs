//! `bigtpuprofile simulate`.

mod calibrate;
mod show;

use anyhow::Result;
use bigtpu_session::simulate::simulate;

use crate::args::simulate::Args;
use crate::console::ignore_broken_pipe;
use crate::console::note;

/// Simulates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    if !args.calibrate.is_empty() {
        return calibrate::run(args);
    }
    let simulated = simulate(&args.request(), &note)?;
    ignore_broken_pipe(show::show(args, &simulated))
}
