//! ONNX models.

mod attention;
mod control;
mod dimensions;
mod evaluate;
mod images;
mod inputs;
mod operator;
mod order;
mod pieces;
mod products;
mod proto;
mod roles;
mod shares;
mod tensor;
mod window;

use std::collections::HashMap;
use std::rc::Rc;

use bigtpu_messages::{error_message, message};
use bytes::Bytes;
use prost::Message;

use crate::graph::error::GraphError;
use crate::graph::node::{Graph, Node, Operator, Shape, Source};
use crate::graph::shapes;
pub use dimensions::Dimensions;
use evaluate::{Known, constant_shape, evaluate};
use order::ordered;
use proto::{GraphProto, Model, NodeProto, ValueInfo};
use tensor::Tensor;

/// Elements of all tensors whose elements are kept: many nodes may copy one tensor.
const MOST_KEPT: usize = 8 << 20;

/// What is known of a tensor.
#[derive(Clone)]
struct Value {
    source: Option<Source>,
    shape: Shape,
    /// Whether it is a weight, stored in the file or used as one.
    is_weight: bool,
    /// Share of its elements that is not zero, where that is known without its data.
    share: Option<f64>,
}

impl Value {
    /// What is known when the model is read: no node computes it.
    const fn constant(shape: Shape) -> Self {
        Self { source: None, shape, is_weight: true, share: None }
    }
}

/// Reads a model.
///
/// # Errors
///
/// The bytes are no ONNX model, an input has an open dimension, a tensor has no producer, nodes
/// form a cycle, or a shape can't be inferred.
pub fn read_onnx(bytes: Vec<u8>, dimensions: &Dimensions) -> Result<Graph, GraphError> {
    let format = |what| GraphError::Format { place: error_message!("graph-the-model"), what };
    let model =
        Model::decode(Bytes::from(bytes)).map_err(|_| format(error_message!("graph-no-onnx")))?;
    let proto = model.graph.ok_or_else(|| format(error_message!("graph-no-graph")))?;
    Reader::new(&proto, dimensions)?.read()
}

struct Reader<'a> {
    proto: &'a GraphProto,
    dimensions: &'a Dimensions,
    values: HashMap<&'a str, Value>,
    known: Known<'a>,
    /// Elements that may be kept for later nodes.
    room: usize,
    /// Shapes that the file itself shows.
    declared: HashMap<&'a str, &'a ValueInfo>,
    graph: Graph,
    /// Nodes of loops that were added so far.
    unrolled: usize,
}

impl<'a> Reader<'a> {
    /// Keeps the elements of a tensor, as long as there is room.
    fn keep(&mut self, name: &'a str, tensor: Tensor) {
        match self.room.checked_sub(tensor.numbers.len()) {
            Some(room) => {
                self.room = room;
                self.known.insert(name, Rc::new(tensor));
            }
            None => {
                self.known.remove(name);
            }
        }
    }

    fn read(mut self) -> Result<Graph, GraphError> {
        for node in ordered(self.proto, &self.values)? {
            self.add(node)?;
        }
        for output in &self.proto.output {
            let Some(value) = self.values.get(output.name.as_str()) else {
                return Err(GraphError::MissingOutput { output: output.name.clone() });
            };
            let mut node = Node::plain(&output.name, Operator::Output, vec![value.shape.clone()]);
            node.inputs.extend(value.source);
            self.graph.nodes.push(node);
        }
        Ok(self.graph)
    }

