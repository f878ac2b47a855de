//! The views of the simulated run; of a dump also both runs side by side.

use bigtpu_emit::Quiet;
use bigtpu_emit_perfetto::{MergedOptions, MergedTrace};
use bigtpu_emit_web::RunsKind;
use bigtpu_output::{OutDir, OutputError, Written};

use super::answer::Answer;
use crate::run::Run;
use crate::two_runs::detail_of;
use crate::two_runs::write_page;

const TRACE: &str = "simulate.pftrace";
const PAGE: &str = "simulate.html";
const TIME_LINE: &str = "The measured and the simulated run start at the same time.";
const CHANGE: &str = "simulated";

pub(super) fn write(
    names: &[String],
    measured: Option<&Run<'_>>,
    simulated: &Run<'_>,
    answer: &Answer,
    out: &OutDir,
) -> Result<Vec<Written>, OutputError> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut written = simulated.write(&names, None, out, &Quiet)?;
    let Some(measured) = measured else { return Ok(written) };
    let options = MergedOptions {
        file: TRACE,
        title: "Measured and simulated run",
        time_line: TIME_LINE,
        compress: false,
        detail: detail_of(measured, simulated),
        host: None,
    };
    let mut trace = MergedTrace::create(out, options)?;
    for (name, run) in [("Measured", measured), ("Simulated", simulated)] {
        trace.device(run.device(name, 0), &Quiet)?;
    }
    written.push(trace.finish()?);
    // What the console and simulate.json say.
    let walls = [answer.measured_ns, Some(answer.predicted_ns)].map(|ns| ns.map(f64::round));
    written.push(write_page(
        measured,
        (simulated, CHANGE),
        (RunsKind::Simulation, walls),
        out,
        PAGE,
    )?);
    Ok(written)
}
