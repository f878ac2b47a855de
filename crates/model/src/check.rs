//! Operators whose shapes can't be.

use bigtpu_messages::{Arg, Message, message};

use crate::error::ModelError;
use crate::operator::{Kind, Operator, Shape, elements};

/// More elements than any memory has: the shape is a mistake.
const MOST_ELEMENTS: f64 = 1e15;

/// Checks every operator.
///
/// # Errors
/// The first operator whose shapes do not fit together.
pub fn operators(operators: &[Operator]) -> Result<(), ModelError> {
    for (index, operator) in operators.iter().enumerate() {
        if let Err(what) = shapes(operator) {
            return Err(ModelError::Operator { index, name: operator.label(), what });
        }
    }
    Ok(())
}

fn shapes(operator: &Operator) -> Result<(), Message> {
    let Operator { kind, input, weights, output, .. } = operator;
    for (what, shape) in [("input", input), ("weights", weights), ("output", output)] {
        if elements(shape) > MOST_ELEMENTS {
            let shape = format!("{shape:?}");
            return Err(message!("problem-op-elements", what = what, shape = shape));
        }
    }
    match kind {
        Kind::Linear => {
            let [.., from, to] = weights.as_slice() else {
                return Err(unfit(input, weights, output, "problem-op-linear"));
            };
            if weights.len() > 3 || input.last() != Some(from) || output.last() != Some(to) {
                let wanted = "problem-op-linears";
                return Err(unfit(input, weights, output, wanted));
            }
        }
        Kind::Attention if input.len() != 4 || output.len() != 4 => {
            return Err(unfit(input, weights, output, "problem-op-attention"));
        }
        Kind::Conv2d if input.len() != 4 || output.len() != 4 || weights.len() < 2 => {
            return Err(unfit(input, weights, output, "problem-op-convolution"));
        }
        _ => {}
    }
    Ok(())
}

fn unfit(input: &Shape, weights: &Shape, output: &Shape, wanted: &'static str) -> Message {
    let [input, weights, output] =
        [input, weights, output].map(|shape| Arg::Name(format!("{shape:?}")));
    let wanted = Message::new(wanted);
    message!("problem-op-unfit", input = input, weights = weights, output = output, wanted = wanted)
}
