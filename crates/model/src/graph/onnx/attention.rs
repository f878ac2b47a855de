//! Attention as one operator: that of ONNX, and those of ONNX Runtime (`com.microsoft`).
//!
//! | operator | operands |
//! |---|---|
//! | `Attention` of ONNX | query, key, value, each `[batch, heads, rows, columns]` or `[batch, rows, heads x columns]`; mask; past keys, past values |
//! | `Attention` of ONNX Runtime | rows `[batch, rows, hidden]`, weights `[hidden, query + key + value]`; past `[2, batch, heads, rows, columns]` |
//! | `MultiHeadAttention` | query `[batch, rows, hidden]`, key, value; past keys as operand 6 |
//! | `GroupQueryAttention` | query, key, value; past keys `[batch, heads, rows, columns]` as operand 3 |

use bigtpu_messages::{Message, error_message};

use super::operator::error;
use super::proto::NodeProto;
use crate::graph::error::GraphError;
use crate::graph::node::{Operator, Shape};

/// Attention, the products that make its operands, and the shapes of its outputs.
pub(super) struct Found {
    /// Rows times the weights of queries, keys and values together: rows, in, out.
    pub(super) projected: Option<[Shape; 3]>,
    pub(super) operator: Operator,
    pub(super) outputs: Vec<Shape>,
}

/// Whether a node is one of these.
pub(super) fn is_one(node: &NodeProto) -> bool {
    matches!(node.op_type.as_str(), "Attention" | "MultiHeadAttention" | "GroupQueryAttention")
}

/// Sizes that all forms have in common.
struct Sizes {
    batch: u64,
    rows: u64,
    /// Heads of queries.
    heads: u64,
    /// Heads of keys and values.
    stored: u64,
    /// Rows of keys and values that are new.
    keys: u64,
    /// Rows that were stored before.
    past: u64,
    /// Columns of a head's query and key.
    columns: u64,
    /// Columns of a head's value.
    values: u64,
    causal: bool,
}

pub(super) fn infer(node: &NodeProto, shapes: &[Option<&Shape>]) -> Result<Found, GraphError> {
    let failed = |what: Message| error(node, what);
    let operand = |index: usize| shapes.get(index).copied().flatten().map(Vec::as_slice);
    let count = |name: &str| {
        let number = node.int(name).and_then(|number| u64::try_from(number).ok());
        number.filter(|&number| number > 0)
    };
    let first =
        operand(0).ok_or_else(|| failed(error_message!("graph-missing-input", index = 0)))?;
    let is_runtimes = node.domain == "com.microsoft" || node.op_type != "Attention";
    let mut projected = None;
    let sizes = match (node.op_type.as_str(), is_runtimes) {
        ("Attention", true) => {
            let (&[batch, rows, hidden], Some(&[inner, all])) = (first, operand(1)) else {
                return Err(failed(error_message!("graph-attention-rows")));
            };
            let heads = count("num_heads")
                .ok_or_else(|| failed(error_message!("graph-no-part", name = "num_heads")))?;
            let own = node.ints("qkv_hidden_sizes").and_then(|sizes| match sizes {
                &[query, _, value] => {
                    Some((u64::try_from(query).ok()?, u64::try_from(value).ok()?))
                }
                _ => None,
            });
            let (query, value) = own.unwrap_or((all / 3, all / 3));
            if inner != hidden || query.saturating_mul(2).saturating_add(value) != all {
                return Err(failed(error_message!("graph-attention-weights")));
            }
            projected = Some([vec![batch, rows, hidden], vec![inner, all], vec![batch, rows, all]]);
            let causal = node.int("unidirectional") == Some(1);
            let past = operand(4).and_then(|past| past.get(3)).copied().unwrap_or(0);
            let (columns, values) = (query / heads, value / heads);
            Sizes { batch, rows, heads, stored: heads, keys: rows, past, columns, values, causal }
        }
        ("Attention", false) => of_onnx(node, first, &operand, &count)?,
        (kind, _) => {
            let heads = count("num_heads")
                .ok_or_else(|| failed(error_message!("graph-no-part", name = "num_heads")))?;
            let grouped = kind == "GroupQueryAttention";
            let stored = if grouped {
                count("kv_num_heads")
                    .ok_or_else(|| failed(error_message!("graph-no-part", name = "kv_num_heads")))?
            } else {
                heads
            };
            let past = operand(if grouped { 3 } else { 6 });
            let past = past.and_then(|past| past.get(2)).copied().unwrap_or(0);
            let (key, value) = (operand(1), operand(2));
            let (&[batch, rows, hidden], Some(&[_, keys, key]), Some(&[_, _, value])) =
                (first, key, value)
            else {
                return Err(failed(error_message!("graph-attention-packed")));
            };
            let (columns, values) = (hidden / heads, value / stored);
            if key / stored != columns {
                return Err(failed(error_message!("graph-attention-columns")));
            }
            let causal = grouped || node.int("unidirectional") == Some(1);
            Sizes { batch, rows, heads, stored, keys, past, columns, values, causal }
        }
    };
    if sizes.heads % sizes.stored.max(1) != 0 || sizes.columns == 0 || sizes.values == 0 {
        return Err(failed(error_message!("graph-attention-heads")));
    }
    Ok(sizes.found(node, first.len() == 4, projected))
}

