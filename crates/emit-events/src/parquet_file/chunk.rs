//! A column of a row group as it is in the file.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::bits::{Bits, width};
use super::content::{Content, Encodable};
use super::statistics::statistics;
use super::{delta, rle};
use crate::cell::{Cell, Type};

/// The pages of a column, and what the file's metadata say of them: one page of data, and one of the dictionary where
/// there is one.
pub(super) fn chunk(
    descriptor: ColumnDescPtr,
    kind: Type,
    content: &Content<'_>,
) -> Result<(Bytes, ColumnCloseResult)> {
    let rows = content.levels.len();
    let mut out = TrackedWrite::new(Vec::new());
    let mut pages = SerializedPageWriter::new(&mut out);
    let mut encodings = vec![Encoding::RLE];
    let (mut compressed, mut uncompressed) = (0, 0);
    let mut put = |page: CompressedPage| -> Result<i64> {
        encodings.push(page.encoding());
        let written = pages.write_page(page)?;
        compressed += written.compressed_size;
        uncompressed += written.uncompressed_size;
        Ok(written.offset as i64)
    };
    let dictionary = dictionary_page(&content.values)?;
    let dictionary_at = dictionary.map(&mut put).transpose()?;
    let data_at = put(data_page(kind, content)?)?;
    pages.close()?;
    let metadata = ColumnChunkMetaData::builder(descriptor)
        .set_compression(Compression::SNAPPY)
        .set_encodings(encodings)
        .set_total_compressed_size(compressed as i64)
        .set_total_uncompressed_size(uncompressed as i64)
        .set_num_values(rows as i64)
        .set_data_page_offset(data_at)
        .set_dictionary_page_offset(dictionary_at)
        .set_statistics(statistics(kind, content))
        .build()?;
    let closed = ColumnCloseResult {
        bytes_written: compressed as u64,
        rows_written: rows as u64,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    Ok((Bytes::from(out.into_inner()?), closed))
}

/// The distinct values; `None` where the values are not in a dictionary.
fn dictionary_page(values: &Encodable<'_>) -> Result<Option<CompressedPage>> {
    let entries = match values {
        Encodable::Dictionary(entries, _) if !entries.is_empty() => entries,
        _ => return Ok(None),
    };
    let mut bytes = Vec::new();
    for entry in entries {
        match entry {
            Cell::Null | Cell::Bool(_) => {}
            Cell::Int(n) => bytes.extend(n.to_le_bytes()),
            Cell::Float(x) => bytes.extend(x.to_le_bytes()),
            Cell::Text(text) => {
                bytes.extend(count(text.len())?.to_le_bytes());
                bytes.extend(text.as_bytes());
            }
        }
    }
    let (buf, size) = compressed(&bytes)?;
    let num_values = count(entries.len())?;
    let page =
        Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false };
    Ok(Some(CompressedPage::new(page, size)))
}

/// Levels, then values.
fn data_page(kind: Type, content: &Content<'_>) -> Result<CompressedPage> {
    let mut bytes = vec![0; size_of::<u32>()];
    rle::put(&mut bytes, &content.levels, 1);
    let length = count(bytes.len() - size_of::<u32>())?.to_le_bytes();
    if let Some(place) = bytes.first_chunk_mut() {
        *place = length;
    }
    let encoding = match (&content.values, kind) {
        (values, _) if values.len() == 0 => Encoding::PLAIN,
        (Encodable::Dictionary(entries, codes), _) => {
            let width = width(entries.len() as u64 - 1);
            bytes.push(width as u8);
            rle::put(&mut bytes, codes, width);
            Encoding::RLE_DICTIONARY
        }
        (Encodable::Words(words), Type::Bool) => {
            let mut bits = Bits::new(&mut bytes);
            words.iter().for_each(|&word| bits.put(word as u64, 1));
            bits.finish();
            Encoding::PLAIN
        }
        (Encodable::Words(words), Type::Int) => {
            delta::put(&mut bytes, words);
            Encoding::DELTA_BINARY_PACKED
        }
        (Encodable::Words(words), Type::Float | Type::Text) => {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            Encoding::PLAIN
        }
    };
    let (buf, size) = compressed(&bytes)?;
    let page = Page::DataPage {
        buf,
        num_values: count(content.levels.len())?,
        encoding,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    Ok(CompressedPage::new(page, size))
}

/// The bytes compressed by Snappy, and how many they were before.
fn compressed(bytes: &[u8]) -> Result<(Bytes, usize)> {
    let compressed = snap::raw::Encoder::new().compress_vec(bytes);
    let compressed = compressed.map_err(|error| ParquetError::External(Box::new(error)))?;
    count(compressed.len().max(bytes.len()))?;
    Ok((Bytes::from(compressed), bytes.len()))
}

/// A size as the format holds it.
fn count(n: usize) -> Result<u32> {
    let too_large = || ParquetError::General(format!("{n} bytes are too many for a Parquet page"));
    i32::try_from(n).map(i32::cast_unsigned).map_err(|_| too_large())
}
