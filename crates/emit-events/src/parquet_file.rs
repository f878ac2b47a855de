//! Rows as a Parquet file, row group by row group.

use std::io::Write;
use std::sync::Arc;

use bigtpu_emit::{EmitError, OutFile, Written};
use bytes::Bytes;
use foldhash::{HashMap, HashMapExt};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer,
};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type};
use rayon::prelude::*;

use crate::columns::{COLUMNS, Cell, Column, Kind};
use crate::rows::Row;

/// Rows of a group: its columns are held in memory while it is written.
const GROUP: usize = 1 << 17;

/// Writes the file.
pub(crate) fn write<'a>(
    rows: impl Iterator<Item = Row<'a>> + Send,
    mut file: OutFile,
) -> std::result::Result<Written, EmitError> {
    match write_groups(rows, &mut file) {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(std::io::Error::other(error))),
    }
}

fn write_groups<'a>(
    mut rows: impl Iterator<Item = Row<'a>> + Send,
    file: impl Write + Send,
) -> Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION")))
        .build();
    let (schema, properties) = (Arc::new(schema()?), Arc::new(properties));
    let columns = SchemaDescriptor::new(Arc::clone(&schema));
    let mut writer = SerializedFileWriter::new(file, schema, Arc::clone(&properties))?;
    let mut next = || -> Vec<Row<'a>> { rows.by_ref().take(GROUP).collect() };
    let mut group = next();
    while !group.is_empty() {
        let encode = |(at, column): (usize, &Column)| {
            column_chunk(column, columns.column(at), Arc::clone(&properties), &group)
        };
        let (chunks, following) = rayon::join(
            || COLUMNS.par_iter().enumerate().map(encode).collect::<Vec<_>>(),
            &mut next,
        );
        let mut out = writer.next_row_group()?;
        for chunk in chunks {
            let (bytes, closed) = chunk?;
            out.append_column(&bytes, closed)?;
        }
        out.close()?;
        group = following;
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

/// A column of a row group as it is in the file, so that columns can be encoded side by side.
fn column_chunk(
    column: &Column,
    descriptor: ColumnDescPtr,
    properties: Arc<WriterProperties>,
    rows: &[Row<'_>],
) -> Result<(Bytes, ColumnCloseResult)> {
    let mut out = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut out));
    let mut writer = get_column_writer(descriptor, properties, pages);
    let cells = rows.iter().map(|row| (column.cell)(row));
    match &mut writer {
        ColumnWriter::Int64ColumnWriter(writer) => put(writer, cells, |cell| match cell {
            Cell::Int(n) => Some(n),
            _ => None,
        }),
        ColumnWriter::DoubleColumnWriter(writer) => put(writer, cells, |cell| match cell {
            Cell::Float(x) => Some(x),
            _ => None,
        }),
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            // Texts are those of kinds and kernels: few, each used by many rows.
            let mut texts: HashMap<(*const u8, usize), ByteArray> = HashMap::new();
            put(writer, cells, |cell| match cell {
                Cell::Text(text) => {
                    let known = texts.entry((text.as_ptr(), text.len()));
                    Some(known.or_insert_with(|| ByteArray::from(text)).clone())
                }
                _ => None,
            })
        }
        ColumnWriter::BoolColumnWriter(writer) => put(writer, cells, |cell| match cell {
            Cell::Bool(yes) => Some(yes),
            _ => None,
        }),
        _ => Err(ParquetError::General(format!("column {} has no writer", column.name))),
    }?;
    let closed = writer.close()?;
    Ok((Bytes::from(out.into_inner()?), closed))
}

/// Writes the values of a column; a cell without one is null.
fn put<'a, T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    cells: impl Iterator<Item = Cell<'a>>,
    mut value: impl FnMut(Cell<'a>) -> Option<T::T>,
) -> Result<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        let value = value(cell);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    writer.write_batch(&values, Some(&levels), None)?;
    Ok(())
}
