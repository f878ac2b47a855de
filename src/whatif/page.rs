//! `whatif.html`: the page of the measured and the predicted run, with both timelines.

use anyhow::Result;
use bigtpu_answers::{Compared, Run as Side, Unit, diff};
use bigtpu_emit::Quiet;
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_output::{OutDir, Written};
use bigtpu_session::Run;

const FILE: &str = "whatif.html";

/// `changes` as `--scale` takes them; without any the predicted run is the measured one.
pub(super) fn write(
    measured: &Run<'_>,
    predicted: &Run<'_>,
    changes: &[String],
    out: &OutDir,
) -> Result<Written> {
    let side = |name: &str, run: &Run<'_>| Side {
        name: name.to_owned(),
        unit: Unit::default(),
        report: Compared::of(&run.analysis.report),
    };
    let changes = if changes.is_empty() { "no change".to_owned() } else { changes.join(", ") };
    let diff = diff(&[side(&measured.source, measured)], &[side(&changes, predicted)]);
    let page = RunsPage { kind: RunsKind::Prediction, diff: &diff, verdicts: &[] };
    let runs = [measured.page_run(), predicted.page_run()];
    Ok(page.write([&runs[0], &runs[1]], out, FILE, &Quiet)?)
}
