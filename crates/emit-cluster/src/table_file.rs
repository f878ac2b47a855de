//! A table as a Parquet file, row group by row group: only the rows of one group are in memory.

use std::io::Write;
use std::sync::Arc;

use bigtpu_output::{OutDir, OutputError, Written};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type as SchemaType;

/// Rows of a group.
pub(crate) const GROUP: usize = 1 << 17;

/// The cells of a column; `None` is null.
pub(crate) enum Cells {
    Int(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// The rows of a group.
#[derive(Default)]
pub(crate) struct Rows {
    columns: Vec<(&'static str, Cells)>,
}

impl Rows {
    pub(crate) fn int(&mut self, name: &'static str, cells: impl Iterator<Item = Option<i64>>) {
        self.columns.push((name, Cells::Int(cells.collect())));
    }

    pub(crate) fn float(&mut self, name: &'static str, cells: impl Iterator<Item = Option<f64>>) {
        self.columns.push((name, Cells::Float(cells.collect())));
    }

    pub(crate) fn text(&mut self, name: &'static str, cells: impl Iterator<Item = Option<String>>) {
        self.columns.push((name, Cells::Text(cells.collect())));
    }

    fn schema(&self) -> Result<SchemaType> {
        let field = |(name, cells): &(&'static str, Cells)| {
            let (physical, logical) = match cells {
                Cells::Int(_) => (Physical::INT64, None),
                Cells::Float(_) => (Physical::DOUBLE, None),
                Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let builder = SchemaType::primitive_type_builder(name, physical);
            let builder = builder.with_repetition(Repetition::OPTIONAL);
            Ok(Arc::new(builder.with_logical_type(logical).build()?))
        };
        let fields: Result<Vec<_>> = self.columns.iter().map(field).collect();
        SchemaType::group_type_builder("cluster").with_fields(fields?).build()
    }
}

/// Writes a table. `groups`: at least one, though it may be without rows.
///
/// # Errors
/// [`OutputError`] when the file can't be written.
pub(crate) fn write_table(
    out: &OutDir,
    name: &str,
    groups: impl Iterator<Item = Rows>,
) -> std::result::Result<Written, OutputError> {
    let mut file = out.file(name)?;
    match write_groups(file.for_library(), groups) {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(std::io::Error::other(error))),
    }
}

fn write_groups(file: impl Write + Send, groups: impl Iterator<Item = Rows>) -> Result<()> {
    let mut groups = groups.peekable();
    let first = groups.peek().ok_or_else(|| ParquetError::General("no columns".to_owned()))?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION")))
        .build();
    let schema = Arc::new(first.schema()?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    for rows in groups {
        if rows.columns.first().is_none_or(|(_, cells)| cells.len() == 0) {
            continue;
        }
        let mut group = writer.next_row_group()?;
        for (_, cells) in &rows.columns {
            let Some(mut column) = group.next_column()? else { break };
            cells.put(column.untyped())?;
            column.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

/// Rows that come one by one, in the groups of a table; one without rows if there are none. `rows` makes the columns.
pub(crate) fn in_groups<T>(
    mut all: impl Iterator<Item = T>,
    rows: impl Fn(&[T]) -> Rows,
) -> impl Iterator<Item = Rows> {
    let mut is_first = true;
    std::iter::from_fn(move || {
        let own: Vec<T> = all.by_ref().take(GROUP).collect();
        let is_over = own.is_empty() && !is_first;
        is_first = false;
        (!is_over).then(|| rows(&own))
    })
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Int(cells) => cells.len(),
            Self::Float(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
        }
    }

    fn put(&self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        fn group<T: Clone>(cells: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
            let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            (cells.iter().flatten().cloned().collect(), levels)
        }
        match (self, writer) {
            (Self::Int(cells), ColumnWriter::Int64ColumnWriter(writer)) => {
                let (values, levels) = group(cells);
                writer.write_batch(&values, Some(&levels), None)?;
            }
            (Self::Float(cells), ColumnWriter::DoubleColumnWriter(writer)) => {
                let (values, levels) = group(cells);
                writer.write_batch(&values, Some(&levels), None)?;
            }
            (Self::Text(cells), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let (values, levels) = group(cells);
                let values: Vec<ByteArray> =
                    values.iter().map(|text| ByteArray::from(text.as_str())).collect();
                writer.write_batch(&values, Some(&levels), None)?;
            }
            _ => return Err(ParquetError::General("a column has another type".to_owned())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    #[test]
    fn rows_come_back_with_their_nulls_also_over_groups() {
        let rows = GROUP as i64 + 3;
        let group = |own: &[i64]| {
            let mut rows = Rows::default();
            rows.int("n", own.iter().map(|n| (n % 7 != 0).then_some(n * 1_000_003)));
            rows.text("t", own.iter().map(|n| (n % 3 != 0).then(|| n.to_string())));
            rows.float("x", own.iter().map(|n| Some(*n as f64 / 8.0)));
            rows
        };
        let mut bytes = Vec::new();
        write_groups(&mut bytes, in_groups(0..rows, group)).unwrap();
        let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        for (n, row) in (0..rows).zip(reader.get_row_iter(None).unwrap()) {
            let row = row.unwrap();
            let fields: Vec<Field> = row.get_column_iter().map(|(_, f)| f.clone()).collect();
            let or = |some: bool, field: Field| if some { field } else { Field::Null };
            let text = Field::Str(n.to_string());
            let expected = [
                or(n % 7 != 0, Field::Long(n * 1_000_003)),
                or(n % 3 != 0, text),
                Field::Double(n as f64 / 8.0),
            ];
            assert_eq!(fields, expected, "row {n}");
        }
    }
}
