//! Which options an estimate has a use for, by what is estimated.

use super::EstimateRequest;
use crate::unused::Unused;
use bigtpu_messages::error_message;

/// What is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Operators with recorded shapes: an op list, a torch trace.
    Recorded,
    /// An ONNX model.
    Onnx,
    /// A FlexFlow graph.
    Ff,
    /// A dump, or measured parts.
    Measured,
}

/// Refuses the options that would be left out.
pub(super) fn check(request: &EstimateRequest, kind: Kind) -> Result<(), Unused> {
    let sizes = &request.sizes;
    let of_onnx = [
        ("--dim", !sizes.dimensions.is_empty()),
        ("--input-value", !sizes.input_values.is_empty()),
        ("--unknown-as-memory", sizes.unknown_as_memory),
    ];
    let shapes = [("--input-shape", !sizes.input_shapes.is_empty())];
    let of_runs = [("--parts", request.parts.is_some()), ("--phase", request.phase.is_some())];
    let of_models = [
        ("--last-layer", request.last_layer.is_some()),
        ("--kv-heads", request.kv_heads.is_some()),
        ("--sliding-window", request.sliding_window.is_some()),
    ];
    match kind {
        Kind::Onnx => Unused::refuse(&error_message!("problem-on-onnx"), &of_runs),
        Kind::Ff => {
            let batch = [("--batch", request.batch.is_some())];
            Unused::refuse(&error_message!("problem-on-ff-batch"), &batch)?;
            Unused::refuse(&error_message!("problem-on-ff"), &of_onnx)?;
            Unused::refuse(&error_message!("problem-on-ff"), &of_runs)
        }
        Kind::Recorded => {
            let place = error_message!("problem-on-recorded");
            Unused::refuse(&place, &of_onnx)?;
            Unused::refuse(&place, &shapes)?;
            Unused::refuse(&place, &of_runs)
        }
        Kind::Measured => {
            let place = error_message!("problem-on-measured");
            Unused::refuse(&place, &[("--calibrate", request.calibrate.is_some())])?;
            Unused::refuse(&place, &of_onnx)?;
            Unused::refuse(&place, &shapes)?;
            Unused::refuse(&place, &of_models)
        }
    }
}

/// Sequences count where tokens do: in runs that generate some.
pub(super) fn check_batch(request: &EstimateRequest, generates: bool) -> Result<(), Unused> {
    let place = error_message!("problem-on-no-decode");
    Unused::refuse(&place, &[("--batch", request.batch.is_some() && !generates)])
}
