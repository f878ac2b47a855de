//! A column of a Parquet file: as a dictionary, with the bytes that the `parquet` crate writes and a part of its work, or as that crate
//! encodes it.
#![forbid(unsafe_code)]

mod dictionary;
mod distinct;
mod library;
mod runs;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::writer::ColumnCloseResult;

pub use dictionary::chunk;
pub use distinct::{DictionaryValue, Distinct, DistinctFinder, NULL};
pub use library::library_chunk;

/// The pages of a column, and what the file's metadata say of them.
pub type Chunk = (Bytes, ColumnCloseResult);

/// How pages are compressed.
pub const COMPRESSION: Compression = Compression::SNAPPY;
