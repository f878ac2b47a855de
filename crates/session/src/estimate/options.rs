//! Which options an estimate has a use for, by what is estimated.

use super::EstimateRequest;
use crate::unused::Unused;

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
        Kind::Onnx => Unused::refuse("on an ONNX model", &of_runs),
        Kind::Ff => {
            let batch = [("--batch", request.batch.is_some())];
            Unused::refuse("on a .ff graph, whose --input-shape has the batch", &batch)?;
            Unused::refuse("on a .ff graph", &of_onnx)?;
            Unused::refuse("on a .ff graph", &of_runs)
        }
        Kind::Recorded => {
            let place = "on recorded operators, which have their shapes";
            Unused::refuse(place, &of_onnx)?;
            Unused::refuse(place, &shapes)?;
            Unused::refuse(place, &of_runs)
        }
        Kind::Measured => {
            let place = "on a measured run, whose parts have their times";
            Unused::refuse(place, &[("--calibrate", request.calibrate.is_some())])?;
            Unused::refuse(place, &of_onnx)?;
            Unused::refuse(place, &shapes)?;
            Unused::refuse(place, &of_models)
        }
    }
}

/// Sequences count where tokens do: in runs that generate some.
pub(super) fn check_batch(request: &EstimateRequest, generates: bool) -> Result<(), Unused> {
    let place = "on a measured run without a decode phase (costs --phase-marker)";
    Unused::refuse(place, &[("--batch", request.batch.is_some() && !generates)])
}
