//! The page and the trace of a measured and a predicted run, with both timelines.

use bigtpu_answers::{Compared, SourcedRun, Unit, diff};
use bigtpu_emit::Quiet;
use bigtpu_emit_perfetto::TraceDetail;
use bigtpu_emit_web::{RunsKind, RunsPage};
use bigtpu_output::{OutDir, OutputError, Written};

use crate::run::Run;

/// How much a trace of both runs tells of each command.
pub(crate) fn detail_of(measured: &Run<'_>, predicted: &Run<'_>) -> TraceDetail {
    TraceDetail::of_commands(measured.profile.event_count() + predicted.profile.event_count())
}

/// Writes the page. `predicted_as`: what the predicted run is called; `kind`: what it is to the measured one. `walls`: the times of
/// both, where others than those of the profiles are told of them.
pub(crate) fn write_page(
    measured: &Run<'_>,
    (predicted, predicted_as): (&Run<'_>, &str),
    (kind, walls): (RunsKind, [Option<f64>; 2]),
    out: &OutDir,
    file: &str,
) -> Result<Written, OutputError> {
    let side = |name: &str, run: &Run<'_>, wall: Option<f64>| {
        let mut report = Compared::from_report(run.report());
        if let Some(ns) = wall {
            report.set_wall(ns);
        }
        SourcedRun { name: name.to_owned(), unit: Unit::default(), occasion: None, report }
    };
    let [before, after] = walls;
    let measured_side = side(&measured.source, measured, before);
    let diff = diff(&[measured_side], &[side(predicted_as, predicted, after)], false);
    let page = RunsPage { kind, diff: &diff, verdicts: Vec::new() };
    let runs = [measured.page_run(), predicted.page_run()];
    page.write([&runs[0], &runs[1]], out, file, &Quiet)
}
