//! Rows as a Parquet file, row group by row group.

use std::io::Write;
use std::sync::Arc;

use bigtpu_emit::{EmitError, OutFile, Written};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::columns::{COLUMNS, Cell, Kind};
use crate::rows::Row;

/// Rows of a group: its columns are held in memory while it is written.
const GROUP: usize = 1 << 17;

/// Writes the file.
pub(crate) fn write<'a>(
    rows: impl Iterator<Item = Row<'a>>,
    mut file: OutFile,
) -> std::result::Result<Written, EmitError> {
    match write_groups(rows, &mut file) {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(std::io::Error::other(error))),
    }
}

fn write_groups<'a>(
    mut rows: impl Iterator<Item = Row<'a>>,
    file: impl Write + Send,
) -> Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema()?), Arc::new(properties))?;
    loop {
        let group: Vec<Row<'a>> = rows.by_ref().take(GROUP).collect();
        if group.is_empty() {
            break;
        }
        let mut out = writer.next_row_group()?;
        for column in COLUMNS {
            let cells = group.iter().map(|row| (column.cell)(row));
            match column.kind {
                Kind::Int => write_column::<Int64Type>(&mut out, cells, |cell| match cell {
                    Cell::Int(n) => Some(n),
                    _ => None,
                })?,
                Kind::Float => write_column::<DoubleType>(&mut out, cells, |cell| match cell {
                    Cell::Float(x) => Some(x),
                    _ => None,
                })?,
                Kind::Text => {
                    // Most texts are that of the row before, which is shared and not copied.
                    let mut last: (&str, ByteArray) = ("", ByteArray::from(""));
                    write_column::<ByteArrayType>(&mut out, cells, |cell| match cell {
                        Cell::Text(text) => {
                            if !std::ptr::eq(text, last.0) {
                                last = (text, ByteArray::from(text));
                            }
                            Some(last.1.clone())
                        }
                        _ => None,
                    })?;
                }
                Kind::Bool => write_column::<BoolType>(&mut out, cells, |cell| match cell {
                    Cell::Bool(yes) => Some(yes),
                    _ => None,
                })?,
            }
        }
        out.close()?;
    }
    writer.close()?;
    Ok(())
}

/// All columns may be null.
fn schema() -> Result<Type> {
    let field = |name: &str, kind: Kind| {
        let (physical, logical) = match kind {
            Kind::Int => (Physical::INT64, None),
            Kind::Float => (Physical::DOUBLE, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Bool => (Physical::BOOLEAN, None),
        };
        let builder = Type::primitive_type_builder(name, physical);
        builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()
    };
    let fields: Result<Vec<_>> =
        COLUMNS.iter().map(|column| Ok(Arc::new(field(column.name, column.kind)?))).collect();
    Type::group_type_builder("events").with_fields(fields?).build()
}

fn write_column<'a, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    cells: impl Iterator<Item = Cell<'a>>,
    mut value: impl FnMut(Cell<'a>) -> Option<T::T>,
) -> Result<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        let value = value(cell);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(&values, Some(&levels), None)?;
        column.close()?;
    }
    Ok(())
}
