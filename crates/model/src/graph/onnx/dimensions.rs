//! Sizes that a model leaves open, and those that the caller gives for them.

use std::collections::BTreeMap;

use bigtpu_messages::{Message, error_message};

use super::proto::{DimensionValue, ValueInfo};
use crate::graph::error::GraphError;
use crate::graph::node::Shape;

/// Sizes of dimensions that a model leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dimensions {
    /// Size of the first dimension of inputs, where it is open.
    pub batch: Option<u64>,
    /// Sizes by the names that the model gives them.
    pub named: BTreeMap<String, u64>,
    /// Whole shapes of inputs, by the inputs' names.
    pub inputs: BTreeMap<String, Shape>,
    /// Whole numbers of inputs that decide which branch runs, or how often a loop does, by the inputs' names.
    pub values: BTreeMap<String, Vec<i64>>,
    /// Unknown operators count by the shapes that the file shows.
    pub unknown_as_memory: bool,
}

impl Dimensions {
    /// Sizes that were given and that the model has no place for are mistakes.
    pub(super) fn check(&self, inputs: &[&ValueInfo]) -> Result<(), GraphError> {
        let of = |input: &ValueInfo| -> Vec<Option<DimensionValue>> {
            let shape = input.r#type.as_ref().and_then(|t| t.tensor_type.as_ref()?.shape.as_ref());
            shape.map_or_else(Vec::new, |s| s.dim.iter().map(|d| d.value.clone()).collect())
        };
        let wrong = |place, what| Err(GraphError::Format { place: Message::verbatim(place), what });
        let mut names: Vec<String> = Vec::new();
        for value in inputs.iter().flat_map(|input| of(input)).flatten() {
            if let DimensionValue::Name(name) = value
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        if let Some(name) = self.named.keys().find(|name| !names.contains(name)) {
            let what = match names.is_empty() {
                true => error_message!("graph-no-open-sizes"),
                false => error_message!("graph-no-open-size", names = names.join(", ")),
            };
            return wrong(format!("--dim {name}"), what);
        }
        let is_unknown = |name: &&String| !inputs.iter().any(|input| input.name == **name);
        let shape = self.inputs.keys().find(is_unknown).map(|name| ("--input-shape", name));
        let value = self.values.keys().find(is_unknown).map(|name| ("--input-value", name));
        if let Some((option, name)) = shape.or(value) {
            let all: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
            return wrong(
                format!("{option} {name}"),
                error_message!("graph-no-such-input", names = all.join(", ")),
            );
        }
        let Some(batch) = self.batch else { return Ok(()) };
        let fits = |input: &&&ValueInfo| match of(input).first() {
            Some(Some(DimensionValue::Size(size))) if *size > 0 => {
                u64::try_from(*size) == Ok(batch)
            }
            first => first.is_some(),
        };
        if self.inputs.is_empty() && !inputs.iter().any(|input| fits(&input)) {
            return wrong(format!("--batch {batch}"), error_message!("graph-no-batch"));
        }
        Ok(())
    }
}

/// Dimensions as the file writes them.
pub(super) fn open_shape(info: &ValueInfo) -> String {
    let shape =
        info.r#type.as_ref().and_then(|t| t.tensor_type.as_ref()).and_then(|t| t.shape.as_ref());
    let sizes = shape.map(|shape| {
        let texts = shape.dim.iter().map(|dimension| match &dimension.value {
            Some(DimensionValue::Size(size)) => size.to_string(),
            Some(DimensionValue::Name(name)) => name.clone(),
            None => "?".to_owned(),
        });
        texts.collect::<Vec<_>>().join(", ")
    });
    format!("[{}]", sizes.unwrap_or_else(|| "?".to_owned()))
}
