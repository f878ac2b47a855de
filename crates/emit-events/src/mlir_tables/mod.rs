//! `layer.csv`, `instruction.csv`, `summary.csv` and `mac_util.csv`: a static model in the files and columns that users of
//! tpu-mlir's profiler know, in its order; columns of our own are behind them. The numbers are ours; a column whose number is not
//! known is empty: `docs/compat.md`.

mod instruction;
mod model;
mod registers;
mod work;

use std::collections::BTreeMap;

use bigtpu_answers::Depth;
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_measure::percent;
use bigtpu_output::{OutputError, Written};

use crate::runtime::RuntimeKinds;
use crate::{Context, source, write_lines};
use model::Model;
use registers::Registers;
use work::Work;

/// The files: by layer, by command, by operation, and what limits the utilization of the arithmetic.
const MLIR_FILES: [&str; 4] = ["layer.csv", "instruction.csv", "summary.csv", "mac_util.csv"];

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

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let runtime = RuntimeKinds::collect(input.profile);
        let source = source(&self.context, input.profile, input.analysis, &runtime);
        let [layer_file, instruction_file, summary_file, mac_file] = MLIR_FILES;
        let file = input.out.file(instruction_file)?;
        let mut layers: BTreeMap<usize, Work> = BTreeMap::new();
        let mut registers = Registers::default();
        let instructions =
            write_lines(source, file, (instruction::head_line(), ""), |text, row| {
                let fields = registers.read(row);
                if let Some((id, _)) = row.layer() {
                    layers.entry(id).or_default().add(row, &fields);
                }
                instruction::line(text, row, &fields);
            })?;
        if layers.is_empty() {
            return Ok(vec![instructions]);
        }
        let model = Model::new(input, layers, self.context.layers.as_deref());
        Ok(vec![
            input.out.write(layer_file, &model.layers(input))?,
            instructions,
            input.out.write(summary_file, &model.summary())?,
            input.out.write(mac_file, &model.mac_util())?,
        ])
    }
}

/// A share as a percentage; nothing where it is not known.
fn share(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| percent(share, 3))
}
