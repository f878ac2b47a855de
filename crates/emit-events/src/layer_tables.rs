//! `layers.csv`, `instructions.csv` and `operations.csv`: a static model by layer, by command and by operation, see `docs/events.md`.
//! Users of tpu-mlir know such files from its profiler.

use bigtpu_answers::tables::{Datum, WorkUnit, unit_columns};
use bigtpu_answers::{Depth, Report};
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_measure::layers::{Layer, Tensor};
use bigtpu_measure::ratio;
use bigtpu_output::{Csv, OutputError, Text, Written};

use crate::columns::{COLUMNS, Column};
use crate::csv::write_rows;
use crate::line::{Line, head};
use crate::runtime::RuntimeKinds;
use crate::{Context, source};

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

/// The columns of `layers.csv` and the columns of units of work that they are; empty of what is not measured.
const LAYERS: [(&str, &str); 28] = [
    ("layer_id", "layer_id"),
    ("layer", "layer"),
    ("operation", "operation"),
    ("block", "block"),
    ("core", "core"),
    ("runs", "runs"),
    ("commands", "events"),
    ("start_ns", "start_ns"),
    ("end_ns", "end_ns"),
    ("total_ns", "total_ns"),
    ("wall_share", "wall_share"),
    ("path_ns", "path_ns"),
    ("tiu_ns", "tiu_ns"),
    ("gdma_ns", "gdma_ns"),
    ("sdma_ns", "sdma_ns"),
    ("ops", "ops"),
    ("uarch_rate", "uarch_rate"),
    ("tiu_cycles", "tiu_cycles"),
    ("ideal_cycles", "ideal_cycles"),
    ("mac_utilization", "mac_utilization"),
    ("ddr_bytes", "ddr_bytes"),
    ("other_bytes", "other_bytes"),
    ("ddr_gbps", "ddr_gbps"),
    ("expected_ns", "expected_ns"),
    ("explained_ns", "explained_ns"),
    ("line", ""),
    ("inputs", ""),
    ("outputs", ""),
];

/// The columns of `operations.csv`, in the same form.
const OPERATIONS: [(&str, &str); 15] = [
    ("operation", "operation"),
    ("layers", "layers"),
    ("commands", "events"),
    ("total_ns", "total_ns"),
    ("path_ns", "path_ns"),
    ("tiu_ns", "tiu_ns"),
    ("dma_ns", "dma_ns"),
    ("ops", "ops"),
    ("uarch_rate", "uarch_rate"),
    ("tiu_cycles", "tiu_cycles"),
    ("ideal_cycles", "ideal_cycles"),
    ("mac_utilization", "mac_utilization"),
    ("tiu_share", ""),
    ("ddr_bytes", "ddr_bytes"),
    ("other_bytes", "other_bytes"),
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

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let rows = &input.analysis.report(input.profile).layers;
        let Some(layers) = self.context.layers.as_deref().filter(|_| !rows.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut by_layer = head(&LAYERS.map(|(title, _)| title));
        for (row, unit) in rows.iter().zip(WorkUnit::layers(input.analysis.report(input.profile))) {
            let at = usize::try_from(row.id).ok().and_then(|id| id.checked_sub(1));
            if let Some(layer) = at.and_then(|at| layers.layers.get(at)) {
                layer_line(&mut by_layer, &unit, layer);
            }
        }
        let runtime = RuntimeKinds::collect(input.profile);
        let source = source(&self.context, input.profile, input.analysis, &runtime);
        let columns: Vec<&Column> = INSTRUCTIONS
            .iter()
            .filter_map(|name| COLUMNS.iter().find(|column| column.name == *name))
            .collect();
        Ok(vec![
            input.out.write(LAYERS_FILE, &by_layer)?,
            write_rows(source, input.out.file(INSTRUCTIONS_FILE)?, &columns)?,
            input
                .out
                .write(OPERATIONS_FILE, &by_operation(input.analysis.report(input.profile)))?,
        ])
    }
}

fn layer_line(text: &mut Text<Csv>, unit: &WorkUnit<'_>, layer: &Layer) {
    let tensors = |tensors: &[Option<Tensor>]| {
        let known = tensors.iter().flatten().map(|tensor| {
            let at = tensor.address.map_or_else(String::new, |at| format!("@{at:#x}"));
            format!("{}{at} {tensor}", tensor.name).trim_start().to_owned()
        });
        known.collect::<Vec<_>>().join("; ")
    };
    let mut line = Line::begin(text);
    for (title, id) in LAYERS {
        match title {
            "line" => match layer.line {
                Some(number) => line.int(number),
                None => line.text(""),
            },
            "inputs" => line.text(&tensors(&layer.operands)),
            "outputs" => line.text(&tensors(&layer.results)),
            _ => cell(&mut line, id, unit),
        };
    }
    line.end();
}

/// The value of a column; nothing where it is not known.
fn cell<'l, 't>(line: &'l mut Line<'t>, id: &str, unit: &WorkUnit<'_>) -> &'l mut Line<'t> {
    let value = unit_columns(&[id]).first().map_or(Datum::Unknown(()), |of| (of.value)(unit));
    match value {
        Datum::Text(text) => line.text(text),
        Datum::Bound(bound) => line.text(bound.name()),
        Datum::Whole(number) => line.int(number),
        Datum::Number(number) => line.float(Some(number)),
        Datum::Unknown(()) => line.text(""),
    }
}

/// The operations, those whose TIU commands took longest first; below them all together.
fn by_operation(report: &Report) -> Text<Csv> {
    let operations = WorkUnit::operations(report);
    let tiu_ns = |unit: &WorkUnit<'_>| unit.work.busy_ns[0];
    let all_ns = operations.last().map_or(0, tiu_ns);
    let mut text = head(&OPERATIONS.map(|(title, _)| title));
    for unit in &operations {
        let mut line = Line::begin(&mut text);
        for (title, id) in OPERATIONS {
            match title {
                "tiu_share" => line.float((all_ns > 0).then(|| ratio(tiu_ns(unit), all_ns))),
                _ => cell(&mut line, id, unit),
            };
        }
        line.end();
    }
    text
}
