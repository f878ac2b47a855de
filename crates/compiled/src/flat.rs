//! The tables of a `.bmodel`: accessors of the fields that are needed, by their ids in `bmodel.fbs` of tpu-mlir, whose
//! authors only add fields. The crate `planus` checks every offset as it is followed.

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

/// A vector of tables.
#[derive(Clone, Copy)]
pub(crate) struct Flats<'b> {
    buffer: SliceWithStartOffset<'b>,
    len: usize,
}

impl<'b> TableRead<'b> for Flats<'b> {
    fn from_buffer(
        buffer: SliceWithStartOffset<'b>,
        offset: usize,
    ) -> std::result::Result<Self, ErrorKind> {
        let (buffer, len) = vector(buffer, offset, 4)?;
        Ok(Self { buffer, len })
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

/// A vector of binaries.
#[derive(Clone, Copy)]
pub(crate) struct Binaries<'b> {
    buffer: SliceWithStartOffset<'b>,
    len: usize,
}

impl<'b> TableRead<'b> for Binaries<'b> {
    fn from_buffer(
        buffer: SliceWithStartOffset<'b>,
        offset: usize,
    ) -> std::result::Result<Self, ErrorKind> {
        let (buffer, len) = vector(buffer, offset, 16)?;
        Ok(Self { buffer, len })
    }
}

impl Binaries<'_> {
    pub(crate) fn all(self) -> std::result::Result<Vec<Binary>, ErrorKind> {
        (0..self.len).map(|number| Binary::from_buffer(self.buffer, number * 16)).collect()
    }
}

impl<'b> Flats<'b> {
    pub(crate) fn iter(self) -> impl Iterator<Item = std::result::Result<Flat<'b>, ErrorKind>> {
        (0..self.len).map(move |number| Flat::from_buffer(self.buffer, number * 4))
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
