//! A table as a Parquet file: columns that are in memory, row group by row group.

use std::sync::Arc;

use bigtpu_output::{ByLibrary, OutDir, OutputError, Written};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type as SchemaType;

/// Rows of a group.
const GROUP: usize = 1 << 17;

/// The cells of a column; `None` is null.
pub(crate) enum Cells {
    Int(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// A table that is being filled.
pub(crate) struct Table {
    name: &'static str,
    columns: Vec<(&'static str, Cells)>,
}

impl Table {
    pub(crate) fn of(name: &'static str) -> Self {
        Self { name, columns: Vec::new() }
    }

    pub(crate) fn int(&mut self, name: &'static str, cells: impl Iterator<Item = Option<i64>>) {
        self.columns.push((name, Cells::Int(cells.collect())));
    }

    pub(crate) fn float(&mut self, name: &'static str, cells: impl Iterator<Item = Option<f64>>) {
        self.columns.push((name, Cells::Float(cells.collect())));
    }

    pub(crate) fn text(&mut self, name: &'static str, cells: impl Iterator<Item = Option<String>>) {
        self.columns.push((name, Cells::Text(cells.collect())));
    }

    /// Writes the file.
    pub(crate) fn write(&self, out: &OutDir) -> std::result::Result<Written, OutputError> {
        let mut file = out.file(self.name)?;
        let bytes = match self.bytes() {
            Ok(bytes) => bytes,
            Err(error) => return Err(file.failed(std::io::Error::other(error))),
        };
        file.append(&ByLibrary(&bytes))?;
        file.commit()
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("bigtpuprofile {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = Arc::new(self.schema()?);
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
        let rows = self.columns.first().map_or(0, |(_, cells)| cells.len());
        for from in (0..rows).step_by(GROUP) {
            let mut group = writer.next_row_group()?;
            for (_, cells) in &self.columns {
                let Some(mut column) = group.next_column()? else { break };
                cells.put(from, column.untyped())?;
                column.close()?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(bytes)
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

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Int(cells) => cells.len(),
            Self::Float(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
        }
    }

    /// Writes the cells of the row group that begins at a row.
    fn put(&self, from: usize, writer: &mut ColumnWriter<'_>) -> Result<()> {
        fn group<T: Clone>(cells: &[Option<T>], from: usize) -> (Vec<T>, Vec<i16>) {
            let own = cells.iter().skip(from).take(GROUP);
            let levels = own.clone().map(|cell| i16::from(cell.is_some())).collect();
            (own.flatten().cloned().collect(), levels)
        }
        match (self, writer) {
            (Self::Int(cells), ColumnWriter::Int64ColumnWriter(writer)) => {
                let (values, levels) = group(cells, from);
                writer.write_batch(&values, Some(&levels), None)?;
            }
            (Self::Float(cells), ColumnWriter::DoubleColumnWriter(writer)) => {
                let (values, levels) = group(cells, from);
                writer.write_batch(&values, Some(&levels), None)?;
            }
            (Self::Text(cells), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let (values, levels) = group(cells, from);
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
        let mut table = Table::of("t.parquet");
        table.int("n", (0..rows).map(|n| (n % 7 != 0).then_some(n * 1_000_003)));
        table.text("t", (0..rows).map(|n| (n % 3 != 0).then(|| n.to_string())));
        table.float("x", (0..rows).map(|n| Some(n as f64 / 8.0)));
        let reader = SerializedFileReader::new(Bytes::from(table.bytes().unwrap())).unwrap();
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
