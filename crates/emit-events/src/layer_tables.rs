//! `layers.csv`, `instructions.csv` and `operations.csv`: a static model by layer, by command and by operation, see `docs/events.md`.
//! Users of tpu-mlir know such files from its profiler.

use std::collections::BTreeMap;

use bigtpu_answers::LayerRow;
use bigtpu_emit::{Emitter, Input};
use bigtpu_measure::layers::{Layer, Tensor};
use bigtpu_measure::{gbps, quotient, ratio, round4};
use bigtpu_output::{Csv, OutputError, Text, Written};

use crate::columns::{COLUMNS, Column};
use crate::line::{Line, head};
use crate::runtime::RuntimeKinds;
use crate::{Context, source, write_rows};

/// A row for each layer.
pub const LAYERS_FILE: &str = "layers.csv";
/// A row for each command.
pub const INSTRUCTIONS_FILE: &str = "instructions.csv";
/// A row for each operation.
pub const OPERATIONS_FILE: &str = "operations.csv";

/// The columns of `instructions.csv`, which are columns of the events.
const INSTRUCTIONS: [&str; 24] = [
    "layer_id",
    "layer",
    "engine",
    "core",
    "event",
    "cmd_id",
    "function_type",
    "function_name",
    "data_type",
    "shape",
    "direction",
    "start_ns",
    "end_ns",
    "duration_ns",
    "cycles",
    "ops",
    "uarch_ops",
    "ideal_cycles",
    "bytes",
    "gbps",
    "slack_ns",
    "on_critical_path",
    "expected_ns",
    "expected_mark",
];

const LAYERS: [&str; 28] = [
    "layer_id",
    "layer",
    "operation",
    "block",
    "core",
    "runs",
    "commands",
    "start_ns",
    "end_ns",
    "total_ns",
    "wall_share",
    "path_ns",
    "tiu_ns",
    "gdma_ns",
    "sdma_ns",
    "ops",
    "uarch_rate",
    "tiu_cycles",
    "ideal_cycles",
    "mac_utilization",
    "ddr_bytes",
    "other_bytes",
    "ddr_gbps",
    "expected_ns",
    "explained_ns",
    "line",
    "inputs",
    "outputs",
];

const OPERATIONS: [&str; 15] = [
    "operation",
    "layers",
    "commands",
    "total_ns",
    "path_ns",
    "tiu_ns",
    "dma_ns",
    "ops",
    "uarch_rate",
    "tiu_cycles",
    "ideal_cycles",
    "mac_utilization",
    "tiu_share",
    "ddr_bytes",
    "other_bytes",
];

/// The three tables. Of a dump without layers nothing is written.
#[derive(Debug, Clone, Default)]
pub struct LayerTables {
    /// The dump.
    pub context: Context,
}

impl Emitter for LayerTables {
    fn name(&self) -> &'static str {
        "layers"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let rows = &input.analysis.report.layers;
        let Some(layers) = self.context.layers.as_deref().filter(|_| !rows.is_empty()) else {
            return Ok(Vec::new());
        };
        let blocks = layers.blocks();
        let mut by_layer = head(&LAYERS);
        for row in rows {
            let at = usize::try_from(row.id).ok().and_then(|id| id.checked_sub(1));
            let Some((at, layer)) = at.and_then(|at| Some((at, layers.layers.get(at)?))) else {
                continue;
            };
            layer_line(&mut by_layer, row, layer, blocks.get(at).map_or("", String::as_str));
        }
        let runtime = RuntimeKinds::of(input.profile);
        let source = source(&self.context, input.profile, input.analysis, &runtime);
        let columns: Vec<&Column> = INSTRUCTIONS
            .iter()
            .filter_map(|name| COLUMNS.iter().find(|column| column.name == *name))
            .collect();
        Ok(vec![
            input.out.write(LAYERS_FILE, &by_layer)?,
            write_rows(source, input.out.file(INSTRUCTIONS_FILE)?, &columns)?,
            input.out.write(OPERATIONS_FILE, &by_operation(rows))?,
        ])
    }
}

