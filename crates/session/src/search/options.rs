//! Which options a search has a use for, by what is searched.

use super::SearchRequest;
use crate::unused::Unused;
use bigtpu_messages::{Message, error_message};

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A FlexFlow graph without costs.
    Ff,
    /// An ONNX model.
    Onnx,
    /// An operator graph with costs.
    Costed,
    /// A chain of measured parts.
    Chain,
}

impl Kind {
    /// Where an option has no effect.
    fn place(self) -> Message {
        match self {
            Self::Ff => error_message!("problem-on-ff"),
            Self::Onnx => error_message!("problem-on-onnx"),
            Self::Costed => {
                error_message!("problem-on-costed")
            }
            Self::Chain => error_message!("problem-on-chain"),
        }
    }
}

/// Refuses the options that would be left out.
pub(super) fn check(request: &SearchRequest, kind: Kind) -> Result<(), Unused> {
    let sizes = &request.sizes;
    let of_onnx = [
        ("--batch", request.batch.is_some()),
        ("--dim", !sizes.dimensions.is_empty()),
        ("--input-value", !sizes.input_values.is_empty()),
        ("--unknown-as-memory", sizes.unknown_as_memory),
    ];
    let of_models = [
        ("--input-shape", !sizes.input_shapes.is_empty()),
        ("--on", request.on.is_some()),
        ("--dtype", request.data_type.is_some()),
        ("--enable-parameter-parallel", request.parameter_parallel),
        ("--enable-attribute-parallel", request.attribute_parallel),
    ];
    let of_walks = [
        ("--budget", request.budget.is_some()),
        ("--alpha", request.alpha.is_some()),
        ("--seed", request.seed.is_some()),
        ("--starts", !request.starts.is_empty()),
        ("--import", request.import.is_some()),
        ("--enable-propagation", request.propagation),
    ];
    let of_simulations = [("--training", request.training), ("--overlap", request.overlap)];
    let of_graphs = [
        ("--only-data-parallel", request.only_data_parallel),
        ("--evaluate", request.evaluate.is_some()),
        ("--export", request.export.is_some()),
        ("--taskgraph", request.taskgraph.is_some()),
        ("--compgraph", request.compgraph.is_some()),
        ("--compat", request.flexflow_2018),
    ];
    let of_chains = [
        ("--parts", request.parts.is_some()),
        ("--phase", request.phase.is_some()),
        ("--microbatches", request.microbatches.is_some()),
        ("--handed-bytes", request.handed_bytes.is_some()),
        ("--out", request.out.is_some()),
    ];
    let refuse = |options: &[(&'static str, bool)]| Unused::refuse(&kind.place(), options);
    if kind != Kind::Onnx {
        refuse(&of_onnx)?;
    }
    if matches!(kind, Kind::Costed | Kind::Chain) {
        refuse(&of_models)?;
    }
    if kind == Kind::Chain {
        refuse(&of_walks)?;
        refuse(&of_simulations)?;
        return refuse(&of_graphs);
    }
    refuse(&of_chains)?;
    if request.evaluate.is_some() {
        Unused::refuse(&error_message!("problem-with-evaluate"), &of_walks)?;
        let only = [("--only-data-parallel", request.only_data_parallel)];
        Unused::refuse(&error_message!("problem-with-evaluate"), &only)?;
    }
    if request.only_data_parallel {
        let walked = ["--budget", "--alpha", "--starts", "--enable-propagation"];
        let given = of_walks.into_iter().filter(|(name, _)| walked.contains(name));
        let given: Vec<_> = given.collect();
        Unused::refuse(&error_message!("problem-with-data-parallel"), &given)?;
    }
    if request.flexflow_2018 {
        let place = error_message!("problem-with-flexflow");
        Unused::refuse(&place, &of_simulations)?;
        let of_machines = [
            ("--machine", request.machine.is_some()),
            ("--memory", request.memory.is_some()),
            ("--ignore-memory", request.ignore_memory),
        ];
        Unused::refuse(&place, &of_machines)?;
    }
    Ok(())
}

/// Refuses links that would be left out: where the machine says them, or where half of them is missing.
pub(super) fn check_links(request: &SearchRequest, kind: Kind) -> Result<(), Unused> {
    let links = [
        ("--link-gbps", request.link_gbps.is_some()),
        ("--link-latency", request.link_latency.is_some()),
    ];
    match &request.machine {
        Some(text) if is_file(text) => {
            Unused::refuse(&error_message!("problem-with-machine-file"), &links)
        }
        None if kind == Kind::Costed => {
            Unused::refuse(&error_message!("problem-without-machine"), &links)
        }
        _ if kind == Kind::Costed && request.link_gbps.is_none() => {
            Unused::refuse(&error_message!("problem-without-link"), &links)
        }
        _ => Ok(()),
    }
}

/// Nodes and devices of each, of a text such as `2x4`.
pub(super) fn nodes_and_devices(text: &str) -> Option<(u32, u32)> {
    let (nodes, devices) = text.split_once('x')?;
    Some((nodes.parse().ok()?, devices.parse().ok()?))
}

fn is_file(text: &str) -> bool {
    nodes_and_devices(text).is_none()
}
