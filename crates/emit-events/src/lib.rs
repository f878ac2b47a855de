//! Every event as a row, for queries: `events.parquet` and `events.csv`, see `docs/events.md`.
#![forbid(unsafe_code)]

mod cell;
mod columns;
mod command_lines;
mod commands;
mod content;
mod csv;
mod layer_tables;
mod line;
mod mlir_tables;
mod parquet_file;
mod partition;
mod row;
mod rows;
mod runtime;
mod table;

use std::sync::Arc;

use bigtpu_answers::{Analysis, Depth};
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_measure::layers::Layers;
use bigtpu_output::{OutDir, OutFile, OutputError, Sink, Text, Written};
use bigtpu_timeline::Profile;

pub use cell::{EventCell, Type};
pub use command_lines::{COMMAND_LINES_FILE, CommandLines};
pub use commands::{CommandRow, CommandRows, EngineRows, EventColumn};
pub use layer_tables::{INSTRUCTIONS_FILE, LAYERS_FILE, LayerTables, OPERATIONS_FILE};
pub use mlir_tables::MlirTables;
pub use partition::{Partition, is_partition};
pub use table::{Values, column_types, each_column};

/// Name of the table.
pub const PARQUET_FILE: &str = "events.parquet";
/// Name of the table as text.
pub const CSV_FILE: &str = "events.csv";

use columns::COLUMNS;
use csv::write_rows;
use row::Row;
use rows::Source;
use runtime::RuntimeKinds;

/// Rows are handed on in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

/// What events say of the dump besides its profile.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Name of the dump.
    pub source: String,
    /// Layers of a static model.
    pub layers: Option<Arc<Layers>>,
}

fn source<'a>(
    context: &'a Context,
    profile: &'a Profile<'a>,
    analysis: &'a Analysis,
    runtime: &'a RuntimeKinds<'a>,
) -> Source<'a> {
    Source {
        profile,
        table: &analysis.table,
        causes: analysis.event_causes(profile),
        runtime: Some(runtime),
        layers: context.layers.as_deref(),
        steps: analysis.steps(profile),
        name: &context.source,
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

    fn depth(&self) -> Depth {
        Depth::Causes
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let file = match &self.partition {
            None => input.out.file(PARQUET_FILE)?,
            Some(partition) => input.out.with_root(&partition.data_set)?.file(&partition.file())?,
        };
        let runtime = RuntimeKinds::collect(input.profile);
        Ok(vec![parquet_file::write(
            source(&self.context, input.profile, input.analysis, &runtime),
            file,
        )?])
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

    fn depth(&self) -> Depth {
        Depth::Causes
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let runtime = RuntimeKinds::collect(input.profile);
        Ok(vec![write_csv(
            source(&self.context, input.profile, input.analysis, &runtime),
            input.out,
        )?])
    }
}

fn write_csv(source: Source<'_>, out: &OutDir) -> Result<Written, OutputError> {
    write_rows(source, out.file(CSV_FILE)?, &COLUMNS.iter().collect::<Vec<_>>())
}

/// Writes what `line` adds for each row, between a head and an end, piece by piece.
fn write_lines<'a, F: Sink>(
    source: Source<'a>,
    mut file: OutFile,
    (mut text, end): (Text<F>, &'static str),
    mut line: impl FnMut(&mut Text<F>, &Row<'a>),
) -> Result<Written, OutputError> {
    for part in source.parts() {
        part.try_each(|row| {
            line(&mut text, row);
            if text.len() >= PIECE {
                file.append(&text)?;
                text.clear();
            }
            Ok::<_, OutputError>(())
        })?;
    }
    text.own(end);
    file.append(&text)?;
    file.commit()
}
