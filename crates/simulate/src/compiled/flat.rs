//! The tables of a `.bmodel`: accessors of the fields that are needed, by their ids in `bmodel.fbs` of tpu-mlir, whose
//! authors only add fields. The crate `planus` checks every offset as it is followed.

use std::marker::PhantomData;

use planus::errors::ErrorKind;
use planus::table_reader::Table;
use planus::{Result, SliceWithStartOffset, TableRead};

/// A table.
#[derive(Clone, Copy)]
pub(crate) struct Flat<'b>(Table<'b>);

impl<'b> TableRead<'b> for Flat<'b> {
    fn from_buffer(
        buffer: SliceWithStartOffset<'b>,
        offset: usize,
    ) -> std::result::Result<Self, ErrorKind> {
        Table::from_buffer(buffer, offset).map(Self)
    }
}

/// What vectors have in their elements' places: offsets of tables, or ranges themselves.
pub(crate) trait Element<'b>: TableRead<'b> {
    /// Bytes of an element.
    const BYTES: usize;
}

impl<'b> Element<'b> for Flat<'b> {
    const BYTES: usize = 4;
}

impl<'b> Element<'b> for Binary {
    const BYTES: usize = 16;
}

/// A vector.
#[derive(Clone, Copy)]
pub(crate) struct Vector<'b, T> {
    buffer: SliceWithStartOffset<'b>,
    len: usize,
    of: PhantomData<T>,
}

impl<'b, T: Element<'b>> TableRead<'b> for Vector<'b, T> {
    fn from_buffer(
        buffer: SliceWithStartOffset<'b>,
        offset: usize,
    ) -> std::result::Result<Self, ErrorKind> {
        let (buffer, len) = vector(buffer, offset, T::BYTES)?;
        Ok(Self { buffer, len, of: PhantomData })
    }
}

impl<'b, T: Element<'b>> Vector<'b, T> {
    pub(crate) fn iter(self) -> impl Iterator<Item = std::result::Result<T, ErrorKind>> {
        (0..self.len).map(move |number| T::from_buffer(self.buffer, number * T::BYTES))
    }
}

/// The elements of a vector, and how many there are.
fn vector(
    buffer: SliceWithStartOffset<'_>,
    offset: usize,
    bytes: usize,
) -> std::result::Result<(SliceWithStartOffset<'_>, usize), ErrorKind> {
    let to = <u32 as TableRead>::from_buffer(buffer, offset)? as usize;
    let at = offset.checked_add(to).ok_or(ErrorKind::InvalidOffset)?;
    let vector = buffer.advance(at)?;
    let len = <u32 as TableRead>::from_buffer(vector, 0)? as usize;
    let elements = vector.advance(4)?;
    match len.checked_mul(bytes) {
        Some(all) if all <= elements.len() => Ok((elements, len)),
        _ => Err(ErrorKind::InvalidLength),
    }
}

/// A range of the binary part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Binary {
    pub(crate) start: u64,
    pub(crate) size: u64,
}

impl<'b> TableRead<'b> for Binary {
    fn from_buffer(
        buffer: SliceWithStartOffset<'b>,
        offset: usize,
    ) -> std::result::Result<Self, ErrorKind> {
        let second = offset.checked_add(8).ok_or(ErrorKind::InvalidOffset)?;
        let start = <u64 as TableRead>::from_buffer(buffer, offset)?;
        Ok(Self { start, size: <u64 as TableRead>::from_buffer(buffer, second)? })
    }
}

impl<'b> Flat<'b> {
    /// The table at the start of the buffer.
    pub(crate) fn root(bytes: &'b [u8]) -> std::result::Result<Self, ErrorKind> {
        Self::from_buffer(SliceWithStartOffset { buffer: bytes, offset_from_start: 0 }, 0)
    }

    /// A field.
    pub(crate) fn get<T: TableRead<'b>>(&self, id: usize, name: &'static str) -> Result<Option<T>> {
        self.0.access(id, "table", name)
    }
}