fn layer_line(text: &mut Text<Csv>, row: &LayerRow, layer: &Layer, block: &str) {
    let [tiu, gdma, sdma] = row.busy_ns;
    let tensors = |tensors: &[Option<Tensor>]| {
        let known = tensors.iter().flatten().map(|tensor| {
            let at = tensor.address.map_or_else(String::new, |at| format!("@{at:#x}"));
            format!("{}{at} {tensor}", tensor.name).trim_start().to_owned()
        });
        known.collect::<Vec<_>>().join("; ")
    };
    let mut line = Line::of(text);
    line.int(row.id).text(row.label().as_str()).text(&row.operation).text(block);
    line.int(row.core).int(row.runs).int(row.events);
    line.int(row.start_ns).int(row.end_ns).int(row.total_ns).float(Some(row.wall_share));
    line.int(row.path_ns).int(tiu).int(gdma).int(sdma).int(row.ops);
    line.float((row.uarch_ops > 0).then_some(row.uarch_rate));
    line.int(row.tiu_cycles);
    match row.ideal_cycles {
        0 => line.text(""),
        cycles => line.int(cycles),
    };
    line.float(row.mac_utilization).int(row.ddr_bytes).int(row.other_bytes);
    let moved = (gdma + sdma > 0).then(|| round4(gbps(row.ddr_bytes, gdma + sdma)));
    line.float(moved);
    match row.explained_ns {
        0 => line.text("").text(""),
        explained => line.int(row.expected_ns).int(explained),
    };
    match layer.line {
        Some(number) => line.int(number),
        None => line.text(""),
    };
    line.text(&tensors(&layer.operands)).text(&tensors(&layer.results)).end();
}

/// What the layers of an operation have in common.
#[derive(Default)]
struct Operation {
    layers: u64,
    commands: u64,
    total_ns: i64,
    path_ns: i64,
    tiu_ns: i64,
    dma_ns: i64,
    ops: u64,
    uarch_ops: u64,
    tiu_cycles: u64,
    /// Cycles of the commands of layers whose ideal cycles are known, and these.
    known: (u64, u64),
    ddr_bytes: u64,
    other_bytes: u64,
}

/// The operations, those whose TIU commands took longest first; below them all together.
fn by_operation(rows: &[LayerRow]) -> Text<Csv> {
    let mut all: BTreeMap<&str, Operation> = BTreeMap::new();
    let mut whole = Operation::default();
    for row in rows {
        let [tiu, gdma, sdma] = row.busy_ns;
        for of in [all.entry(&row.operation).or_default(), &mut whole] {
            of.layers += 1;
            of.commands += row.events;
            of.total_ns += row.total_ns;
            of.path_ns += row.path_ns;
            of.tiu_ns += tiu;
            of.dma_ns += gdma + sdma;
            of.ops = of.ops.saturating_add(row.ops);
            of.uarch_ops = of.uarch_ops.saturating_add(row.uarch_ops);
            of.tiu_cycles += row.tiu_cycles;
            if row.mac_utilization.is_some() {
                of.known = (of.known.0 + row.tiu_cycles, of.known.1 + row.ideal_cycles);
            }
            of.ddr_bytes += row.ddr_bytes;
            of.other_bytes += row.other_bytes;
        }
    }
    let mut sorted: Vec<(&str, Operation)> = all.into_iter().collect();
    sorted.sort_by_key(|(_, of)| (-of.tiu_ns, -of.dma_ns));
    let tiu_ns = whole.tiu_ns;
    sorted.push(("Overall", whole));
    let mut text = head(&OPERATIONS);
    for (name, of) in sorted {
        let mut line = Line::of(&mut text);
        line.text(name).int(of.layers).int(of.commands).int(of.total_ns).int(of.path_ns);
        line.int(of.tiu_ns).int(of.dma_ns).int(of.ops);
        let rate = round4(quotient(of.ops.into(), of.uarch_ops.into()));
        line.float((of.uarch_ops > 0).then_some(rate)).int(of.tiu_cycles);
        let (cycles, ideal) = of.known;
        match ideal {
            0 => line.text("").text(""),
            _ => line
                .int(ideal)
                .float((cycles > 0).then(|| round4(quotient(ideal.into(), cycles.into())))),
        };
        line.float((tiu_ns > 0).then(|| ratio(of.tiu_ns, tiu_ns)));
        line.int(of.ddr_bytes).int(of.other_bytes).end();
    }
    text
}
