//! A column of a row group as it is in the file, so that columns can be encoded side by side.

use std::cell::RefCell;

use bigtpu_parquet_column::{self as library, Chunk, DictionaryValue, Distinct, DistinctFinder};
use parquet::basic::Type as Physical;
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::schema::types::ColumnDescPtr;

use super::DICTIONARY;
use crate::cell::EventCell;
use crate::content::Content;

/// The pages of a column, and what the file's metadata say of them.
pub(super) fn chunk(
    descriptor: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    content: &Content<'_, '_>,
) -> Result<Chunk> {
    let in_dictionary = match descriptor.physical_type() {
        Physical::INT64 => dictionary_chunk(&descriptor, content, EventCell::as_int)?,
        Physical::BYTE_ARRAY => dictionary_chunk(&descriptor, content, EventCell::as_text)?,
        _ => None,
    };
    match in_dictionary {
        Some(chunk) => Ok(chunk),
        None => library_chunk(descriptor, properties, content),
    }
}

/// The column with a dictionary; `None` where its values are none that a dictionary is for.
fn dictionary_chunk<'a, V: DictionaryValue>(
    descriptor: &ColumnDescPtr,
    content: &Content<'_, 'a>,
    value: impl Fn(EventCell<'a>) -> Option<V>,
) -> Result<Option<Chunk>> {
    distinct(content, value).map_or(Ok(None), |found| library::chunk(descriptor, &found))
}

/// The values of a column without repetition; `value` is that of a cell. `None` where they are too many for a dictionary.
fn distinct<'a, V: DictionaryValue>(
    content: &Content<'_, 'a>,
    value: impl Fn(EventCell<'a>) -> Option<V>,
) -> Option<Distinct<V>> {
    let (cells, rows) = match content {
        Content::Shared(cells, rows) => (cells, rows),
        Content::Own(cells) => {
            return DistinctFinder::find(cells.iter().map(|cell| value(*cell)), DICTIONARY);
        }
    };
    let mut found = DistinctFinder::new(rows.len(), DICTIONARY);
    let mut of_cells = vec![None; cells.len()];
    for row in rows {
        let at = *row as usize;
        let number = match of_cells.get(at).copied().flatten() {
            Some(number) => number,
            None => {
                let cell = cells.get(at).copied().unwrap_or(EventCell::Null);
                let number = found.number(value(cell))?;
                if let Some(of_cell) = of_cells.get_mut(at) {
                    *of_cell = Some(number);
                }
                number
            }
        };
        found.add(number);
    }
    Some(found.finish())
}

/// Any column, as the library encodes it.
pub(super) fn library_chunk(
    descriptor: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    content: &Content<'_, '_>,
) -> Result<Chunk> {
    library::library_chunk(descriptor, properties, |writer| match writer {
        ColumnWriter::Int64ColumnWriter(writer) => put(writer, content, EventCell::as_int),
        ColumnWriter::DoubleColumnWriter(writer) => put(writer, content, EventCell::as_float),
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let last = RefCell::new(("", ByteArray::from("")));
            put(writer, content, |cell| Some(shared_text(cell.as_text()?, &last)))
        }
        ColumnWriter::BoolColumnWriter(writer) => put(writer, content, EventCell::as_bool),
        _ => Err(ParquetError::General("a column of this type has no writer".to_owned())),
    })
}

/// A text as the library takes it. Rows that follow each other often have one text: then they share its bytes. `last`: that of
/// the row before.
fn shared_text<'a>(text: &'a str, last: &RefCell<(&'a str, ByteArray)>) -> ByteArray {
    let mut last = last.borrow_mut();
    if last.0 != text {
        *last = (text, text.into());
    }
    last.1.clone()
}

/// Writes a column; `value` is the value of a cell.
fn put<'a, T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    content: &Content<'_, 'a>,
    value: impl Fn(EventCell<'a>) -> Option<T::T>,
) -> Result<()> {
    let (values, levels) = content.values(value);
    writer.write_batch(&values, Some(&levels), None)?;
    Ok(())
}
