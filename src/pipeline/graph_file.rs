//! `--graph` and `--save-graph`: pipelines that no schedule describes.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use bigtpu_emit_predict::pipeline::{Labels, Titled};
use bigtpu_output::ByLibrary;
use bigtpu_predict::pipeline::{Plan, Report, graph_json, read_graph};
use bigtpu_session::write_file;

use super::{finish, rules};
use crate::args::pipeline::Args;

/// Simulates the graph of a file.
pub(super) fn run(path: &Path, args: &Args) -> Result<()> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        anyhow!(
            "{name}: cannot be read ({error}); give a graph to --graph, such as --save-graph writes"
        )
    })?;
    let graph = read_graph(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    let report =
        Report::of_graph(&graph, rules(args)).map_err(|error| anyhow!("{name}: {error}"))?;
    let labels = Labels { unit: args.unit.clone().unwrap_or_default().into(), ..Labels::default() };
    finish(args, vec![Titled { title: "graph".into(), report }], &[], &labels, false)
}

/// Writes the graph of the only plan.
pub(super) fn save(path: &Path, plan: &Plan, args: &Args) -> Result<()> {
    if args.schedule.len() != 1
        || args.schedule.iter().any(|name| name == "all")
        || !args.sweep.is_empty()
    {
        bail!("--save-graph needs one schedule; name one with --schedule, without --sweep");
    }
    let text = graph_json(&plan.graph()?)? + "\n";
    write_file(path, &ByLibrary(text.as_bytes()))?;
    Ok(())
}
