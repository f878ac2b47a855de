//! Every event as a row, for queries: `events.parquet` and `events.csv`, see `docs/events.md`.
#![forbid(unsafe_code)]

mod cell;
mod columns;
mod parquet_file;
mod partition;
mod row;
mod rows;
mod runtime;

use std::io::Write;
use std::sync::Arc;

use bigtpu_emit::{EmitError, Emitter, Input, OutDir, Written};
use bigtpu_layers::Layers;

pub use partition::Partition;

use columns::COLUMNS;
use rows::Source;
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
    fn source<'a>(&'a self, input: &Input<'a, 'a>, runtime: &'a RuntimeKinds<'a>) -> Source<'a> {
        Source {
            profile: input.profile,
            analysis: input.analysis,
            runtime,
            layers: self.layers.as_deref(),
            name: &self.source,
        }
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
        Ok(vec![parquet_file::write(self.context.source(input, &runtime), file)?])
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
        Ok(vec![write_csv(self.context.source(input, &runtime), input.out)?])
    }
}

fn write_csv(source: Source<'_>, out: &OutDir) -> Result<Written, EmitError> {
    let mut file = out.file("events.csv")?;
    match write_records(source, &mut file) {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(std::io::Error::other(error))),
    }
}

fn write_records(source: Source<'_>, file: impl Write) -> csv::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record(COLUMNS.iter().map(|c| c.name))?;
    for part in source.parts() {
        part.try_each(|row| {
            writer.write_record(COLUMNS.iter().map(|column| column.cell(row).to_string()))
        })?;
    }
    Ok(writer.flush()?)
}
