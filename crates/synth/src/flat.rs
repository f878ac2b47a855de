//! Writes `.bmodel` containers: FlatBuffers tables, each behind its vtable, and what they refer to behind them.

/// A field's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlatValue {
    /// A number of 4 bytes.
    Number(i32),
    /// Start and size of a range of the binary part.
    Binary(u64, u64),
    /// Several ranges.
    Binaries(Vec<(u64, u64)>),
    /// A text.
    Text(String),
    /// Several tables.
    Tables(Vec<FlatTable>),
}

/// A table: fields by their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlatTable(pub Vec<(usize, FlatValue)>);

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at + value.len()) {
        place.copy_from_slice(value);
    }
}

/// Appends zeros up to a multiple.
fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// Appends a table; where it is.
fn write(bytes: &mut Vec<u8>, table: &FlatTable) -> usize {
    let fields = table.0.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
    align(bytes, 8);
    let vtable = bytes.len();
    bytes.resize((vtable + 4 + 2 * fields).next_multiple_of(8), 0);
    let start = bytes.len();
    // The offset of the vtable, padding, then ranges before all that takes four bytes.
    let width = |value: &FlatValue| if matches!(value, FlatValue::Binary(..)) { 16 } else { 4 };
    let mut order: Vec<&(usize, FlatValue)> = table.0.iter().collect();
    order.sort_by_key(|(_, value)| std::cmp::Reverse(width(value)));
    let size = 8 + order.iter().map(|(_, value)| width(value)).sum::<usize>();
    bytes.resize(start + size, 0);
    put(bytes, vtable, &((4 + 2 * fields) as u16).to_le_bytes());
    put(bytes, vtable + 2, &(size as u16).to_le_bytes());
    put(bytes, start, &((start - vtable) as i32).to_le_bytes());
    let mut at = start + 8;
    for (id, value) in order {
        put(bytes, vtable + 4 + 2 * id, &((at - start) as u16).to_le_bytes());
        field(bytes, at, value);
        at += width(value);
    }
    start
}

/// Writes a field at its place, and what it refers to at the end.
fn field(bytes: &mut Vec<u8>, at: usize, value: &FlatValue) {
    let refer = |bytes: &mut Vec<u8>, len: usize| {
        let to = (bytes.len() - at) as u32;
        put(bytes, at, &to.to_le_bytes());
        bytes.extend((len as u32).to_le_bytes());
    };
    match value {
        FlatValue::Number(number) => put(bytes, at, &number.to_le_bytes()),
        FlatValue::Binary(from, size) => {
            put(bytes, at, &from.to_le_bytes());
            put(bytes, at + 8, &size.to_le_bytes());
        }
        FlatValue::Binaries(all) => {
            // The elements, not their number, are at a multiple of 8.
            align(bytes, 8);
            bytes.extend([0; 4]);
            refer(bytes, all.len());
            bytes.extend(
                all.iter().flat_map(|(from, size)| [*from, *size]).flat_map(u64::to_le_bytes),
            );
        }
        FlatValue::Text(text) => {
            align(bytes, 4);
            refer(bytes, text.len());
            bytes.extend(text.bytes().chain([0]));
        }
        FlatValue::Tables(tables) => {
            align(bytes, 4);
            refer(bytes, tables.len());
            let first = bytes.len();
            bytes.resize(first + 4 * tables.len(), 0);
            for (number, table) in tables.iter().enumerate() {
                let place = first + 4 * number;
                let to = write(bytes, table);
                put(bytes, place, &((to - place) as u32).to_le_bytes());
            }
        }
    }
}

/// A `.bmodel` of a table `Model` and a binary part.
#[must_use]
pub fn container(model: &FlatTable, binary: &[u8]) -> Vec<u8> {
    let mut tables = vec![0; 8];
    let root = write(&mut tables, model) as u32;
    put(&mut tables, 0, &root.to_le_bytes());
    let mut file = vec![0; 64];
    let words = [0xff55_aaeeu32, 64, tables.len() as u32, binary.len() as u32];
    for (number, word) in words.into_iter().enumerate() {
        put(&mut file, 4 * number, &word.to_le_bytes());
    }
    [file.as_slice(), &tables, binary].concat()
}
