//! Which options a pipeline has a use for, by where its costs come from.

use super::{PipelineCompat, PipelineRequest};
use crate::unused::Unused;
use bigtpu_messages::{Message, error_message};

/// Refuses the options that would be left out; those of a plan file count as well.
pub(super) fn check(request: &PipelineRequest) -> Result<(), Unused> {
    let times = [
        ("--fwd", request.fwd.is_some()),
        ("--bwd", request.bwd.is_some()),
        ("--wgt", request.wgt.is_some()),
        ("--stage", !request.stage.is_empty()),
        ("--cost-per", request.cost_per.is_some()),
    ];
    let of_costs = [
        ("--parts", request.parts.is_some()),
        ("--phase", request.phase.is_some()),
        ("--partition", request.partition.is_some()),
        ("--training", request.training),
    ];
    let backward = [
        ("--bwd-without-wgt", request.bwd_without_wgt),
        ("--mem-bwd", request.mem_bwd.is_some()),
        ("--mem-wgt", request.mem_wgt.is_some()),
        ("--offload-time", request.offload_time.is_some()),
    ];
    let transfers = [
        ("--comm", request.comm.is_some()),
        ("--link-time", !request.link_time.is_empty()),
        ("--link-occupancy", request.link_occupancy),
        ("--mem-fwd", request.mem_fwd.is_some()),
        ("--offload-time", request.offload_time.is_some()),
    ];
    let sizes = [
        ("--stages", request.stages.is_some()),
        ("--microbatches", request.microbatches.is_some()),
        ("--chunks", request.chunks.is_some()),
        ("--max-activations", request.max_activations.is_some()),
        ("--sweep", !request.sweep.is_empty()),
        ("--save-graph", request.save_graph.is_some()),
    ];
    let a_file = |place: &Message| {
        [&times[..], &of_costs, &backward, &transfers, &sizes]
            .iter()
            .try_for_each(|options| Unused::refuse(place, options))
    };
    if request.graph.is_some() {
        return a_file(&error_message!("problem-graph-has-events"));
    }
    if request.torch.is_some() {
        let place = error_message!("problem-torch-has-times");
        a_file(&place)?;
        let more = [
            ("--costs", request.costs.is_some()),
            ("--compat", request.compat.is_some()),
            ("--unit", request.unit.is_some()),
        ];
        return Unused::refuse(&place, &more);
    }
    if request.costs.is_some() {
        Unused::refuse(&error_message!("problem-costs-has-times"), &times)?;
        if !request.training {
            let place = error_message!("problem-no-training");
            Unused::refuse(&place, &backward)?;
        }
        let stages =
            [("--stages", request.stages.is_some()), ("--sweep stages", sweeps(request, "stages"))];
        if request.partition.is_some() {
            Unused::refuse(&error_message!("problem-partition-has-stages"), &stages)?;
        }
    } else {
        Unused::refuse(&error_message!("problem-without-costs"), &of_costs)?;
    }
    if request.mem_fwd.is_none() {
        Unused::refuse(&error_message!("problem-without-mem-fwd"), &backward[1..])?;
    }
    let is_free = |name: &String| matches!(name.as_str(), "zb" | "zbv" | "all");
    if !request.schedule.iter().any(is_free) {
        let most = [("--max-activations", request.max_activations.is_some())];
        Unused::refuse(&error_message!("problem-no-zb"), &most)?;
    }
    if request.compat == Some(PipelineCompat::Perflow) {
        let place = error_message!("problem-with-perflow");
        Unused::refuse(&place, &transfers)?;
        Unused::refuse(&place, &backward)?;
        let more = [
            ("--cost-per", request.cost_per.is_some()),
            ("--max-activations", request.max_activations.is_some()),
            ("--sweep comm", sweeps(request, "comm")),
        ];
        Unused::refuse(&place, &more)?;
    }
    let swept = [
        ("--stages", request.stages.is_some() && sweeps(request, "stages")),
        ("--microbatches", request.microbatches.is_some() && sweeps(request, "microbatches")),
        ("--chunks", request.chunks.is_some() && sweeps(request, "chunks")),
        ("--comm", request.comm.is_some() && sweeps(request, "comm")),
    ];
    Unused::refuse(&error_message!("problem-swept"), &swept)
}

fn sweeps(request: &PipelineRequest, name: &str) -> bool {
    request.sweep.iter().any(|sweep| sweep.split('=').next().is_some_and(|key| key.trim() == name))
}
