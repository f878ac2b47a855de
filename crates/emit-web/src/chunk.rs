//! Chunks: columns of one length, deflated and in base64, each in an element of its own that the page
//! decodes when it needs it.

use std::cell::RefCell;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
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
    pub(crate) fn of(columns: Vec<Column>) -> Self {
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
    static ENCODER: RefCell<DeflateEncoder<Vec<u8>>> =
        RefCell::new(DeflateEncoder::new(Vec::new(), Compression::new(LEVEL)));
}

fn deflated(bytes: &[Vec<u8>]) -> Vec<u8> {
    ENCODER.with_borrow_mut(|encoder| {
        // Writing into a vector cannot fail.
        bytes.iter().for_each(|bytes| drop(encoder.write_all(bytes)));
        encoder.reset(Vec::new()).unwrap_or_default()
    })
}

/// Deflate level: beyond it the time grows several times faster than the size shrinks (measured on columns of
/// a million commands).
const LEVEL: u32 = 4;
