//! What the search of a chain shows.

use anyhow::Result;
use bigtpu_output::{Lines, Text, put, text};
use bigtpu_session::search::ChainFound;

use super::output::{links_line, print, print_json, table};
use crate::args::search::Args;
use crate::console::render;
use crate::written::written_lines;

/// Shows the stages.
pub(super) fn found(args: &Args, found: &ChainFound) -> Result<()> {
    if args.json {
        return print_json(&found.json()?);
    }
    let ChainFound { devices, links, written, .. } = found;
    let mut text = shown(found);
    if let Some(links) = links {
        put!(text, "{}; a microbatch is one measured pass\n", links_line(links));
    }
    if !devices.divides_layers && devices.devices > 1 {
        text.own("note: the file does not say how long the engines worked, so no layer is divided over devices\n");
    }
    if devices.devices > 1 && args.memory.is_none() {
        text.own("note: memory is not checked\n");
    }
    for line in written_lines(written, true) {
        put!(text, "written: {}\n", line);
    }
    print(text)
}

fn shown(found: &ChainFound) -> Text<Lines> {
    let ChainFound { plan, one_device_ns, bubble_ratio, .. } = found;
    let rows = plan.stages.iter().enumerate().map(|(number, stage)| {
        vec![
            number.to_string(),
            found.names(stage.layers),
            stage.tensor_parallel.to_string(),
            format!("{:.3}", stage.ns as f64 / 1e3),
            format!("{:.1}", stage.bytes as f64 / 1_048_576.0),
        ]
    });
    let header =
        ["Stage", "Layers", "Devices", "Time of a microbatch (us)", "Memory of a device (MiB)"];
    let table = table("Best stages", &header, rows.collect());
    let best = plan.ns as f64;
    text!(
        "{}\n{} {}: {:.6} ms, {:.6} ms on one device (speedup {:.2}); bubble {:.1} %\n",
        render(&table),
        plan.microbatches,
        if plan.microbatches == 1 { "microbatch" } else { "microbatches" },
        best / 1e6,
        one_device_ns / 1e6,
        if best > 0.0 { one_device_ns / best } else { 1.0 },
        bubble_ratio * 100.0
    )
}
