//! The task graph of a strategy in the DOT language of Graphviz.

use std::fmt::Write;

use bigtpu_output::Untrusted;

use crate::search::full::simulate;
use crate::search::graph::{Graph, Strategy};
use crate::search::layout::{Layout, Model};
use bigtpu_machine::Interconnect;

/// The task graph: computations as boxes by device, messages as ellipses, with their times.
#[must_use]
pub fn task_graph_dot(
    graph: &Graph,
    machine: &Interconnect,
    model: Model,
    strategy: &Strategy,
) -> String {
    let layout = Layout::new(graph, machine, model);
    let simulated = simulate::<u64>(&layout, strategy);
    let computations = layout.computation(layout.steps.len(), 0);
    let mut out = "digraph tasks {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n".to_owned();
    for (number, task) in (0_u32..).zip(&simulated.tasks) {
        let Some(task) = task else { continue };
        let ms = |ps: u64| ps as f64 * 1e-9;
        let (start, end) = (ms(task.start), ms(task.end));
        let (label, shape) = if number < computations {
            let step = &layout.steps[(number / layout.parts) as usize];
            let name = Untrusted::from(&graph.ops[step.op].name);
            let name = name.dot();
            let pass = if step.is_backward { " backward" } else { "" };
            (format!("{name}{pass} {}\\ndevice {}", number % layout.parts, task.resource), "box")
        } else {
            (format!("message\\nlink {}", task.resource - machine.devices()), "ellipse")
        };
        let _ = writeln!(
            out,
            "  t{number} [shape={shape},label=\"{label}\\n{start:.6} to {end:.6} ms\"];"
        );
    }
    for (from, to) in &simulated.dependences {
        let _ = writeln!(out, "  t{from} -> t{to};");
    }
    out.push_str("}\n");
    out
}