    fn add(&mut self, node: &'a NodeProto) -> Result<(), GraphError> {
        let names = node.input.iter().map(String::as_str);
        let operands: Vec<Option<Value>> =
            names.map(|name| self.values.get(name).filter(|_| !name.is_empty()).cloned()).collect();
        let shapes: Vec<Option<&Shape>> =
            operands.iter().map(|value| value.as_ref().map(|value| &value.shape)).collect();
        let weights: Vec<bool> = operands
            .iter()
            .map(|value| value.as_ref().is_some_and(|value| value.is_weight))
            .collect();
        match node.op_type.as_str() {
            "If" => return self.add_branch(node),
            "Loop" => return self.add_loop(node),
            _ => {}
        }
        let is_flat = |shape: &Shape| shape.len() <= shapes::MOST_DIMENSIONS;
        if let Some(found) = evaluate(node, &shapes, &self.known)
            && found.iter().all(|tensor| is_flat(&tensor.shape))
        {
            for (output, tensor) in node.output.iter().zip(found) {
                // A constant is known when the model is compiled: no node computes it.
                let value = Value::constant(tensor.shape.clone());
                self.values.insert(output, value);
                self.keep(output, tensor);
            }
            return Ok(());
        }
        if let Some(shape) = constant_shape(node, &self.known).filter(is_flat) {
            if let [output, ..] = node.output.as_slice() {
                self.values.insert(output, Value::constant(shape));
            }
            return Ok(());
        }
        let mut projected = None;
        if node.op_type == "NonZero" {
            return self.add_non_zero(node, operands.first().cloned().flatten());
        }
        let inferred = if attention::is_one(node) {
            attention::infer(node, &shapes).map(|found| {
                projected = found.projected;
                (found.operator, found.outputs)
            })
        } else {
            operator::infer(node, &shapes, &weights, &self.known)
        };
        let (operator, outputs) = match inferred {
            Ok(found) => found,
            Err(error) => self.with_declared_shapes(node, error)?,
        };
        for shape in &outputs {
            shapes::count(shape).map_err(|what| operator::error(node, what))?;
        }
        // What depends on constants alone is known when the model is compiled.
        if !weights.is_empty()
            && operands.iter().flatten().all(|value| value.is_weight)
            && operands.iter().any(Option::is_some)
        {
            for (name, shape) in node.output.iter().zip(outputs) {
                self.values.insert(name, Value::constant(shape));
            }
            return Ok(());
        }
        let from = operands.first().cloned().flatten().and_then(|value| value.source);
        let made = projected.map(|[_, matrix, rows]| self.add_product(node, from, matrix, rows));
        let share =
            shares::share(node, operands.first().and_then(|v| v.as_ref()?.share), |index| {
                self.known.get(node.input.get(index)?.as_str()).map(Rc::as_ref)
            });
        let index = self.graph.nodes.len();
        for (output, (name, shape)) in node.output.iter().zip(&outputs).enumerate() {
            let source = Some(Source { node: index, output });
            let value = Value { source, shape: shape.clone(), is_weight: false, share };
            self.values.insert(name, value);
        }
        let known = || operands.iter().flatten();
        let matrices = known()
            .filter(|value| value.is_weight && !operator::is_setting(node, value.shape.len()));
        let mut weights: Vec<Shape> = matrices.map(|value| value.shape.clone()).collect();
        if matches!(operator, Operator::Linear { .. }) && node.int("transB") == Some(1) {
            // Weights of linear operators are as [in, out].
            weights.iter_mut().take(1).for_each(|shape| shape.reverse());
        }
        let mut inputs: Vec<Source> = known().filter_map(|value| value.source).collect();
        if let Some(product) = made {
            // The rows reach attention through their products only.
            inputs.iter_mut().take(usize::from(from.is_some())).for_each(|input| *input = product);
        }
        self.graph.nodes.push(Node { name: node.label(), operator, inputs, weights, outputs });
        Ok(())
    }

    /// The places of elements that are not zero: how many there are depends on data. It is their share where the makers of the
    /// tensor say so, else all of them.
    fn add_non_zero(&mut self, node: &'a NodeProto, from: Option<Value>) -> Result<(), GraphError> {
        let missing = || operator::error(node, error_message!("graph-missing-input", index = 0));
        let from = from.ok_or_else(missing)?;
        let all = shapes::count(&from.shape).map_err(|what| operator::error(node, what))?;
        let found = match from.share {
            Some(share) => (all as f64 * share - 1e-9).ceil().max(1.0) as u64,
            None => all,
        };
        let node_name = node.label();
        self.graph.notes.push(match from.share {
            Some(_) => message!("model-non-zero-mean", node = node_name, found = found, all = all),
            None => message!("model-non-zero-all", node = node_name, found = found, all = all),
        });
        let shape = vec![from.shape.len() as u64, found];
        let source = Some(Source { node: self.graph.nodes.len(), output: 0 });
        if let Some(name) = node.output.first() {
            let value = Value { source, shape: shape.clone(), is_weight: false, share: None };
            self.values.insert(name, value);
        }
        self.graph.nodes.push(Node {
            name: node.label(),
            operator: Operator::Select,
            inputs: from.source.into_iter().collect(),
            weights: Vec::new(),
            outputs: vec![shape],
        });
        Ok(())
    }

    /// The products within an operator that does more than these.
    fn add_product(
        &mut self,
        node: &NodeProto,
        from: Option<Source>,
        matrix: Shape,
        rows: Shape,
    ) -> Source {
        let source = Source { node: self.graph.nodes.len(), output: 0 };
        let out = matrix.last().copied().unwrap_or(0);
        self.graph.nodes.push(Node {
            name: format!("{}.qkv", node.label()),
            operator: Operator::Linear { out, activation: None, bias: true },
            inputs: from.into_iter().collect(),
            weights: vec![matrix],
            outputs: vec![rows],
        });
        source
    }

    /// Operator and shapes where only the file shows the shapes.
    fn with_declared_shapes(
        &mut self,
        node: &NodeProto,
        error: GraphError,
    ) -> Result<(Operator, Vec<Shape>), GraphError> {
        let is_known =
            operator::simple(&node.op_type).is_some() || operator::only_moves(&node.op_type);
        if !is_known && !self.dimensions.unknown_as_memory {
            return Err(error);
        }
        let declared = node.output.iter().filter(|name| !name.is_empty()).map(|name| {
            self.declared.get(name.as_str()).and_then(|info| self.declared_shape(info, false))
        });
        let Some(outputs) = declared.collect::<Option<Vec<Shape>>>() else { return Err(error) };
        let operator = operator::simple(&node.op_type)
            .unwrap_or_else(|| Operator::Other(node.op_type.clone()));
        let (name, kind) = (node.label(), &node.op_type);
        self.graph.notes.push(match is_known {
            true => message!("model-shapes-of-file", node = name, kind = kind),
            false => message!("model-shapes-of-file-only", node = name, kind = kind),
        });
        Ok((operator, outputs))
    }
}
