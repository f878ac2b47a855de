//! Smallest and largest value of a column in a row group, by which readers skip row groups.

use parquet::data_type::ByteArray;
use parquet::file::statistics::Statistics;

use super::content::{Content, Encodable};
use crate::cell::{Cell, Type};

/// Longer texts are left out of the statistics, which are in the metadata of every row group.
const LONGEST_TEXT: usize = 64;

/// Statistics of a column.
pub(super) fn statistics(kind: Type, content: &Content<'_>) -> Statistics {
    let nulls = Some((content.levels.len() - content.values.len()) as u64);
    let values = &content.values;
    match kind {
        Type::Int => {
            let (min, max) = match values {
                Encodable::Words(words) => range(words.iter().copied()),
                Encodable::Dictionary(entries, _) => range(entries.iter().filter_map(int)),
            };
            Statistics::int64(min, max, None, nulls, false)
        }
        Type::Bool => {
            let (min, max) = match values {
                Encodable::Words(words) => range(words.iter().copied()),
                Encodable::Dictionary(..) => (None, None),
            };
            Statistics::boolean(min.map(is_true), max.map(is_true), None, nulls, false)
        }
        Type::Float => {
            let (min, max) = match values {
                Encodable::Words(words) => {
                    floats(words.iter().map(|&word| f64::from_bits(word as u64)))
                }
                Encodable::Dictionary(entries, _) => floats(entries.iter().filter_map(float)),
            };
            Statistics::double(min, max, None, nulls, false)
        }
        Type::Text => {
            let (min, max) = match values {
                Encodable::Words(_) => (None, None),
                Encodable::Dictionary(entries, _) => range(entries.iter().filter_map(text)),
            };
            let is_short = [min, max].into_iter().flatten().all(|text| text.len() <= LONGEST_TEXT);
            let bytes = |text: Option<&str>| text.filter(|_| is_short).map(ByteArray::from);
            Statistics::byte_array(bytes(min), bytes(max), None, nulls, false)
        }
    }
}

fn range<T: Ord + Copy>(values: impl Iterator<Item = T>) -> (Option<T>, Option<T>) {
    let range = values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((min, max)) => Some((value.min(min), value.max(max))),
    });
    range.unzip()
}

/// Without NaN, which has no place in an order; as the format demands, a smallest 0 is -0 and a largest one is +0.
fn floats(values: impl Iterator<Item = f64>) -> (Option<f64>, Option<f64>) {
    let range = values.filter(|x| !x.is_nan()).fold(None, |range, x| match range {
        None => Some((x, x)),
        Some((min, max)) => Some((x.min(min), x.max(max))),
    });
    let (min, max): (Option<f64>, Option<f64>) = range.unzip();
    (min.map(|x| if x == 0.0 { -0.0 } else { x }), max.map(|x| if x == 0.0 { 0.0 } else { x }))
}

fn is_true(word: i64) -> bool {
    word != 0
}

fn int(cell: &Cell<'_>) -> Option<i64> {
    match cell {
        Cell::Int(n) => Some(*n),
        _ => None,
    }
}

fn float(cell: &Cell<'_>) -> Option<f64> {
    match cell {
        Cell::Float(x) => Some(*x),
        _ => None,
    }
}

fn text<'a>(cell: &Cell<'a>) -> Option<&'a str> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}
