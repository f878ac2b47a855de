//! Pipelines that no schedule describes.

use bigtpu_messages::{error_message, message};
use std::path::Path;

use bigtpu_emit_predict::pipeline::{Labels, Titled};
use bigtpu_format::{MOST_MODEL, read_given_text};
use bigtpu_output::Json;
use bigtpu_predict::pipeline::{PipelineReport, Plan, graph_json, read_graph};

use super::error::PipelineFailure;
use super::{PipelineRequest, Simulated, rules};
use crate::Unreadable;
use crate::note::Say;
use crate::outputs::write_file;

/// Simulates the graph of a file.
pub(super) fn run(
    path: &Path,
    request: &PipelineRequest,
    say: Say<'_>,
) -> Result<Simulated, PipelineFailure> {
    let at = |source| PipelineFailure::Graph { path: path.to_owned(), source };
    let advice = error_message!("problem-give-graph");
    let text = read_given_text(path, MOST_MODEL).map_err(Unreadable::from_io(path, advice))?;
    let graph = read_graph(&text).map_err(at)?;
    let report = PipelineReport::of_graph(&graph, rules(request)).map_err(at)?;
    let labels =
        Labels { unit: request.unit.clone().unwrap_or_default().into(), ..Labels::default() };
    let titled = vec![Titled { title: message!("pipeline-graph"), report }];
    Simulated::finish(request, titled, &[], labels, false, say)
}

/// Writes the graph of the only plan.
pub(super) fn save(
    path: &Path,
    plan: &Plan,
    request: &PipelineRequest,
) -> Result<(), PipelineFailure> {
    if request.schedule.len() != 1
        || request.schedule.iter().any(|name| name == "all")
        || !request.sweep.is_empty()
    {
        return Err(PipelineFailure::SeveralGraphs);
    }
    let text = graph_json(&plan.graph()?)? + "\n";
    write_file(path, &Json::in_file(&text))?;
    Ok(())
}
