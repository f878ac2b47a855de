//! A column as a dictionary of its distinct values and, for each row, the number of its value: what the library writes, byte for
//! byte, except where the texts of 1024 rows are longer than a dictionary may be. The library looks up each row's value by its
//! hash, copies it and compares it with the least and the greatest one; here all this is done once for a value.

use bytes::Bytes;
use parquet::basic::{BoundaryOrder, Encoding, EncodingMask, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnIndexBuilder, LevelHistogram, OffsetIndexBuilder, PageEncodingStats,
};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::distinct::{DictionaryValue, Distinct, NULL};
use crate::runs::{put_numbers, put_run, width};
use crate::{COMPRESSION, Chunk};

/// Rows of a page: the library's, which ends a page with the first batch of 1024 that takes it to 20 000.
const PAGE: usize = 20 << 10;

/// The pages of a column, and what the file's metadata say of them; `None` where an index shortens texts, which is left to the library.
///
/// # Errors
/// [`ParquetError`](parquet::errors::ParquetError) when a page is too long for the format.
pub fn chunk<V: DictionaryValue>(
    descriptor: &ColumnDescPtr,
    distinct: &Distinct<V>,
) -> Result<Option<Chunk>> {
    let mut known = 0;
    let pages = distinct.rows.chunks(PAGE);
    let pages: Vec<Rows<V>> =
        pages.map(|rows| Rows::encode(rows, &distinct.values, &mut known)).collect();
    let Some(column_index) = column_index(descriptor, &pages) else { return Ok(None) };
    let mut out = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut out);
    let mut compressor = snap::raw::Encoder::new();
    let buf = compressor.compress_vec(&distinct.page)?.into();
    let num_values = distinct.values.len() as u32;
    let page =
        Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false };
    let mut written = vec![writer.write_page(CompressedPage::new(page, distinct.page.len()))?];
    let mut offsets = OffsetIndexBuilder::new();
    for page in &pages {
        let (buf, size) = (compressor.compress_vec(&page.bytes)?.into(), page.bytes.len());
        let file = writer.write_page(CompressedPage::new(page.in_file(buf), size))?;
        offsets.append_row_count(page.count as i64);
        offsets.append_unencoded_byte_array_data_bytes(page.text_bytes);
        offsets.append_offset_and_size(file.offset as i64, file.compressed_size as i32);
        written.push(file);
    }
    writer.close()?;
    let closed = ColumnCloseResult {
        bytes_written: written.iter().map(|page| page.bytes_written).sum(),
        rows_written: distinct.rows.len() as u64,
        metadata: metadata(descriptor, &pages, &written)?,
        bloom_filter: None,
        column_index: Some(column_index.build()?),
        offset_index: Some(offsets.build()),
    };
    Ok(Some((Bytes::from(out.into_inner()?), closed)))
}

/// The least and greatest values of pages, for readers that skip pages. `None` where it shortens texts.
fn column_index<V: DictionaryValue>(
    descriptor: &ColumnDescPtr,
    pages: &[Rows<V>],
) -> Option<ColumnIndexBuilder> {
    let mut index = ColumnIndexBuilder::new(descriptor.physical_type());
    for page in pages {
        let (least, greatest) = match page.least_greatest {
            Some((least, greatest)) => (least.index_bytes()?, greatest.index_bytes()?),
            None => Default::default(),
        };
        let is_null = page.least_greatest.is_none();
        index.append(is_null, least, greatest, page.nulls as i64, None);
        index.append_histograms(&None, &Some(page.levels()));
    }
    let values = || pages.iter().filter_map(|page| page.least_greatest);
    let rise = values().is_sorted_by(|(a, b), (c, d)| a <= c && b <= d);
    let fall = values().is_sorted_by(|(a, b), (c, d)| a >= c && b >= d);
    index.set_boundary_order(match (rise, fall) {
        (true, _) => BoundaryOrder::ASCENDING,
        (false, true) => BoundaryOrder::DESCENDING,
        (false, false) => BoundaryOrder::UNORDERED,
    });
    Some(index)
}

