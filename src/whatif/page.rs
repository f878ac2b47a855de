//! `whatif.html`: the page of the measured and the predicted run, with both timelines.

use anyhow::Result;
use bigtpu_answers::{Run as Side, diff};
use bigtpu_emit::{OutDir, Quiet, Written};
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_session::Run;

const FILE: &str = "whatif.html";

pub(super) fn write(measured: &Run<'_>, predicted: &Run<'_>, out: &OutDir) -> Result<Written> {
    let side = |name: &str, run: &Run<'_>| Side {
        name: name.to_owned(),
        report: run.analysis.report.clone(),
    };
    let diff = diff(&[side("measured", measured)], &[side("predicted", predicted)]);
    let page = RunsPage { kind: RunsKind::Prediction, diff: &diff, verdicts: &[] };
    let runs = [measured.page_run(), predicted.page_run()];
    Ok(page.write([&runs[0], &runs[1]], out, FILE, &Quiet)?)
}
