//! A table as a Parquet file, row group by row group: only what the rows of one group are made of is in memory, and the cells
//! of a part of one column.

use std::io::Write;
use std::sync::Arc;

use bigtpu_output::{OutDir, OutputError, Written};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type as SchemaType;

/// Rows of a group.
pub(crate) const GROUP: usize = 1 << 17;
/// Cells of a column that are made at once: a multiple of what the library takes at once, so that no byte depends on it.
const CELLS: usize = 1 << 13;

/// Makes a cell of a row.
type Cell<'c, T, V> = Box<dyn Fn(&T) -> Option<V> + 'c>;

/// Makes the cells of a column, one for each row; `None` is null.
enum Cells<'c, T> {
    Int(Cell<'c, T, i64>),
    Float(Cell<'c, T, f64>),
    Text(Cell<'c, T, String>),
}

/// The columns of a table whose rows are made of `T`. Their cells are made when a group is written, a part of a column at
/// a time: all columns of a group at once would be half a kilobyte a row.
pub(crate) struct Columns<'c, T> {
    all: Vec<(&'static str, Cells<'c, T>)>,
}

impl<T> Default for Columns<'_, T> {
    fn default() -> Self {
        Self { all: Vec::new() }
    }
}

impl<'c, T> Columns<'c, T> {
    pub(crate) fn int(&mut self, name: &'static str, cell: impl Fn(&T) -> Option<i64> + 'c) {
        self.all.push((name, Cells::Int(Box::new(cell))));
    }

    pub(crate) fn float(&mut self, name: &'static str, cell: impl Fn(&T) -> Option<f64> + 'c) {
        self.all.push((name, Cells::Float(Box::new(cell))));
    }

    pub(crate) fn text(&mut self, name: &'static str, cell: impl Fn(&T) -> Option<String> + 'c) {
        self.all.push((name, Cells::Text(Box::new(cell))));
    }

    fn schema(&self) -> Result<SchemaType> {
        let field = |(name, cells): &(&'static str, Cells<'c, T>)| {
            let (physical, logical) = match cells {
                Cells::Int(_) => (Physical::INT64, None),
                Cells::Float(_) => (Physical::DOUBLE, None),
                Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let builder = SchemaType::primitive_type_builder(name, physical);
            let builder = builder.with_repetition(Repetition::OPTIONAL);
            Ok(Arc::new(builder.with_logical_type(logical).build()?))
        };
        let fields: Result<Vec<_>> = self.all.iter().map(field).collect();
        SchemaType::group_type_builder("cluster").with_fields(fields?).build()
    }

    fn write(&self, file: impl Write + Send, rows: impl Iterator<Item = T>) -> Result<()> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = Arc::new(self.schema()?);
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            let own: Vec<T> = rows.by_ref().take(GROUP).collect();
            let mut group = writer.next_row_group()?;
            for (_, cells) in &self.all {
                let Some(mut column) = group.next_column()? else { break };
                for part in own.chunks(CELLS) {
                    cells.put(part, column.untyped())?;
                }
                column.close()?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(())
    }
}

/// Writes a table, row group by row group.
///
/// # Errors
/// [`OutputError`] when the file can't be written.
pub(crate) fn write_table<T>(
    out: &OutDir,
    name: &str,
    columns: &Columns<'_, T>,
    rows: impl Iterator<Item = T>,
) -> std::result::Result<Written, OutputError> {
    let mut file = out.file(name)?;
    match columns.write(file.for_library(), rows) {
        Ok(()) => file.commit(),
        Err(error) => Err(file.failed(std::io::Error::other(error))),
    }
}

/// Gives a writer the cells of some rows.
fn put<T, D: DataType>(
    writer: &mut ColumnWriterImpl<'_, D>,
    rows: &[T],
    cell: impl Fn(&T) -> Option<D::T>,
) -> Result<()> {
    let (mut values, mut levels) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for row in rows {
        let value = cell(row);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    writer.write_batch(&values, Some(&levels), None)?;
    Ok(())
}

impl<T> Cells<'_, T> {
    fn put(&self, rows: &[T], writer: &mut ColumnWriter<'_>) -> Result<()> {
        match (self, writer) {
            (Self::Int(cell), ColumnWriter::Int64ColumnWriter(writer)) => put(writer, rows, cell),
            (Self::Float(cell), ColumnWriter::DoubleColumnWriter(writer)) => {
                put(writer, rows, cell)
            }
            (Self::Text(cell), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                put(writer, rows, |row| Some(cell(row)?.into_bytes().into()))
            }
            _ => Err(ParquetError::General("a column has another type".to_owned())),
        }
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
        let mut columns = Columns::default();
        columns.int("n", |n: &i64| (n % 7 != 0).then_some(n * 1_000_003));
        columns.text("t", |n| (n % 3 != 0).then(|| n.to_string()));
        columns.float("x", |n| Some(*n as f64 / 8.0));
        let mut bytes = Vec::new();
        columns.write(&mut bytes, 0..rows).unwrap();
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
