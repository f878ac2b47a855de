//! The views of the simulated run; of a dump also both runs side by side.

use anyhow::Result;
use bigtpu_answers::{Compared, Run as Side, Unit, diff};
use bigtpu_emit::Quiet;
use bigtpu_emit_perfetto::{MergedOptions, MergedTrace};
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_output::{OutDir, Written};
use bigtpu_session::Run;

const TRACE: &str = "simulate.pftrace";
const PAGE: &str = "simulate.html";
const TIME_LINE: &str = "The measured and the simulated run start at the same time.";
const CHANGE: &str = "simulated from the commands' bits";

pub(super) fn write(
    names: &[String],
    measured: Option<&Run<'_>>,
    simulated: &Run<'_>,
    out: &OutDir,
) -> Result<Vec<Written>> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut written = simulated.write(&names, None, out, &Quiet)?;
    let Some(measured) = measured else { return Ok(written) };
    let options = MergedOptions {
        file: TRACE,
        title: "Measured and simulated run",
        time_line: TIME_LINE,
        compress: false,
        host: None,
    };
    let mut trace = MergedTrace::create(out, options)?;
    for (name, run) in [("Measured", measured), ("Simulated", simulated)] {
        trace.device(run.device(name, 0), &Quiet)?;
    }
    written.push(trace.finish()?);
    let side = |name: &str, run: &Run<'_>| Side {
        name: name.to_owned(),
        unit: Unit::default(),
        report: Compared::of(&run.analysis.report),
    };
    let diff = diff(&[side(&measured.source, measured)], &[side(CHANGE, simulated)]);
    let page = RunsPage { kind: RunsKind::Prediction, diff: &diff, verdicts: &[] };
    let runs = [measured.page_run(), simulated.page_run()];
    written.push(page.write([&runs[0], &runs[1]], out, PAGE, &Quiet)?);
    Ok(written)
}
