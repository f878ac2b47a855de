//! A measured pipeline next to ideal schedules of its costs.

use std::path::Path;

use bigtpu_emit_predict::pipeline::{Labels, Titled};
use bigtpu_format::{MOST_MODEL, read_given};
use bigtpu_messages::{error_message, message};
use bigtpu_predict::pipeline::{
    Cost, CostPer, Layout, PhaseSet, PipelineReport, Plan, Schedule, StageCosts, Way,
    measured_timeline, median_costs, read_torch_steps, recorded_schedule,
};

use super::error::PipelineFailure;
use super::{PipelineRequest, Simulated, schedules};
use crate::Unreadable;
use crate::gzip::unpacked;
use crate::note::Say;

/// Shows the trace and the schedules.
pub(super) fn run(
    path: &Path,
    request: &PipelineRequest,
    say: Say<'_>,
) -> Result<Simulated, PipelineFailure> {
    let advice = error_message!("problem-give-torch");
    let text = text(path).map_err(Unreadable::from_io(path, advice))?;
    let steps = read_torch_steps(&text)
        .map_err(|source| PipelineFailure::Torch { path: path.to_owned(), source })?;
    if !steps.left_out.is_empty() {
        let kinds = steps.left_out.join(", ");
        say(message!("pipeline-unknown-steps", kinds = kinds));
    }
    let measured = measured_timeline(&steps);
    let layout = measured.layout;
    let parts = median_costs(&measured);
    let has_weights = parts.iter().any(|cost| cost.wgt > 0);
    let recorded = recorded_schedule(&measured);
    let nearest = recorded.unwrap_or(match (layout.way, layout.chunks, has_weights) {
        (Way::Turning, ..) => Schedule::ZeroBubbleV,
        (Way::BothWays, ..) => Schedule::DualPipe,
        (Way::Straight, 1, false) => Schedule::OneForwardOneBackward,
        (Way::Straight, 1, true) => Schedule::ZeroBubbleH1,
        (Way::Straight, _, false) => Schedule::Interleaved,
        (Way::Straight, _, true) => Schedule::ZeroBubble,
    });
    let names = if request.schedule.is_empty() {
        vec![nearest.name().to_owned()]
    } else {
        request.schedule.clone()
    };
    let work = if parts.iter().any(|cost| cost.bwd > 0) {
        PhaseSet::Training
    } else {
        PhaseSet::Inference
    };
    let base =
        Plan { work, ..Plan::uniform(Schedule::GPipe, 0, layout.microbatches, Cost::default()) };
    let title = match recorded {
        Some(schedule) => message!("pipeline-measured-order", schedule = schedule.to_string()),
        None => message!("pipeline-measured"),
    };
    let mut shown =
        vec![Titled { title, report: PipelineReport::of_timeline(&base, &measured, None) }];
    let mut refused = Vec::new();
    for schedule in schedules(&names)? {
        // The recorded chunks where the schedule passes them in the same way; else whole stages.
        let divides = layout.passed_chunks() == 1 || schedule.takes_chunks();
        let (chunks, costs) = if divides && schedule.way() == layout.way {
            (Some(layout.chunks), StageCosts::Parts(parts.clone(), layout.stages))
        } else {
            (
                (schedule.way() == Way::Straight).then_some(1),
                StageCosts::Stages(of_stages(&parts, layout), CostPer::Stage),
            )
        };
        match PipelineReport::simulate(&Plan { schedule, chunks, costs, ..base.clone() }, None) {
            Ok(report) => shown.push(Titled {
                title: message!("pipeline-ideal", schedule = schedule.to_string()),
                report,
            }),
            Err(error) => refused.push(error.into()),
        }
    }
    let labels = Labels { unit: "ns".into(), ..Labels::default() };
    Simulated::finish(request, shown, &refused, labels, true, say)
}

/// The cost of all parts of each stage.
fn of_stages(parts: &[Cost], layout: Layout) -> Vec<Cost> {
    let mut stages = vec![Cost::default(); layout.stages as usize];
    for (position, part) in (0..).zip(parts) {
        if let Some(stage) = stages.get_mut(layout.stage_and_chunk(position, 0).0 as usize) {
            stage.fwd = stage.fwd.saturating_add(part.fwd);
            stage.bwd = stage.bwd.saturating_add(part.bwd);
            stage.wgt = stage.wgt.saturating_add(part.wgt);
        }
    }
    stages
}

/// The trace's text; one that is gzipped is inflated.
fn text(path: &Path) -> std::io::Result<String> {
    let bytes = unpacked(read_given(path, MOST_MODEL)?)?;
    String::from_utf8(bytes)
        .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
}
