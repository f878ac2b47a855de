//! Every event as a row, for queries: `events.parquet` and `events.csv`, see `docs/events.md`.
#![forbid(unsafe_code)]

mod columns;
mod parquet_file;
mod rows;

use bigtpu_emit::{EmitError, Emitter, Input, OutDir, Written};

use columns::COLUMNS;
use rows::{Row, rows};

/// `events.parquet`: typed columns, a row for each event.
#[derive(Debug, Clone, Default)]
pub struct ParquetEvents {
    /// Folder below the output directory, such as `device=0/call=1`; empty for none.
    pub partition: String,
}

impl Emitter for ParquetEvents {
    fn name(&self) -> &'static str {
        "events"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let name = match self.partition.as_str() {
            "" => "events.parquet".to_owned(),
            partition => format!("{partition}/events.parquet"),
        };
        let file = input.out.file(&name)?;
        Ok(vec![parquet_file::write(rows(input.profile, input.analysis), file)?])
    }
}

/// `events.csv`: the same rows and columns as text; an unknown value is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct CsvEvents;

impl Emitter for CsvEvents {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        Ok(vec![write_csv(rows(input.profile, input.analysis), input.out)?])
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
