//! A table as a Parquet file, row group by row group: only what the rows of one group are made of is in memory, and the cells
//! of a part of one column.

use std::io::Write;
use std::sync::Arc;

use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_parquet_column::{
    COMPRESSION, Chunk, DictionaryValue, DistinctFinder, chunk as dictionary_chunk, library_chunk,
};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{
    DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT, WriterProperties, WriterPropertiesPtr,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type as SchemaType};

/// Rows of a group.
pub(crate) const GROUP: usize = 1 << 17;
/// Cells of a column that the library gets at once: a multiple of what it takes at once, so that no byte depends on it.
const CELLS: usize = 1 << 13;

/// Makes a cell of a row.
type Cell<'c, T, V> = Box<dyn Fn(&T) -> Option<V> + 'c>;

/// Makes the cells of a column, one for each row; `None` is null.
enum Cells<'c, T> {
    Int(Cell<'c, T, i64>),
    Float(Cell<'c, T, f64>),
    Text(Cell<'c, T, &'c str>),
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

    pub(crate) fn text(&mut self, name: &'static str, cell: impl Fn(&T) -> Option<&'c str> + 'c) {
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
        let (schema, properties) = (Arc::new(self.schema()?), Arc::new(properties()));
        let descriptors = SchemaDescriptor::new(Arc::clone(&schema));
        let mut writer = SerializedFileWriter::new(file, schema, Arc::clone(&properties))?;
        let mut rows = rows.peekable();
        let mut own: Vec<T> = Vec::new();
        while rows.peek().is_some() {
            own.clear();
            own.extend(rows.by_ref().take(GROUP));
            let mut group = writer.next_row_group()?;
            for (at, (_, cells)) in self.all.iter().enumerate() {
                let (bytes, closed) = cells.chunk(descriptors.column(at), &properties, &own)?;
                group.append_column(&bytes, closed)?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(())
    }
}

fn properties() -> WriterProperties {
    let writer = format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION"));
    WriterProperties::builder().set_compression(COMPRESSION).set_created_by(writer).build()
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

/// The column with a dictionary; `None` where its values are none that a dictionary is for.
fn in_dictionary<T, V: DictionaryValue>(
    descriptor: &ColumnDescPtr,
    rows: &[T],
    cell: impl Fn(&T) -> Option<V>,
) -> Result<Option<Chunk>> {
    let found = DistinctFinder::find(rows.iter().map(cell), DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT);
    found.map_or(Ok(None), |found| dictionary_chunk(descriptor, &found))
}

impl<T> Cells<'_, T> {
    fn chunk(
        &self,
        descriptor: ColumnDescPtr,
        properties: &WriterPropertiesPtr,
        rows: &[T],
    ) -> Result<Chunk> {
        let chunk = match self {
            Self::Int(cell) => in_dictionary(&descriptor, rows, cell)?,
            Self::Text(cell) => in_dictionary(&descriptor, rows, cell)?,
            Self::Float(_) => None,
        };
        match chunk {
            Some(chunk) => Ok(chunk),
            None => self.library_chunk(descriptor, properties, rows),
        }
    }

    /// Any column, as the library encodes it.
    fn library_chunk(
        &self,
        descriptor: ColumnDescPtr,
        properties: &WriterPropertiesPtr,
        rows: &[T],
    ) -> Result<Chunk> {
        library_chunk(descriptor, properties, |writer| {
            rows.chunks(CELLS).try_for_each(|part| self.put(part, writer))
        })
    }

    fn put(&self, rows: &[T], writer: &mut ColumnWriter<'_>) -> Result<()> {
        match (self, writer) {
            (Self::Int(cell), ColumnWriter::Int64ColumnWriter(writer)) => put(writer, rows, cell),
            (Self::Float(cell), ColumnWriter::DoubleColumnWriter(writer)) => {
                put(writer, rows, cell)
            }
            (Self::Text(cell), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                put(writer, rows, |row| Some(cell(row)?.into()))
            }
            _ => Err(ParquetError::General("a column has another type".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use bytes::Bytes;

    use super::*;

    #[test]
    fn rows_come_back_with_their_nulls_also_over_groups() {
        let rows = GROUP as i64 + 3;
        let names: Vec<String> = (0..rows).map(|n| n.to_string()).collect();
        let mut columns = Columns::default();
        columns.int("n", |n: &i64| (n % 7 != 0).then_some(n * 1_000_003));
        columns.text("t", |n| names.get(*n as usize).filter(|_| n % 3 != 0).map(String::as_str));
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

    /// A column has the bytes that the library writes, also where a dictionary has just no room for its values.
    #[test]
    fn columns_have_the_bytes_of_the_library() {
        let rows: Vec<i64> = (0..GROUP as i64).collect();
        let names: Vec<String> = (0..40_000).map(|n| format!("name {n}")).collect();
        let name = |n: i64| names.get(n as usize % names.len()).map(String::as_str);
        let mut columns = Columns::default();
        columns.int("equal", |_| Some(7));
        columns.int("few", |n: &i64| (n % 3 > 0).then_some(n / 64 % 5));
        columns.int("one fewer than all", |n| Some(n.max(&1) * 1_000_003));
        columns.int("all", |n| Some(-n));
        columns.text("few names", |n| name(n / 1000));
        columns.text("many names", |n| name(n / 3));
        let schema = Arc::new(columns.schema().unwrap());
        let descriptors = SchemaDescriptor::new(schema);
        let properties = Arc::new(properties());
        for (at, (name, cells)) in columns.all.iter().enumerate() {
            let descriptor = || descriptors.column(at);
            let (bytes, closed) = cells.chunk(descriptor(), &properties, &rows).unwrap();
            let (expected, of_library) =
                cells.library_chunk(descriptor(), &properties, &rows).unwrap();
            assert!(bytes == expected, "{name}");
            assert_eq!(format!("{closed:?}"), format!("{of_library:?}"), "{name}");
        }
    }
}
