//! `whatif.html`: the page of the measured and the predicted run.

use anyhow::Result;
use bigtpu_output::{OutDir, Written};
use bigtpu_session::Run;

use crate::two_runs::write_page;

const FILE: &str = "whatif.html";

/// `changes` as `--scale` takes them; without any the predicted run is the measured one.
pub(super) fn write(
    measured: &Run<'_>,
    predicted: &Run<'_>,
    changes: &[String],
    out: &OutDir,
) -> Result<Written> {
    let changes = if changes.is_empty() { "no change".to_owned() } else { changes.join(", ") };
    write_page(measured, (predicted, &changes), out, FILE)
}
