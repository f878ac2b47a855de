//! What a trace is cut to: `--window`, `--kernel`.

use bigtpu_session::{CutRequest, TimeWindow};
use clap_complete::ArgValueCompleter;

use crate::complete;

/// A part of the run for the trace.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CutArgs {
    /// Write only this time of the run to the trace, such as 100us:1.5ms, 2ms: or :500us; ns, us (also without a unit),
    /// ms or s from the first event. All other results are of the whole run
    #[arg(long, value_name = "FROM:TO", conflicts_with = "trace_file")]
    window: Option<TimeWindow>,

    /// Write only the times to the trace in which a kernel or layer of this name ran; * is any text and ? any letter,
    /// as in 'matmul*'
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "trace_file",
        add = ArgValueCompleter::new(complete::parts)
    )]
    kernel: Option<String>,
}

impl CutArgs {
    /// What is asked for.
    pub(crate) fn request(&self) -> CutRequest {
        CutRequest { window: self.window, kernel: self.kernel.clone() }
    }
}
