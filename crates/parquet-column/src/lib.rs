//! A column of a Parquet file as a dictionary, with the bytes that the `parquet` crate writes and a part of its work.
#![forbid(unsafe_code)]

mod dictionary;
mod distinct;
mod runs;

use parquet::basic::Compression;

pub use dictionary::chunk;
pub use distinct::{DictionaryValue, Distinct, DistinctFinder, NULL};

/// How pages are compressed.
pub const COMPRESSION: Compression = Compression::SNAPPY;
