//! A column of a row group as it is in the file, so that columns can be encoded side by side.

use std::cell::RefCell;
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer,
};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::cell::EventCell;
use crate::content::Content;

/// The pages of a column, and what the file's metadata say of them.
pub(super) fn chunk(
    descriptor: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    content: &Content<'_, '_>,
) -> Result<(Bytes, ColumnCloseResult)> {
    let mut out = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut out));
    let mut writer = get_column_writer(descriptor, Arc::clone(properties), pages);
    match &mut writer {
        ColumnWriter::Int64ColumnWriter(writer) => put(writer, content, EventCell::as_int),
        ColumnWriter::DoubleColumnWriter(writer) => put(writer, content, EventCell::as_float),
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let last = RefCell::new(("", ByteArray::from("")));
            put(writer, content, |cell| Some(shared_text(cell.as_text()?, &last)))
        }
        ColumnWriter::BoolColumnWriter(writer) => put(writer, content, EventCell::as_bool),
        _ => Err(ParquetError::General("a column of this type has no writer".to_owned())),
    }?;
    let closed = writer.close()?;
    Ok((Bytes::from(out.into_inner()?), closed))
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
