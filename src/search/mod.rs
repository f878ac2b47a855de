//! `bigtpuprofile search`.

mod chain;
mod output;

use anyhow::Result;
use bigtpu_session::search::{Outcome, find};

use crate::args::search::Args;

/// Searches or evaluates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    match find(&args.request())? {
        Outcome::Found(found) => output::found(args, &found),
        Outcome::Evaluated(found) => output::evaluated(args, &found),
        Outcome::Chain(found) => chain::found(args, &found),
    }
}
