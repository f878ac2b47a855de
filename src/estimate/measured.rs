//! Estimates that start from a dump or from `costs.json`.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use bigtpu_chip::chips;
use bigtpu_costs::{Costs, Part, Phase as MeasuredPhase, measure};
use bigtpu_emit_estimate::Comparison;
use bigtpu_estimate::{
    Estimate, MeasuredPart, Model, Phase, SpeedRatios, estimate_measured, measured_operators,
};
use bigtpu_hardware::{DataType, Hardware, Machine};
use bigtpu_session::{Run, Session};

use super::{finish, targets};
use crate::args::estimate::Args;
use crate::multi_dump::open_only;
use crate::whatif::{predicted, ratios};

/// What is next to the targets.
const MEASURED: &str = "measured";

/// A dump: every command is scaled from what it took, and the run is replayed.
pub(super) fn dump(path: &Path, args: &Args) -> Result<()> {
    refuse(args)?;
    let name = path.display().to_string();
    let session = Session::default();
    let dump = open_only(path, &session)?;
    let (run, predictor) = session.predictor(&dump);
    let predictor = predictor?;
    let measured = |run: &Run<'_>| -> Result<Costs> {
        let Run { profile, analysis, layers, .. } = run;
        let executions = measure(&name, profile, analysis, layers.as_deref(), &[], None)
            .map_err(|error| anyhow!("{name}: {error}"))?;
        Ok(Costs::of(&[executions], 0, None).0)
    };
    let own =
        Machine::from(&Hardware::of_chip(run.profile.chip, run.profile.clocks.tiu_mhz as f64));
    let before = chain(&measured(&run)?);
    let batch = args.batch.unwrap_or(1);
    let mut estimates = vec![estimate_measured(&before, SpeedRatios::SAME, &own, MEASURED, batch)];
    for target in targets::machines(args)? {
        let prediction = predictor.predict(&ratios(&own, &target, data_type(args)))?;
        let run = predicted(&session, &dump, predictor.times(&prediction));
        let parts = chain(&measured(&run)?);
        estimates.push(estimate_measured(&parts, SpeedRatios::SAME, &target, &target.name, batch));
    }
    show(&name, "replayed with the ratios of peaks and bandwidths", &before, &estimates, args)
}

/// A file of measured parts: each is scaled by itself.
pub(super) fn costs(path: &Path, text: &str, args: &Args) -> Result<()> {
    refuse(args)?;
    let name = path.display().to_string();
    let costs: Costs = serde_json::from_str(text).map_err(|error| {
        anyhow!("{name}: is not a costs.json ({error}); write one with `bigtpuprofile costs`")
    })?;
    let own = own_machine(&costs).map_err(|error| anyhow!("{name}: {error}"))?;
    let parts = chain(&costs);
    let batch = args.batch.unwrap_or(1);
    let mut estimates = vec![estimate_measured(&parts, SpeedRatios::SAME, &own, MEASURED, batch)];
    for target in targets::machines(args)? {
        let speed = |own: f64, other: f64| if own > 0.0 && other > 0.0 { other / own } else { 1.0 };
        let peak = |machine: &Machine| machine.peak(data_type(args)).0;
        let memory = |machine: &Machine| machine.memory.gbps.unwrap_or(0.0);
        let ratios = SpeedRatios {
            compute: speed(peak(&own), peak(&target)),
            memory: speed(memory(&own), memory(&target)),
        };
        estimates.push(estimate_measured(&parts, ratios, &target, &target.name, batch));
    }
    show(&name, "each part scaled by the ratios of peak and bandwidth", &parts, &estimates, args)
}

/// What is for models only.
fn refuse(args: &Args) -> Result<()> {
    if !args.map.is_empty() || args.compat.is_some() {
        bail!(
            "--map and --compat are for models only; a measured run is predicted as a whole for each machine of --on"
        );
    }
    if args.on.is_empty() {
        bail!(
            "no target: name machines with --on, such as --on aks,h100 (all: bigtpuprofile estimate --list)"
        );
    }
    Ok(())
}

fn data_type(args: &Args) -> DataType {
    args.dtype.unwrap_or(DataType::Fp16)
}

/// The machine that was measured.
fn own_machine(costs: &Costs) -> Result<Machine> {
    let source = costs.sources.first().ok_or_else(|| anyhow!("its list `sources` is empty"))?;
    if costs.sources.iter().any(|other| other.chip != source.chip) {
        bail!("it has parts of several chips; measure each chip in a file of its own");
    }
    let chip = chips().iter().find(|chip| chip.name.eq_ignore_ascii_case(&source.chip));
    let chip = chip.ok_or_else(|| anyhow!("its chip {} is not known", source.chip))?;
    Ok(Machine::from(&Hardware::of_chip(chip, source.tiu_mhz)))
}

/// Layers, else kernels, in the order of the run; scopes only where nothing else is there.
fn chain(costs: &Costs) -> Vec<MeasuredPart> {
    use bigtpu_costs::PartKind::{Kernel, Layer, Scope};
    let kind = [Layer, Kernel, Scope]
        .into_iter()
        .find(|kind| costs.parts.iter().any(|part| part.kind == *kind));
    let own = costs.parts.iter().filter(|part| Some(part.kind) == kind);
    own.map(part).collect()
}

fn part(part: &Part) -> MeasuredPart {
    let cores = f64::from(part.cores_used.max(1));
    let all = || part.engines.values();
    let compute = part.engines.get("TIU").copied().unwrap_or_default();
    let busy: f64 = all().map(|engine| engine.busy_ns).sum();
    MeasuredPart {
        name: part.name.clone(),
        kind: part.kind.name().to_owned(),
        phase: match part.phase {
            Some(MeasuredPhase::Decode) => Phase::Generation,
            Some(MeasuredPhase::Prefill) | None => Phase::Summarization,
        },
        executions: part.executions,
        time_ns: part.step_ns.mean,
        compute_ns: compute.busy_ns / cores,
        transfer_ns: (busy - compute.busy_ns) / cores,
        exposed_ns: part.exposed_transfer_ns,
        operations: compute.ops,
        memory_bytes: all().map(|engine| engine.ddr_bytes).sum(),
    }
}

fn show(
    name: &str,
    how: &str,
    parts: &[MeasuredPart],
    estimates: &[Estimate],
    args: &Args,
) -> Result<()> {
    let operators = measured_operators(parts);
    let setting = format!("{}, {how}", data_type(args));
    let comparison =
        Comparison { model: name, setting: &setting, operators: &operators, estimates };
    finish(args, &comparison, &Model::default())
}
