//! The task graph of a strategy in the DOT language of Graphviz.

use bigtpu_output::{Dot, Text, put, text};

use crate::search::full::simulate;
use crate::search::graph::{SearchGraph, Strategy};
use crate::search::layout::{Layout, SearchModel};
use bigtpu_machine::Interconnect;

/// The graph of operators: a box for each with its kind and the shape of its result, an arrow for each tensor.
#[must_use]
pub fn operator_graph_dot(graph: &SearchGraph) -> Text<Dot> {
    let mut out =
        Text::literal("digraph operators {\n  node [shape=box,fontname=\"sans-serif\"];\n");
    for (number, op) in graph.ops.iter().enumerate() {
        let shapes: Vec<String> = op.outputs.iter().map(|shape| format!("{shape:?}")).collect();
        put!(out, "  n{} [label=\"{}\\n{}\\n{}\"];\n", number, op.name, op.kind, shapes.join(" "));
    }
    for (number, op) in graph.ops.iter().enumerate() {
        for (from, _) in op.inputs.iter().filter_map(|input| input.from) {
            put!(out, "  n{} -> n{};\n", from, number);
        }
    }
    out.own("}\n");
    out
}

/// The task graph: computations as boxes by device, messages as ellipses, with their times.
#[must_use]
pub fn task_graph_dot(
    graph: &SearchGraph,
    machine: &Interconnect,
    model: SearchModel,
    strategy: &Strategy,
) -> Text<Dot> {
    let layout = Layout::new(graph, machine, model);
    let simulated = simulate::<u64>(&layout, strategy);
    let computations = layout.computation(layout.steps.len(), 0);
    let mut out =
        Text::literal("digraph tasks {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    for (number, task) in (0_u32..).zip(&simulated.listed.tasks) {
        let Some(task) = task else { continue };
        let ms = |ps: u64| ps as f64 * 1e-9;
        let (start, end) = (ms(task.start), ms(task.end));
        let (label, shape): (Text<Dot>, &str) = if number < computations {
            let step = &layout.steps[(number / layout.parts) as usize];
            let name = &graph.ops[step.op].name;
            let pass = if step.is_backward { " backward" } else { "" };
            let part = number % layout.parts;
            (text!("{}{} {}\\ndevice {}", name, pass, part, task.resource), "box")
        } else {
            (text!("message\\nlink {}", task.resource - machine.devices()), "ellipse")
        };
        put!(
            out,
            "  t{} [shape={},label=\"{}\\n{:.6} to {:.6} ms\"];\n",
            number,
            shape,
            label,
            start,
            end
        );
    }
    for (from, to) in &simulated.dependences {
        put!(out, "  t{} -> t{};\n", from, to);
    }
    out.own("}\n");
    out
}
