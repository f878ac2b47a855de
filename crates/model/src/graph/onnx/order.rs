//! The nodes of a model in an order in which they can be computed.

use std::collections::{BTreeSet, HashMap, HashSet};

use bigtpu_messages::Message;

use crate::graph::error::GraphError;
use crate::graph::onnx::Value;
use crate::graph::onnx::proto::{GraphProto, NodeProto};

/// Nodes so that producers are first.
pub(super) fn ordered<'a>(
    proto: &'a GraphProto,
    values: &HashMap<&str, Value>,
) -> Result<Vec<&'a NodeProto>, GraphError> {
    let mut producers: HashMap<&str, usize> = HashMap::new();
    for (index, node) in proto.node.iter().enumerate() {
        for output in node.output.iter().filter(|name| !name.is_empty()) {
            if producers.insert(output, index).is_some() || values.contains_key(output.as_str()) {
                return Err(GraphError::Twice { node: output.clone() });
            }
        }
    }
    let mut waiting = Vec::with_capacity(proto.node.len());
    let mut consumers: Vec<Vec<usize>> = vec![Vec::new(); proto.node.len()];
    for (index, node) in proto.node.iter().enumerate() {
        let mut needed = HashSet::new();
        for input in node.input.iter().filter(|name| !name.is_empty()) {
            match producers.get(input.as_str()) {
                Some(&producer) => {
                    if needed.insert(producer) {
                        consumers.get_mut(producer).into_iter().for_each(|list| list.push(index));
                    }
                }
                None if values.contains_key(input.as_str()) => {}
                None => {
                    return Err(GraphError::MissingProducer {
                        node: node.label(),
                        input: input.clone(),
                    });
                }
            }
        }
        waiting.push(needed.len());
    }
    // The file's order among those that are ready.
    let mut ready: BTreeSet<usize> = waiting
        .iter()
        .enumerate()
        .filter(|(_, count)| **count == 0)
        .map(|(index, _)| index)
        .collect();
    let mut order = Vec::with_capacity(proto.node.len());
    while let Some(index) = ready.pop_first() {
        order.extend(proto.node.get(index));
        for &consumer in consumers.get(index).map_or(&[][..], Vec::as_slice) {
            if let Some(count) = waiting.get_mut(consumer) {
                *count -= 1;
                if *count == 0 {
                    ready.insert(consumer);
                }
            }
        }
    }
    if order.len() < proto.node.len() {
        let stuck = proto.node.iter().zip(&waiting).filter(|(_, count)| **count > 0);
        let names: Vec<String> =
            stuck.map(|(node, _)| format!("`{}`", node.label())).take(3).collect();
        return Err(GraphError::Cycle { nodes: Message::verbatim(names.join(", ")) });
    }
    Ok(order)
}