/// What the file says of a column. `written`: its dictionary and its pages.
fn metadata<V: DictionaryValue>(
    descriptor: &ColumnDescPtr,
    pages: &[Rows<V>],
    written: &[PageWriteSpec],
) -> Result<ColumnChunkMetaData> {
    let sum = |size: fn(&PageWriteSpec) -> usize| written.iter().map(size).sum::<usize>() as i64;
    let rows: usize = pages.iter().map(|page| page.count).sum();
    let nulls: usize = pages.iter().map(|page| page.nulls).sum();
    let ends = pages.iter().filter_map(|page| page.least_greatest);
    let ends = ends.reduce(|(a, b), (least, greatest)| (a.min(least), b.max(greatest)));
    let mut levels = LevelHistogram::from(vec![0, 0]);
    pages.iter().for_each(|page| levels.add(&page.levels()));
    let of_pages = |page_type, encoding, count: usize| PageEncodingStats {
        page_type,
        encoding,
        count: count as i32,
    };
    let encodings = [Encoding::RLE, Encoding::PLAIN, Encoding::RLE_DICTIONARY];
    ColumnChunkMetaData::builder(descriptor.clone())
        .set_compression(COMPRESSION)
        .set_encodings_mask(EncodingMask::new_from_encodings(encodings.iter()))
        .set_page_encoding_stats(vec![
            of_pages(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1),
            of_pages(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY, pages.len()),
        ])
        .set_total_compressed_size(sum(|page| page.compressed_size))
        .set_total_uncompressed_size(sum(|page| page.uncompressed_size))
        .set_num_values(rows as i64)
        .set_data_page_offset(written.first().map_or(0, |page| page.bytes_written as i64))
        .set_dictionary_page_offset(Some(0))
        .set_statistics(V::statistics(ends, nulls as u64))
        .set_unencoded_byte_array_data_bytes(pages.iter().map(|page| page.text_bytes).sum())
        .set_definition_level_histogram(Some(levels))
        .build()
}

/// A page of rows, and what indexes say of it.
struct Rows<V> {
    bytes: Vec<u8>,
    count: usize,
    nulls: usize,
    least_greatest: Option<(V, V)>,
    text_bytes: Option<i64>,
}

impl<V: DictionaryValue> Rows<V> {
    /// The page of rows that have these values. `known`: how many values the pages before it have; then, how many this one and they have.
    fn encode(rows: &[u32], values: &[V], known: &mut u32) -> Self {
        // How often each value is there; of numbers that are mostly distinct the rows say as much.
        let is_counted = V::IS_TEXT || values.len() <= rows.len();
        let mut counts = vec![0_u32; if is_counted { values.len() } else { 0 }];
        let mut present = Vec::with_capacity(rows.len());
        for number in rows.iter().filter(|number| **number != NULL) {
            if let Some(count) = counts.get_mut(*number as usize) {
                *count += 1;
            }
            present.push(*number);
            *known = (*known).max(*number + 1);
        }
        let nulls = rows.len() - present.len();
        let mut bytes = vec![0; 4];
        if nulls == 0 {
            put_run(1, rows.len(), 1, &mut bytes);
        } else {
            let levels: Vec<u32> = rows.iter().map(|number| u32::from(*number != NULL)).collect();
            put_numbers(&levels, 1, &mut bytes);
        }
        let length = (bytes.len() - 4) as u32;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        let width = width(known.saturating_sub(1));
        bytes.push(width as u8);
        put_numbers(&present, width, &mut bytes);
        let used = || values.iter().zip(&counts).filter(|(_, count)| **count > 0);
        let own = || present.iter().filter_map(|number| values.get(*number as usize));
        let least_greatest = match is_counted {
            true => used().map(|(value, _)| *value).fold(None, widened),
            false => own().copied().fold(None, widened),
        };
        let text = used().map(|(value, count)| value.text_bytes() as i64 * i64::from(*count));
        let text_bytes = V::IS_TEXT.then(|| text.sum());
        Self { bytes, count: rows.len(), nulls, least_greatest, text_bytes }
    }

    /// The page as the library writes it; `buf` is compressed.
    fn in_file(&self, buf: Bytes) -> Page {
        Page::DataPage {
            buf,
            num_values: self.count as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        }
    }

    /// How many rows are null, and how many are not.
    fn levels(&self) -> LevelHistogram {
        vec![self.nulls as i64, (self.count - self.nulls) as i64].into()
    }
}

/// The least and the greatest value, with one more.
fn widened<V: DictionaryValue>(least_greatest: Option<(V, V)>, value: V) -> Option<(V, V)> {
    let (least, greatest) = least_greatest.unwrap_or((value, value));
    Some((least.min(value), greatest.max(value)))
}
