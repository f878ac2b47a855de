//! Writes `.bmodel` files: FlatBuffers tables, each behind its vtable, and what they refer to behind them.

pub(crate) enum Value {
    Number(i32),
    Binary(u64, u64),
    Text(&'static str),
    Tables(Vec<Table>),
}

/// Fields by their ids.
pub(crate) struct Table(pub(crate) Vec<(usize, Value)>);

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// Appends a table; where it is.
fn write(bytes: &mut Vec<u8>, table: &Table) -> usize {
    let fields = table.0.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let vtable = bytes.len();
    bytes.resize((vtable + 4 + 2 * fields).next_multiple_of(8), 0);
    let start = bytes.len();
    // The offset of the vtable, padding, then ranges before all that takes four bytes.
    let width = |value: &Value| if matches!(value, Value::Binary(..)) { 16 } else { 4 };
    let mut order: Vec<&(usize, Value)> = table.0.iter().collect();
    order.sort_by_key(|(_, value)| std::cmp::Reverse(width(value)));
    let size = 8 + order.iter().map(|(_, value)| width(value)).sum::<usize>();
    bytes.resize(start + size, 0);
    put(bytes, vtable, &((4 + 2 * fields) as u16).to_le_bytes());
    put(bytes, vtable + 2, &(size as u16).to_le_bytes());
    put(bytes, start, &((start - vtable) as i32).to_le_bytes());
    let mut at = start + 8;
    for (id, value) in order {
        put(bytes, vtable + 4 + 2 * id, &((at - start) as u16).to_le_bytes());
        match value {
            Value::Number(number) => put(bytes, at, &number.to_le_bytes()),
            Value::Binary(from, size) => {
                put(bytes, at, &from.to_le_bytes());
                put(bytes, at + 8, &size.to_le_bytes());
            }
            Value::Text(text) => {
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                let to = (bytes.len() - at) as u32;
                put(bytes, at, &to.to_le_bytes());
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text.bytes().chain([0]));
            }
            Value::Tables(tables) => {
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                let vector = bytes.len();
                put(bytes, at, &((vector - at) as u32).to_le_bytes());
                bytes.extend((tables.len() as u32).to_le_bytes());
                bytes.resize(vector + 4 + 4 * tables.len(), 0);
                for (number, table) in tables.iter().enumerate() {
                    let place = vector + 4 + 4 * number;
                    let to = write(bytes, table);
                    put(bytes, place, &((to - place) as u32).to_le_bytes());
                }
            }
        }
        at += width(value);
    }
    start
}

/// A `.bmodel` of a table `Model` and a binary part.
pub(crate) fn bmodel(model: &Table, binary: &[u8]) -> Vec<u8> {
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
