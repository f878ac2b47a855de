//! Branches and loops whose conditions are known in advance.

use std::rc::Rc;

use bigtpu_messages::error_message;

use super::proto::{GraphProto, NodeProto};
use super::tensor::Tensor;
use super::{Reader, Value, operator, ordered};
use crate::graph::error::GraphError;

/// Nodes that all loops together may have in all iterations.
const MOST_NODES: usize = 100_000;

impl<'a> Reader<'a> {
    /// The branch that a condition known in advance chooses.
    pub(super) fn add_branch(&mut self, node: &'a NodeProto) -> Result<(), GraphError> {
        let condition = node.input.first().and_then(|name| self.known.get(name.as_str()));
        let condition = condition.and_then(|tensor| tensor.numbers.whole().first().copied());
        let Some(condition) = condition else {
            return Err(operator::error(node, error_message!("graph-condition")));
        };
        let name = if condition == 0 { "else_branch" } else { "then_branch" };
        let branch = node
            .graph(name)
            .ok_or_else(|| operator::error(node, error_message!("graph-no-part", name)))?;
        self.add_stored(branch);
        for inner in ordered(branch, &self.values)? {
            self.add(inner)?;
        }
        for (output, inner) in node.output.iter().zip(&branch.output) {
            self.copy(node, &inner.name, output)?;
        }
        Ok(())
    }

    /// A loop, unrolled: the number of its iterations, or a condition that becomes false, is known in advance.
    pub(super) fn add_loop(&mut self, node: &'a NodeProto) -> Result<(), GraphError> {
        let body = node
            .graph("body")
            .ok_or_else(|| operator::error(node, error_message!("graph-no-part", name = "body")))?;
        let [count, condition, carried @ ..] = node.input.as_slice() else {
            return Err(operator::error(node, error_message!("graph-loop-operands")));
        };
        let known = |reader: &Self, name: &str| {
            reader.known.get(name).and_then(|tensor| tensor.numbers.whole().first().copied())
        };
        let unknown = || operator::error(node, error_message!("graph-iterations"));
        let most =
            if count.is_empty() { None } else { Some(known(self, count).ok_or_else(unknown)?) };
        let mut goes_on =
            if condition.is_empty() { 1 } else { known(self, condition).ok_or_else(unknown)? };
        let [number, goes_in, inner @ ..] = body.input.as_slice() else {
            return Err(operator::error(node, error_message!("graph-body-operands")));
        };
        let Some((goes_out, results)) = body.output.split_first() else {
            return Err(operator::error(node, error_message!("graph-body-condition")));
        };
        self.add_stored(body);
        for (from, to) in carried.iter().zip(inner) {
            self.copy(node, from, &to.name)?;
        }
        let mut iterations = 0_u64;
        while goes_on != 0
            && most.is_none_or(|most| i64::try_from(iterations).is_ok_and(|n| n < most))
        {
            self.unrolled = self.unrolled.saturating_add(body.node.len().max(1));
            if self.unrolled > MOST_NODES {
                let what = error_message!("graph-many-nodes", most = MOST_NODES);
                return Err(operator::error(node, what));
            }
            self.constant(&number.name, i64::try_from(iterations).unwrap_or(i64::MAX));
            self.constant(&goes_in.name, 1);
            for inner in ordered(body, &self.values)? {
                self.add(inner)?;
            }
            iterations += 1;
            goes_on = known(self, &goes_out.name).ok_or_else(unknown)?;
            let next: Vec<_> = results
                .iter()
                .map(|result| self.taken(node, &result.name))
                .collect::<Result<_, _>>()?;
            self.forget(body);
            for (to, (value, known)) in inner.iter().zip(&next) {
                self.put(&to.name, value.clone(), known.clone());
            }
            for (index, (output, (value, known))) in node.output.iter().zip(next).enumerate() {
                // What is collected over the iterations has one more dimension.
                if index < carried.len() {
                    self.put(output, value, known);
                } else {
                    let mut value = value;
                    value.shape.insert(0, iterations);
                    self.put(output, value, None);
                }
            }
        }
        if iterations == 0 {
            for (from, output) in carried.iter().zip(&node.output) {
                self.copy(node, from, output)?;
            }
        }
        for input in &body.input {
            self.values.remove(input.name.as_str());
            self.known.remove(input.name.as_str());
        }
        Ok(())
    }

    /// What is known of a tensor, under another name.
    fn copy(&mut self, node: &NodeProto, from: &str, to: &'a str) -> Result<(), GraphError> {
        let (value, known) = self.taken(node, from)?;
        self.put(to, value, known);
        Ok(())
    }

    fn taken(
        &self,
        node: &NodeProto,
        name: &str,
    ) -> Result<(Value, Option<Rc<Tensor>>), GraphError> {
        let missing = || GraphError::MissingProducer { node: node.label(), input: name.to_owned() };
        let value = self.values.get(name).cloned().ok_or_else(missing)?;
        Ok((value, self.known.get(name).cloned()))
    }

    fn put(&mut self, name: &'a str, value: Value, known: Option<Rc<Tensor>>) {
        self.values.insert(name, value);
        match known {
            Some(known) => self.known.insert(name, known),
            None => self.known.remove(name),
        };
    }

    /// A number that is known.
    fn constant(&mut self, name: &'a str, number: i64) {
        let value = Value::constant(Vec::new());
        self.put(name, value, Some(Rc::new(Tensor::scalar(number))));
    }

    /// The next iteration makes the same tensors again.
    fn forget(&mut self, body: &'a GraphProto) {
        for name in body.node.iter().flat_map(|node| &node.output) {
            self.values.remove(name.as_str());
            self.known.remove(name.as_str());
        }
    }
}
