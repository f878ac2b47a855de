//! What an operator takes wherever it runs: operations and bytes, from its true shapes.
//!
//! Every tensor is transferred to or from main memory once.

use bigtpu_machine::DataType;

use crate::operator::{Kind, Operator, elements, from_last};
use crate::settings::Attention;

/// Bytes of an index into a table.
const INDEX_BYTES: f64 = 8.0;

/// Work of an operator: what it takes wherever it runs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Operations.
    pub operations: f64,
    /// Bytes of weights and activations.
    pub bytes: f64,
    /// Bytes of weights, included in `bytes`; every part of a divided batch reads all of them.
    pub weight_bytes: f64,
    /// Bytes of the cache of keys and values.
    pub cache_bytes: f64,
    /// Elements, for machines that compute a function element by element.
    pub elements: f64,
}

/// Work from shapes, for elements of so many `bytes`; `past` is the number of rows in the cache, `None` in the first pass.
#[must_use]
pub fn work(operator: &Operator, bytes: f64, attention: Attention, past: Option<f64>) -> Work {
    let Operator { kind, input, weights, output, .. } = operator;
    let (from, to) = (elements(input), elements(output));
    let moved = Work { bytes: bytes * (from + to), elements: from, ..Work::default() };
    match kind {
        Kind::Linear => linear(operator, bytes),
        Kind::MatMul => matmul(operator, bytes, attention, past),
        Kind::Attention => scaled_product(operator, bytes, attention, past.is_some()),
        Kind::Conv2d => {
            // Weights are recorded whole, or as the window alone.
            let window: f64 = weights.iter().rev().take(2).map(|&size| size as f64).product();
            let channels = input.get(1).map_or(1.0, |&size| size as f64);
            let inputs = channels / operator.groups.max(1) as f64;
            let outputs = output.get(1).map_or(1.0, |&size| size as f64);
            Work {
                operations: 2.0 * to * inputs * window,
                bytes: bytes * (from + to + outputs * inputs * window),
                weight_bytes: bytes * outputs * inputs * window,
                ..Work::default()
            }
        }
        Kind::Embedding => {
            Work { bytes: from * INDEX_BYTES + 2.0 * bytes * to, elements: to, ..Work::default() }
        }
        Kind::Pool => {
            let window: f64 = weights.iter().rev().take(2).map(|&size| size as f64).product();
            Work { operations: to * window, ..moved }
        }
        Kind::LayerNorm | Kind::RmsNorm => {
            // One factor, or factor and offset, a column.
            let columns = from_last(input, 0) * if *kind == Kind::LayerNorm { 2.0 } else { 1.0 };
            let operations = from * kind.operations_per_element();
            let weight_bytes = bytes * columns;
            Work { operations, bytes: bytes * (from + to + columns), weight_bytes, ..moved }
        }
        Kind::Elementwise => {
            // A second operand is read as well; one that is repeated is read once.
            let second = if weights.is_empty() { 0.0 } else { elements(weights).min(to) };
            Work { operations: to, bytes: bytes * (from + second + to), ..moved }
        }
        Kind::Rotary | Kind::Softmax | Kind::Silu | Kind::Gelu => {
            Work { operations: from * kind.operations_per_element(), ..moved }
        }
        Kind::Move => moved,
        Kind::Free => Work::default(),
    }
}

fn linear(operator: &Operator, bytes: f64) -> Work {
    let (from, to) = (elements(&operator.input), elements(&operator.output));
    let matrix = elements(&operator.weights);
    // Quantized weights are narrower than what they are multiplied with.
    let wide = operator.weight_type.map_or(bytes, DataType::bytes);
    // 2 x rows x in x out.
    Work {
        operations: 2.0 * to * from_last(&operator.input, 0),
        bytes: bytes * (from + to) + wide * matrix,
        weight_bytes: wide * matrix,
        ..Work::default()
    }
}

fn matmul(operator: &Operator, bytes: f64, attention: Attention, past: Option<f64>) -> Work {
    let Operator { input, output, .. } = operator;
    let inner = from_last(input, 0);
    let (rows, mut columns) = (from_last(output, 1), from_last(output, 0));
    let products = elements(output) / (rows * columns).max(1.0);
    let mut second = products * inner * columns;
    let mut cache_bytes = 0.0;
    if let (Some(past), "attn_weights") = (past, operator.context.as_str()) {
        // The recorded product may hold the new row only: the query meets all rows of the cache.
        columns = columns.max(past + rows);
        columns = attention.window.map_or(columns, |window| columns.min(window.into()));
        let heads = if input.len() > 3 { from_last(input, 2) } else { 1.0 };
        let stored = attention.kv_heads.map_or(heads, f64::from);
        let sequences = products / heads;
        // Keys here, values at the product that follows.
        cache_bytes = 2.0 * bytes * sequences * stored * columns * inner;
        second = 0.0;
    }
    let result = products * rows * columns;
    Work {
        operations: 2.0 * result * inner,
        bytes: bytes * (elements(input) + second + result),
        cache_bytes,
        ..Work::default()
    }
}

