//! A measured pipeline next to ideal schedules of its costs.

use std::io::Read;
use std::path::Path;

use bigtpu_emit_predict::pipeline::{Labels, Titled};
use bigtpu_format::{MOST_MODEL, read_given};
use bigtpu_predict::pipeline::{
    Cost, CostPer, Plan, Report, Schedule, StageCosts, measured_timeline, median_costs,
    read_torch_steps,
};

use super::error::PipelineFailure;
use super::{PipelineRequest, Simulated, schedules};
use crate::Unreadable;
use crate::note::Say;

/// Longest trace that is read, uncompressed.
const MOST_BYTES: u64 = 4 << 30;

/// Shows the trace and the schedules.
pub(super) fn run(
    path: &Path,
    request: &PipelineRequest,
    say: Say<'_>,
) -> Result<Simulated, PipelineFailure> {
    let advice = "give a torch profiler trace to --torch";
    let text = text(path).map_err(Unreadable::at(path, advice))?;
    let steps = read_torch_steps(&text)
        .map_err(|source| PipelineFailure::Torch { path: path.to_owned(), source })?;
    let measured = measured_timeline(&steps);
    let costs = median_costs(&measured);
    let names = if request.schedule.is_empty() {
        vec!["1f1b".to_owned()]
    } else {
        request.schedule.clone()
    };
    let base = Plan {
        costs: StageCosts::Stages(costs, CostPer::Stage),
        chunks: Some(1),
        ..Plan::uniform(Schedule::GPipe, 0, measured.layout.microbatches, Cost::default())
    };
    let mut shown = vec![Titled {
        title: "measured".into(),
        report: Report::of_timeline(&base, &measured, None),
    }];
    let mut refused = Vec::new();
    for schedule in schedules(&names)? {
        let chunks = (!schedule.is_v_shaped()).then_some(1);
        match Report::of(&Plan { schedule, chunks, ..base.clone() }, None) {
            Ok(report) => shown.push(Titled { title: format!("{schedule}, ideal").into(), report }),
            Err(error) => refused.push(error.into()),
        }
    }
    let labels = Labels { unit: "ns".into(), ..Labels::default() };
    Simulated::finish(request, shown, &refused, labels, true, say)
}

/// The trace's text; one that is gzipped is inflated.
fn text(path: &Path) -> std::io::Result<String> {
    let bytes = read_given(path, MOST_MODEL)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let inflated = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        inflated.take(MOST_BYTES).read_to_string(&mut text)?;
        return Ok(text);
    }
    String::from_utf8(bytes)
        .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
}
