//! Operators that are products of tensors under other names: einsum, recurrent layers, products of integers.

use std::collections::BTreeMap;

use bigtpu_messages::{Message, error_message};

use super::operator::error;
use super::proto::NodeProto;
use crate::graph::error::{GraphError, shown};
use crate::graph::node::{Operator, Shape};
use crate::graph::shapes;

type Found = Result<(Operator, Vec<Shape>), GraphError>;

/// Product of two tensors of any type, each possibly with its last two dimensions exchanged.
pub(super) fn product(node: &NodeProto, one: &[u64], other: &[u64]) -> Found {
    let turned = |shape: &[u64], name: &str| {
        let mut shape = shape.to_vec();
        if node.int(name) == Some(1)
            && let Some(last) = shape.len().checked_sub(1).filter(|&last| last > 0)
        {
            shape.swap(last, last - 1);
        }
        shape
    };
    let (one, other) = (turned(one, "transA"), turned(other, "transB"));
    let result = shapes::matmul(&one, &other).map_err(|what| error(node, what))?;
    let inner = one.last().copied().unwrap_or(1);
    let columns = if other.len() > 1 { other.last().copied().unwrap_or(1) } else { 1 };
    let rows = if one.len() > 1 { one.iter().rev().nth(1).copied().unwrap_or(1) } else { 1 };
    let all = shapes::count(&result).map_err(|what| error(node, what))?;
    let batch = all / rows.max(1) / columns.max(1);
    Ok((Operator::Contraction { batch, rows, inner, columns }, vec![result]))
}

/// `equation` with two operands: letters that both have and the result lacks are summed up.
pub(super) fn einsum(node: &NodeProto, operands: &[&Shape]) -> Found {
    let failed = |what: Message| error(node, what);
    let equation = node.text("equation").unwrap_or("").replace(' ', "");
    let (left, result) =
        equation.split_once("->").ok_or_else(|| failed(error_message!("graph-einsum-arrow")))?;
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != operands.len() || equation.contains('.') || terms.len() > 2 {
        return Err(failed(error_message!("graph-einsum-operands")));
    }
    let mut sizes: BTreeMap<char, u64> = BTreeMap::new();
    for (term, shape) in terms.iter().zip(operands) {
        if term.chars().count() != shape.len() {
            return Err(error(
                node,
                error_message!("graph-einsum-term", term, shape = shown(shape)),
            ));
        }
        for (letter, &size) in term.chars().zip(shape.iter()) {
            let known = sizes.entry(letter).or_insert(size);
            if *known != size {
                return Err(error(
                    node,
                    error_message!("graph-einsum-sizes", letter, one = known, other = size),
                ));
            }
        }
    }
    let output = result.chars().map(|letter| sizes.get(&letter).copied());
    let output = output
        .collect::<Option<Shape>>()
        .ok_or_else(|| failed(error_message!("graph-einsum-result")))?;
    let (first, second) =
        (terms.first().copied().unwrap_or(""), terms.get(1).copied().unwrap_or(""));
    let of = |wanted: [bool; 3]| {
        let is =
            |letter: &char| [first, second, result].map(|term| term.contains(*letter)) == wanted;
        sizes
            .iter()
            .filter(|(letter, _)| is(letter))
            .map(|(_, size)| *size)
            .fold(1, u64::saturating_mul)
    };
    if terms.len() == 1 {
        let is_sum = sizes.keys().any(|letter| !result.contains(*letter));
        return Ok((if is_sum { Operator::Reduce } else { Operator::Permute }, vec![output]));
    }
    let operator = Operator::Contraction {
        batch: of([true, true, true]),
        rows: of([true, false, true]),
        inner: of([true, true, false])
            .saturating_mul(of([true, false, false]))
            .saturating_mul(of([false, true, false])),
        columns: of([false, true, true]),
    };
    Ok((operator, vec![output]))
}

/// LSTM, GRU and RNN: `X [steps, batch, in]`, `W [directions, gates x hidden, in]`, `R [directions, gates x hidden, hidden]`.
pub(super) fn recurrent(node: &NodeProto, input: &[u64], weights: &[u64], hidden: &[u64]) -> Found {
    let ([steps, batch, width], [directions, gated, of_input], [.., of_hidden]) =
        (input, weights, hidden)
    else {
        return Err(error(
            node,
            error_message!(
                "graph-recurrent",
                input = shown(input),
                weights = shown(weights),
                hidden = shown(hidden)
            ),
        ));
    };
    let (steps, batch) =
        if node.int("layout") == Some(1) { (*batch, *steps) } else { (*steps, *batch) };
    if width != of_input {
        return Err(error(
            node,
            error_message!("graph-weights", input = shown(input), weights = shown(weights)),
        ));
    }
    let operator = Operator::Contraction {
        batch: 1,
        rows: steps.saturating_mul(batch),
        inner: width.saturating_add(*of_hidden),
        columns: directions.saturating_mul(*gated),
    };
    let all = vec![steps, *directions, batch, *of_hidden];
    let last = vec![*directions, batch, *of_hidden];
    let outputs = (0..node.output.len()).map(|at| if at == 0 { all.clone() } else { last.clone() });
    Ok((operator, outputs.collect()))
}