/// The recorded input is the key `[batch, heads, rows, columns]`, the output that of the query.
fn scaled_product(operator: &Operator, bytes: f64, attention: Attention, cached: bool) -> Work {
    let (key, scores) = (&operator.input, operator.scores);
    let query = elements(&operator.output);
    let window = attention.window.map(u64::from).or(scores.window);
    let all = from_last(key, 1);
    let seen = window.map_or(all, |window| all.min(window as f64));
    let heads = attention.kv_heads.map_or(from_last(key, 2), f64::from);
    let row = scores.row.map_or(2.0 * heads * from_last(key, 0), |row| row as f64);
    let queries = from_last(&operator.output, 1);
    // Queries that see other windows read all rows of these together.
    let read = if scores.causal { all.min(seen + queries - 1.0) } else { seen };
    let stored = scores.stored.map_or(bytes, DataType::bytes) * from_last(key, 3) * row * read;
    let rows = if scores.causal { mean_rows(queries, all, seen) } else { seen };
    let products = query / from_last(&operator.output, 0).max(1.0) * rows;
    Work {
        // Two products of 2 operations, and a softmax of the scores.
        operations: 4.0 * query * rows + products * Kind::Softmax.operations_per_element(),
        bytes: 2.0 * bytes * query + if cached { 0.0 } else { stored },
        cache_bytes: if cached { stored } else { 0.0 },
        elements: 0.0,
        weight_bytes: 0.0,
    }
}

/// Mean number of rows that so many queries at the end of `all` rows see: each those up to its own, the last `window` at
/// most.
fn mean_rows(queries: f64, all: f64, window: f64) -> f64 {
    let first = (all - queries + 1.0).max(1.0);
    // Those of the first queries grow by one each.
    let growing = (window.min(all) - first + 1.0).max(0.0);
    let sum = growing * (2.0 * first + growing - 1.0) / 2.0;
    let queries = (all - first + 1.0).max(1.0);
    (sum + (queries - growing) * window) / queries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work_of(kind: Kind, shapes: [&[u64]; 3]) -> Work {
        let operator = Operator::new("op", "op", kind, shapes.map(<[u64]>::to_vec));
        work(&operator, 2.0, Attention::default(), None)
    }

    #[test]
    fn a_linear_layer_counts_out_features_and_activations() {
        // The framework counts 8e-8 Tflop here.
        let work = work_of(Kind::Linear, [&[1, 200], &[200, 10], &[1, 10]]);
        assert_eq!(work.operations, 4000.0);
        assert_eq!(work.bytes, 2.0 * (200.0 + 2000.0 + 10.0));
    }

    #[test]
    fn a_convolution_counts_height_channels_and_groups() {
        let shapes: [&[u64]; 3] = [&[2, 8, 6, 32], &[3, 5], &[2, 4, 3, 32]];
        let whole = work_of(Kind::Conv2d, shapes);
        assert_eq!(whole.operations, 2.0 * (2 * 4 * 3 * 32) as f64 * 8.0 * 15.0);
        let mut grouped = Operator::new("c", "c", Kind::Conv2d, shapes.map(<[u64]>::to_vec));
        grouped.groups = 4;
        let grouped = work(&grouped, 2.0, Attention::default(), None);
        assert_eq!(grouped.operations, whole.operations / 4.0);
    }

    #[test]
    fn attention_sees_the_window_and_stores_the_grouped_heads() {
        let shapes = [vec![1, 4, 9, 16], vec![1, 4, 1, 16], vec![1, 4, 1, 16]];
        let operator = Operator::new("a", "a", Kind::Attention, shapes);
        let all = work(&operator, 2.0, Attention::default(), Some(8.0));
        assert_eq!(all.operations, 4.0 * 64.0 * 9.0 + 5.0 * 36.0);
        assert_eq!(all.cache_bytes, 2.0 * 2.0 * 4.0 * 9.0 * 16.0);
        let grouped = Attention { kv_heads: Some(2), window: Some(6) };
        let grouped = work(&operator, 2.0, grouped, Some(8.0));
        assert_eq!(grouped.operations, 4.0 * 64.0 * 6.0 + 5.0 * 24.0);
        assert_eq!(grouped.cache_bytes, 2.0 * 2.0 * 2.0 * 6.0 * 16.0);
    }

    #[test]
    fn a_prompt_sees_half_of_its_square_and_a_window_less() {
        let shape = vec![1, 2, 6, 16];
        let mut operator =
            Operator::new("a", "a", Kind::Attention, [shape.clone(), Vec::new(), shape]);
        let operations = |operator: &Operator| {
            work(operator, 2.0, Attention::default(), None).operations / (4.0 * 16.0 + 5.0)
        };
        assert_eq!(operations(&operator), 2.0 * 36.0);
        operator.scores.causal = true;
        assert_eq!(operations(&operator), 2.0 * f64::from(1 + 2 + 3 + 4 + 5 + 6));
        operator.scores.window = Some(2);
        assert_eq!(operations(&operator), 2.0 * f64::from(1 + 2 + 2 + 2 + 2 + 2));
        // Two queries behind a cache: the first does not see the row of the second.
        let mut two = operator.clone();
        two.output = vec![1, 2, 2, 16];
        two.scores.window = None;
        assert_eq!(operations(&two), 2.0 * f64::from(5 + 6));
        two.scores.window = Some(5);
        assert_eq!(operations(&two), 2.0 * f64::from(5 + 5));
        // All keys and values are read once, in their own type.
        operator.scores.stored = Some(DataType::Int8);
        let read = work(&operator, 2.0, Attention::default(), None).bytes;
        assert_eq!(read, 2.0 * 2.0 * 192.0 + 2.0 * 192.0);
    }

    #[test]
    fn quantized_weights_are_narrower() {
        let shapes = [vec![3, 4], vec![2, 4, 8], vec![3, 8]];
        let mut operator = Operator::new("l", "l", Kind::Linear, shapes);
        operator.weight_type = Some(DataType::Int4);
        let work = work(&operator, 2.0, Attention::default(), None);
        assert_eq!((work.operations, work.weight_bytes), (2.0 * 24.0 * 4.0, 32.0));
        assert_eq!(work.bytes, 2.0 * (12.0 + 24.0) + 32.0);
    }
}
