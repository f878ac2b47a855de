//! Operators whose shapes can't be.

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

fn shapes(operator: &Operator) -> Result<(), String> {
    let Operator { kind, input, weights, output, .. } = operator;
    for (what, shape) in [("input", input), ("weights", weights), ("output", output)] {
        if elements(shape) > MOST_ELEMENTS {
            return Err(format!(
                "{what} {shape:?} has more than 1e15 elements; this exceeds any memory"
            ));
        }
    }
    match kind {
        Kind::Linear => {
            let [.., from, to] = weights.as_slice() else {
                return Err(unfit(input, weights, output, "weights must be [in, out]"));
            };
            if weights.len() > 3 || input.last() != Some(from) || output.last() != Some(to) {
                let wanted = "weights must be [in, out] or [matrices, in, out]";
                return Err(unfit(input, weights, output, wanted));
            }
        }
        Kind::Attention if input.len() != 4 || output.len() != 4 => {
            return Err(unfit(
                input,
                weights,
                output,
                "both must be [batch, heads, rows, columns]",
            ));
        }
        Kind::Conv2d if input.len() != 4 || output.len() != 4 || weights.len() < 2 => {
            return Err(unfit(
                input,
                weights,
                output,
                "both must be [batch, channels, height, width]",
            ));
        }
        _ => {}
    }
    Ok(())
}

fn unfit(input: &Shape, weights: &Shape, output: &Shape, wanted: &str) -> String {
    format!(
        "input {input:?}, weights {weights:?} and output {output:?} do not fit together; {wanted}"
    )
}
