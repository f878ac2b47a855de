//! Every event as a row, for queries: `events.parquet` and `events.csv`, see `docs/events.md`.
#![forbid(unsafe_code)]

mod columns;
mod parquet_file;
mod partition;
mod rows;
mod runtime;

use std::sync::Arc;

use bigtpu_emit::{EmitError, Emitter, Input, OutDir, Written};
use bigtpu_layers::Layers;

pub use partition::Partition;

use columns::COLUMNS;
use rows::{Row, Rows, Source};
use runtime::RuntimeKinds;

/// What events say of the dump besides its profile.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Name of the dump.
    pub source: String,
    /// Layers of a static model.
    pub layers: Option<Arc<Layers>>,
}

impl Context {
    fn rows<'a>(
        &'a self,
        input: &'a Input<'_, '_>,
        runtime: &'a RuntimeKinds<'a>,
    ) -> impl Iterator<Item = Row<'a>> {
        let rows = Rows {
            profile: input.profile,
            analysis: input.analysis,
            runtime,
            layers: self.layers.as_deref(),
            source: Source { chip: input.profile.chip.name, dump: &self.source },
        };
        rows.all()
    }
}

/// `events.parquet`: typed columns, a row for each event.
#[derive(Debug, Clone, Default)]
pub struct ParquetEvents {
    /// The dump.
    pub context: Context,
    /// Place in a data set of many dumps; else the file is in the output directory.
    pub partition: Option<Partition>,
}

impl Emitter for ParquetEvents {
    fn name(&self) -> &'static str {
        "events"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let file = match &self.partition {
            None => input.out.file("events.parquet")?,
            Some(partition) => input.out.with_root(&partition.data_set)?.file(&partition.file())?,
        };
        let runtime = RuntimeKinds::of(input.profile);
        Ok(vec![parquet_file::write(self.context.rows(input, &runtime), file)?])
    }
}

/// `events.csv`: the same rows and columns as text; an unknown value is empty.
#[derive(Debug, Clone, Default)]
pub struct CsvEvents {
    /// The dump.
    pub context: Context,
}

impl Emitter for CsvEvents {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let runtime = RuntimeKinds::of(input.profile);
        Ok(vec![write_csv(self.context.rows(input, &runtime), input.out)?])
    }
}

fn write_csv<'a>(rows: impl Iterator<Item = Row<'a>>, out: &OutDir) -> Result<Written, EmitError> {
    let mut file = out.file("events.csv")?;
    let failed = |error: csv::Error| std::io::Error::other(error);
    let write = || -> std::io::Result<()> {
        let mut writer = csv::Writer::from_writer(&mut file);
        writer.write_record(COLUMNS.iter().map(|c| c.name)).map_err(failed)?;
        for row in rows {
            let cells = COLUMNS.iter().map(|column| (column.cell)(&row).to_string());
            writer.write_record(cells).map_err(failed)?;
        }
        writer.flush()
    };
    let written = write();
    match written {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(error)),
    }
}
