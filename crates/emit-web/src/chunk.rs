//! Chunks: columns of one length, deflated and in base64, each in an element of its own that the page
//! decodes when it needs it.

use std::cell::RefCell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compress, Compression, FlushCompress, Status};
use serde::Serialize;

use crate::column::{Column, Encoding};
use crate::strings::Strings;

/// A column's place and meaning in its chunk.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct ColumnHead {
    pub(crate) key: String,
    /// How the numbers are in the chunk.
    enc: Encoding,
    /// The number, where all are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    value: Option<i64>,
    /// Divide the numbers by this; 1 if absent.
    #[serde(skip_serializing_if = "is_one")]
    #[cfg_attr(feature = "page-types", ts(optional, as = "Option<u32>"))]
    scale: u32,
    /// The numbers are texts: index into the page's strings of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    map: Option<Vec<u32>>,
    /// Bytes of the column in the chunk.
    bytes: usize,
    /// The texts until they have places among the page's.
    #[serde(skip)]
    texts: Option<Strings>,
}

fn is_one(scale: &u32) -> bool {
    *scale == 1
}

/// Columns of one length: raw deflate, then base64, in the element `c{id}`.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct Chunk {
    /// Number of its element; given when the page is written.
    pub(crate) id: usize,
    /// Numbers in each column.
    pub(crate) rows: usize,
    pub(crate) columns: Vec<ColumnHead>,
    /// Content of its element; empty where all columns are constant.
    #[serde(skip)]
    pub(crate) content: String,
}

impl Chunk {
    /// Packs columns of one length.
    pub(crate) fn pack(columns: Vec<Column>) -> Self {
        let rows = columns.first().map_or(0, |c| c.rows);
        let mut bytes: Vec<Vec<u8>> = Vec::new();
        let mut heads = Vec::with_capacity(columns.len());
        for mut column in columns {
            let value = column.settle();
            heads.push(ColumnHead {
                key: column.key,
                enc: column.encoding,
                value,
                scale: column.scale,
                map: None,
                bytes: column.bytes.len(),
                texts: column.texts,
            });
            bytes.push(column.bytes);
        }
        let content = match bytes.iter().all(Vec::is_empty) {
            true => String::new(),
            false => STANDARD.encode(deflated(&bytes)),
        };
        Self { id: 0, rows, columns: heads, content }
    }

    /// Gives the chunk's texts their places among the page's.
    pub(crate) fn place(&mut self, strings: &mut Strings) {
        for column in &mut self.columns {
            if let Some(texts) = column.texts.take() {
                column.map = Some(texts.texts.iter().map(|t| strings.index(t)).collect());
            }
        }
    }
}

thread_local! {
    /// Used again and again: a new one takes longer to make ready than a small chunk to pack.
    static PACKER: RefCell<Packer> = RefCell::new(Packer::new());
}

fn deflated(columns: &[Vec<u8>]) -> Vec<u8> {
    if columns.iter().map(Vec::len).sum::<usize>() <= STORED {
        return stored(columns.concat());
    }
    PACKER.with_borrow_mut(|packer| packer.pack(columns))
}

/// Bytes that are stored as they are: an encoder clears a thousand times as many before it begins, and makes them hardly fewer.
const STORED: usize = 96;

/// Few bytes as the only block of a deflate stream, which is not compressed
/// ([RFC 1951](https://www.rfc-editor.org/rfc/rfc1951#page-11), 3.2.4): a mark, how many there are, the same inverted, the bytes.
fn stored(bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u16;
    [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), &bytes].concat()
}

/// Deflates. Unlike the library's writer, it does not clear what the next bytes overwrite before each piece.
struct Packer {
    deflate: Compress,
    /// What the library writes into.
    piece: Box<[u8; PIECE]>,
}

impl Packer {
    fn new() -> Self {
        Self { deflate: Compress::new(Compression::new(LEVEL), false), piece: Box::new([0; PIECE]) }
    }

    fn pack(&mut self, columns: &[Vec<u8>]) -> Vec<u8> {
        let mut packed = Vec::new();
        self.deflate.reset();
        for column in columns {
            self.run(column, FlushCompress::None, &mut packed);
        }
        self.run(&[], FlushCompress::Finish, &mut packed);
        packed
    }

    /// Deflates until all is read; at the end of the stream, until all is written.
    fn run(&mut self, mut bytes: &[u8], flush: FlushCompress, packed: &mut Vec<u8>) {
        let to_end = flush == FlushCompress::Finish;
        while to_end || !bytes.is_empty() {
            let (read, written) = (self.deflate.total_in(), self.deflate.total_out());
            let status = self.deflate.compress(bytes, self.piece.as_mut_slice(), flush);
            let read = (self.deflate.total_in() - read) as usize;
            let written = (self.deflate.total_out() - written) as usize;
            bytes = bytes.get(read..).unwrap_or_default();
            packed.extend_from_slice(self.piece.get(..written).unwrap_or_default());
            // No progress is never seen: each call has room to write.
            if !matches!(status, Ok(Status::Ok)) || (read == 0 && written == 0) {
                break;
            }
        }
    }
}

/// Bytes that are written at once.
const PIECE: usize = 32 * 1024;

/// Deflate level: beyond it the time grows several times faster than the size shrinks (measured on columns of
/// a million commands).
const LEVEL: u32 = 4;

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::DeflateDecoder;

    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_whole_whatever_was_packed_before() {
        let mut state = 1_u32;
        let mut noise = |bytes: usize| -> Vec<u8> {
            (0..bytes)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state.to_be_bytes()[0]
                })
                .collect()
        };
        // Several pieces of what can't be made smaller, nothing, and what nearly vanishes.
        let chunks = [
            vec![noise(5 * PIECE + 1), vec![], noise(3)],
            vec![vec![]],
            vec![vec![7; 9 * PIECE]],
            vec![noise(STORED)],
            vec![noise(STORED), noise(1)],
        ];
        for columns in chunks.iter().chain(chunks.iter().rev()) {
            let mut unpacked = Vec::new();
            DeflateDecoder::new(&*deflated(columns)).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == columns.concat(), "{} bytes", unpacked.len());
        }
    }
}
