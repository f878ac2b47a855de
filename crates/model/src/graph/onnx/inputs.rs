//! What a model has before a node runs: stored tensors, weights that are given with each run, and inputs.

use std::collections::HashMap;

use bigtpu_messages::{Message, error_message, message};

use crate::graph::error::{GraphError, shown};
use crate::graph::node::{Graph, Node, Operator, Shape, Source};
use crate::graph::onnx::dimensions::{Dimensions, open_shape};
use crate::graph::onnx::proto::{DimensionValue, GraphProto, ValueInfo};
use crate::graph::onnx::tensor::Tensor;
use crate::graph::onnx::{MOST_KEPT, Reader, Value, roles};
use crate::graph::shapes;

impl<'a> Reader<'a> {
    pub(super) fn new(
        proto: &'a GraphProto,
        dimensions: &'a Dimensions,
    ) -> Result<Self, GraphError> {
        let infos = proto.value_info.iter().chain(&proto.output);
        let mut reader = Reader {
            proto,
            dimensions,
            values: HashMap::new(),
            known: HashMap::new(),
            room: MOST_KEPT,
            declared: infos.map(|info| (info.name.as_str(), info)).collect(),
            graph: Graph::default(),
            unrolled: 0,
        };
        reader.add_stored(proto);
        let deep = reader.values.iter().find(|(_, v)| v.shape.len() > shapes::MOST_DIMENSIONS);
        if let Some((name, value)) = deep {
            let what = error_message!("graph-weight-dimensions", name, count = value.shape.len());
            return Err(GraphError::Format { place: error_message!("graph-the-model"), what });
        }
        let inputs = proto.input.iter();
        let inputs: Vec<&ValueInfo> =
            inputs.filter(|input| !reader.values.contains_key(input.name.as_str())).collect();
        let weights = roles::weights(proto);
        let is_weight = |input: &&ValueInfo| {
            weights.contains(input.name.as_str()) && !dimensions.inputs.contains_key(&input.name)
        };
        let (weights, inputs): (Vec<&ValueInfo>, Vec<&ValueInfo>) =
            inputs.into_iter().partition(is_weight);
        dimensions.check(&inputs)?;
        for input in weights {
            // A weight of unknown size is asked for like any input.
            match reader.declared_shape(input, false) {
                Some(shape) if shapes::count(&shape).is_ok() => {
                    let value = Value::constant(shape);
                    reader.values.insert(&input.name, value);
                }
                _ => reader.add_input(input)?,
            }
        }
        for input in inputs {
            reader.add_input(input)?;
        }
        Ok(reader)
    }

    pub(super) fn add_stored(&mut self, proto: &'a GraphProto) {
        for tensor in &proto.initializer {
            let value = Value::constant(tensor.shape());
            self.values.insert(&tensor.name, value);
            if let Some(known) = tensor.known() {
                self.keep(&tensor.name, known);
            }
        }
    }

    pub(super) fn add_input(&mut self, input: &'a ValueInfo) -> Result<(), GraphError> {
        let given = self.dimensions.inputs.get(&input.name).cloned();
        let shape = match given.or_else(|| self.declared_shape(input, true)) {
            Some(shape) => shape,
            None => {
                let what = error_message!("graph-open-shape", shape = open_shape(input));
                return Err(GraphError::Node {
                    node: input.name.clone(),
                    operator: "Input".to_owned(),
                    what,
                });
            }
        };
        shapes::count(&shape).map_err(|what| GraphError::Node {
            node: input.name.clone(),
            operator: "Input".to_owned(),
            what,
        })?;
        let source = Some(Source { node: self.graph.nodes.len(), output: 0 });
        if let Some(numbers) = self.dimensions.values.get(&input.name) {
            let count = shapes::count(&shape);
            if count != Ok(numbers.len() as u64) {
                let place = Message::verbatim(format!("--input-value {}", input.name));
                let count = count.unwrap_or(0);
                let what = message!("graph-value-count", shape = shown(&shape), count = count);
                return Err(GraphError::Format { place, what });
            }
            if let Some(tensor) = Tensor::whole(shape.clone(), numbers.clone()) {
                self.keep(&input.name, tensor);
            }
        }
        self.graph.nodes.push(Node::plain(&input.name, Operator::Input, vec![shape.clone()]));
        let value = Value { source, shape, is_weight: false, share: None };
        self.values.insert(&input.name, value);
        Ok(())
    }

    /// The shape that the file shows, with open dimensions filled in.
    pub(super) fn declared_shape(&self, info: &ValueInfo, is_input: bool) -> Option<Shape> {
        let shape = info.r#type.as_ref()?.tensor_type.as_ref()?.shape.as_ref()?;
        let sizes = shape.dim.iter().enumerate().map(|(index, dimension)| match &dimension.value {
            Some(DimensionValue::Size(size)) if *size > 0 => u64::try_from(*size).ok(),
            other => {
                let named = match other {
                    Some(DimensionValue::Name(name)) => self.dimensions.named.get(name).copied(),
                    _ => None,
                };
                named.or(self.dimensions.batch.filter(|_| is_input && index == 0))
            }
        });
        sizes.collect()
    }
}