/// Operands of four dimensions show their heads, those of three have them as attributes.
fn of_onnx<'a>(
    node: &NodeProto,
    first: &[u64],
    operand: &impl Fn(usize) -> Option<&'a [u64]>,
    count: &impl Fn(&str) -> Option<u64>,
) -> Result<Sizes, GraphError> {
    let unfit = || error(node, error_message!("graph-attention-dimensions"));
    let split = |shape: Option<&[u64]>, heads: &str| match *shape.ok_or_else(unfit)? {
        [batch, heads, rows, columns] => Ok((batch, heads, rows, columns)),
        [batch, rows, hidden] => {
            let heads = count(heads).ok_or_else(unfit)?;
            Ok((batch, heads, rows, hidden / heads))
        }
        _ => Err(unfit()),
    };
    let (batch, heads, rows, columns) = split(Some(first), "q_num_heads")?;
    let (_, stored, keys, of_key) = split(operand(1), "kv_num_heads")?;
    let (_, _, _, values) = split(operand(2), "kv_num_heads")?;
    if of_key != columns {
        return Err(error(node, error_message!("graph-attention-columns")));
    }
    let past = operand(4).and_then(|past| past.get(2)).copied().unwrap_or(0);
    let causal = node.int("is_causal") == Some(1);
    Ok(Sizes { batch, rows, heads, stored, keys, past, columns, values, causal })
}

impl Sizes {
    fn found(self, node: &NodeProto, four: bool, projected: Option<[Shape; 3]>) -> Found {
        let Self { batch, rows, heads, stored, keys, past, columns, values, causal } = self;
        let all = keys.saturating_add(past);
        // Scores and results together: the mean of both products' columns.
        let mean = columns.saturating_add(values).div_ceil(2);
        let result = if four {
            vec![batch, heads, rows, values]
        } else {
            vec![batch, rows, heads.saturating_mul(values)]
        };
        let (key, value) = (vec![batch, stored, all, columns], vec![batch, stored, all, values]);
        let is_one = node.op_type == "Attention" && projected.is_some();
        let present = if is_one { vec![2, batch, stored, all, columns] } else { key.clone() };
        let scores = vec![batch, heads, rows, all];
        let rest = if is_one { vec![present] } else { vec![present, value, scores] };
        let outputs = std::iter::once(result).chain(rest).take(node.output.len().max(1));
        Found {
            operator: Operator::Attention {
                query: [batch, heads, rows, mean],
                key: [batch, stored, all, mean],
                // Rows that were stored before are seen by all queries.
                causal: causal && rows == all,
            },
            outputs: outputs.collect(),
            projected,
        }
    }
}
