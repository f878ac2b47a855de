//! Input that means harm: it costs itself, and nothing else.

mod directory;
mod hidden;
mod host_trace;
mod names;
mod numbers;
mod sources;

use std::path::Path;
use std::process::Command;

use crate::support::run::{ONE_ARENA, Said, finish};

/// Analyzes a dump with no more than 512 MB of memory and a minute of a processor.
fn analyze_within_bounds(dump: &Path, out: &Path, args: &[&str]) -> Said {
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -v 524288; ulimit -t 60; exec "$@""#, "sh"]);
    command.arg(env!("CARGO_BIN_EXE_bigtpuprofile")).arg(dump).arg(out).args([
        "--emit",
        "text,report,trace,summary,workbook",
        "-j2",
    ]);
    finish(command.args(args).env(ONE_ARENA.0, ONE_ARENA.1))
}
