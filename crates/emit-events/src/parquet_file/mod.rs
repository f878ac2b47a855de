//! Rows as a Parquet file, row group by row group.
//!
//! Most columns depend on the kind of command, its engine or its tag: their values are found once for all rows that share it.

mod chunk;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::sync::Arc;

use bigtpu_output::{OutFile, OutputError, Written};
use bigtpu_parquet_column::COMPRESSION;
use parquet::basic::{Encoding, LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type as SchemaType};
use rayon::prelude::*;

use crate::cell::{EventCell, Type};
use crate::columns::COLUMNS;
use crate::content::{Content, shared_cells};
use crate::rows::{Source, groups};
use chunk::chunk;

/// Rows of a group: its columns are held in memory while it is written.
const GROUP: usize = 1 << 17;

/// Writes the file.
pub(crate) fn write(
    source: Source<'_>,
    mut file: OutFile,
) -> std::result::Result<Written, OutputError> {
    match write_groups(source, GROUP, file.for_library()) {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(std::io::Error::other(error))),
    }
}

fn write_groups(source: Source<'_>, rows: usize, file: impl Write + Send) -> Result<()> {
    let columns = || COLUMNS.iter().map(|column| (column.name, column.kind));
    let (schema, properties) = (Arc::new(schema(columns())?), properties(columns()));
    let descriptors = SchemaDescriptor::new(Arc::clone(&schema));
    let mut writer = SerializedFileWriter::new(file, schema, Arc::clone(&properties))?;
    let shared: Vec<Vec<EventCell<'_>>> =
        COLUMNS.par_iter().map(|column| shared_cells(column, source)).collect();
    for group in groups(source.parts(), rows) {
        let columns = COLUMNS.par_iter().zip(&shared).enumerate();
        let chunks: Vec<Result<_>> = columns
            .map(|(at, (column, shared))| {
                let content = Content::collect(column, shared, &group);
                chunk(descriptors.column(at), &properties, &content)
            })
            .collect();
        let mut out = writer.next_row_group()?;
        for chunk in chunks {
            let (bytes, closed) = chunk?;
            out.append_column(&bytes, closed)?;
        }
        out.close()?;
    }
    writer.close()?;
    Ok(())
}

/// Bytes of a dictionary at most: a column with more distinct values has none.
const DICTIONARY: usize = 1 << 16;

/// Numbers that have no dictionary are stored as differences: ids and times rise.
fn properties<'a>(columns: impl IntoIterator<Item = (&'a str, Type)>) -> WriterPropertiesPtr {
    let mut properties = WriterProperties::builder()
        .set_compression(COMPRESSION)
        .set_dictionary_page_size_limit(DICTIONARY)
        .set_created_by(format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION")));
    for (name, kind) in columns {
        if kind == Type::Int {
            let path = ColumnPath::from(name);
            properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    Arc::new(properties.build())
}

/// All columns may be null.
fn schema<'a>(columns: impl IntoIterator<Item = (&'a str, Type)>) -> Result<SchemaType> {
    let field = |(name, kind)| {
        let (physical, logical) = match kind {
            Type::Int => (Physical::INT64, None),
            Type::Float => (Physical::DOUBLE, None),
            Type::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Type::Bool => (Physical::BOOLEAN, None),
        };
        let builder = SchemaType::primitive_type_builder(name, physical);
        builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()
    };
    let fields: Result<Vec<_>> =
        columns.into_iter().map(|column| Ok(Arc::new(field(column)?))).collect();
    SchemaType::group_type_builder("events").with_fields(fields?).build()
}
