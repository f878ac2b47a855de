//! `whatif.html`: the page of the measured and the predicted run.

use bigtpu_emit_web::RunsKind;
use bigtpu_output::{OutDir, OutputError, Written};

use crate::run::Run;
use crate::two_runs::write_page;

const FILE: &str = "whatif.html";

/// `changes` as `--scale` takes them; without any the predicted run is the measured one.
pub(super) fn write(
    measured: &Run<'_>,
    predicted: &Run<'_>,
    changes: &[String],
    out: &OutDir,
) -> Result<Written, OutputError> {
    let changes = if changes.is_empty() { "no change".to_owned() } else { changes.join(", ") };
    write_page(measured, (predicted, &changes), (RunsKind::Prediction, [None; 2]), out, FILE)
}
