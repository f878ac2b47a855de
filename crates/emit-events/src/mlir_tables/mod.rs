//! `layer.csv`, `instruction.csv`, `summary.csv` and `mac_util.csv`: a static model in the files and columns that users of
//! tpu-mlir's profiler know. The numbers are ours; a column whose number is not known is empty: `docs/compat.md`.

mod model;
mod work;

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_emit::{Emitter, Input};
use bigtpu_measure::{percent, quotient, whole};
use bigtpu_output::{Csv, OutputError, Text, Written};

use crate::line::{Line, head};
use crate::row::Row;
use crate::runtime::RuntimeKinds;
use crate::{Context, source, write_lines};
use model::Model;
use work::Work;

/// The files: by layer, by command, by operation, and what limits the utilization of the arithmetic.
const MLIR_FILES: [&str; 4] = ["layer.csv", "instruction.csv", "summary.csv", "mac_util.csv"];

const INSTRUCTION: [&str; 17] = [
    "EngineId",
    "Inst Function",
    "DMA data size(B)",
    "Direction",
    "Data Type",
    "Shape",
    "Layer ID",
    "Layer",
    "Alg cycle",
    "Cycle",
    "StartCycle",
    "EndCycle",
    "Inst ID",
    "Core",
    "Alg Ops",
    "uArch Ops",
    "uArch Rate",
];

/// The four tables. A dump without layers has commands only.
#[derive(Debug, Clone, Default)]
pub struct MlirTables {
    /// The dump.
    pub context: Context,
}

impl Emitter for MlirTables {
    fn name(&self) -> &'static str {
        "mlir-tables"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let runtime = RuntimeKinds::collect(input.profile);
        let source = source(&self.context, input.profile, input.analysis, &runtime);
        let [layer_file, instruction_file, summary_file, mac_file] = MLIR_FILES;
        let file = input.out.file(instruction_file)?;
        let mut layers: BTreeMap<usize, Work> = BTreeMap::new();
        let instructions = write_lines(source, file, (head(&INSTRUCTION), ""), |text, row| {
            if let Some((id, _)) = row.layer() {
                layers.entry(id).or_default().add(row);
            }
            instruction(text, row);
        })?;
        if layers.is_empty() {
            return Ok(vec![instructions]);
        }
        let model = Model::new(input, layers);
        Ok(vec![
            input.out.write(layer_file, &model.layers(input))?,
            instructions,
            input.out.write(summary_file, &model.summary())?,
            input.out.write(mac_file, &model.mac_util())?,
        ])
    }
}

fn instruction(text: &mut Text<Csv>, row: &Row<'_>) {
    let kind = row.kind;
    let engine = row.engine_id().engine;
    let mhz = row.source.profile.clocks.mhz(engine);
    let cycle = |ns: i64| (ns as f64 * mhz / 1000.0).round() as i64;
    let is_work = kind.activity.is_work();
    let (is_transfer, is_counted) =
        (is_work && engine != Engine::Tiu, is_work && engine == Engine::Tiu && kind.is_full());
    let mut line = Line::of(text);
    line.text(engine.name()).text(&kind.function_name);
    line.known(is_transfer.then_some(row.bytes()));
    line.text(kind.direction().map_or("", |direction| direction.text()));
    line.text(&kind.data_type).text(&kind.shape);
    line.known(row.layer().map(|(id, _)| id)).text(row.layer().map_or("", |(_, name)| name));
    line.known(kind.ideal_cycles().map(whole)).int(row.cycles());
    line.int(cycle(row.start())).int(cycle(row.end())).int(row.command_id());
    line.known(row.core());
    let cost = &kind.cost;
    line.known(is_counted.then(|| whole(cost.alg_ops)));
    line.known(is_counted.then(|| whole(cost.uarch_ops)));
    let has_rate = is_counted && cost.uarch_ops > 0;
    line.text(&share(has_rate.then(|| quotient(cost.alg_ops, cost.uarch_ops)))).end();
}

/// A share as a percentage; nothing where it is not known.
fn share(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| percent(share, 2))
}
