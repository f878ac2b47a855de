//! A column as the library encodes it.

use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::{ColumnWriter, get_column_writer};
use parquet::errors::Result;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::Chunk;

/// The pages of a column to whose writer `put` gives all values.
///
/// # Errors
/// Those of `put` and of the library.
pub fn library_chunk(
    descriptor: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    put: impl FnOnce(&mut ColumnWriter<'_>) -> Result<()>,
) -> Result<Chunk> {
    let mut out = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut out));
    let mut writer = get_column_writer(descriptor, Arc::clone(properties), pages);
    put(&mut writer)?;
    let closed = writer.close()?;
    Ok((Bytes::from(out.into_inner()?), closed))
}
