//! `bigtpuprofile record`: from the application to the answer.

mod recorder;
mod runs;

use anyhow::Result;
use bigtpu_session::open::ShowRequest;

use crate::args::record::Args;
use crate::open;
use crate::threads::{self, Caller};
use recorder::Recorder;

/// Runs the command as often as asked for, analyzes each run, compares, and shows.
pub(crate) fn run(args: &Args) -> Result<u8> {
    threads::start(args.options.jobs, Caller::Works)?;
    let mut recorder = Recorder::new(args);
    let (code, shown) = match (&args.compare, args.runs) {
        (None, 1) => {
            (recorder.run(&args.command, &args.out, &args.options)?.code, args.out.clone())
        }
        (None, _) => runs::repeated(&mut recorder)?,
        (Some(other), _) => runs::compared(&mut recorder, other)?,
    };
    if args.open {
        let request = ShowRequest { what: shown, ..ShowRequest::default() };
        open::show(&request, args.no_browser, args.options.lang.language())?;
    }
    Ok(code)
}
