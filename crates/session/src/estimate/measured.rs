//! Estimates that start from a dump or from `costs.json`.

use std::path::{Path, PathBuf};

use bigtpu_answers::Depth;
use bigtpu_chip::Chip;
use bigtpu_machine::{DataType, Hardware, Machine, resolve_all_for};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_model::Semantics;
use bigtpu_model::costs::{MeasuredPart, MeasuredRun, PartChoice};
use bigtpu_predict::estimate::{
    AcrossErrors, ERRORS_OF_COMMANDS, ERRORS_OF_PARTS, Estimate, MEASURED_TARGET, MeasuredEvidence,
    SpeedRatios, estimate_measured, measured_operators,
};

use super::error::{EstimateFailure, MeasuredRunError};
use super::options::{Kind, check, check_batch};
use super::{EstimateRequest, Estimated};
use crate::costs::{costs_of, measure};
use crate::dumps::open_only;
use crate::note::Say;
use crate::run::Run;
use crate::settings::Session;
use crate::whatif::{changes, check_links, predicted};

/// A dump: every command is scaled from what it took, and the run is replayed.
pub(super) fn dump(request: &EstimateRequest, say: Say<'_>) -> Result<Estimated, EstimateFailure> {
    refuse(request)?;
    let path = request.model.as_path();
    let session = Session::default();
    let dump = open_only(path, &session, say)?;
    let (run, predictor) = session.predictor(&dump, Depth::Causes);
    let predictor = predictor?;
    let before = measured(path, &run, request)?;
    let sides = Sides::from_run(&before, path)?;
    let batch = request.batch.unwrap_or(1);
    let mut estimates = vec![sides.measured(&before.parts, batch)];
    check_batch(request, estimates.iter().any(|own| own.gen_tokens > 0))?;
    for target in sides.targets(request)? {
        let ratios = sides.ratios(&target, &before, request)?;
        let prediction =
            predictor.predict(&changes(&ratios, &sides.own, &target, &run.profile)?)?;
        let run = predicted(&session, &dump, predictor.times(&prediction));
        let parts = measured(path, &run, request)?.parts;
        let mut estimate =
            estimate_measured(&parts, SpeedRatios::SAME, None, &target, &target.name, batch);
        sides.judge(&mut estimate, &ratios, before.fill(), &ERRORS_OF_COMMANDS);
        estimates.push(estimate);
    }
    finished(message!("predict-replayed"), &before.parts, estimates, request)
}

/// The parts of a run that `--parts` and `--phase` choose.
fn measured(
    path: &Path,
    run: &Run<'_>,
    request: &EstimateRequest,
) -> Result<MeasuredRun, EstimateFailure> {
    let Run { profile, analysis, layers, .. } = run;
    let name = path.display().to_string();
    let executions = measure(&name, profile, analysis, layers.as_deref(), None, &[], None)
        .map_err(EstimateFailure::run(path))?;
    let costs = costs_of(&[executions], 1, 0, None).0;
    MeasuredRun::from_costs(&costs, choice(request)).map_err(EstimateFailure::run(path))
}

/// A file of measured parts: the run takes as long as the longest of its paths, and each part is scaled by itself to this time.
pub(super) fn costs(text: &str, request: &EstimateRequest) -> Result<Estimated, EstimateFailure> {
    refuse(request)?;
    let path = request.model.as_path();
    let run = MeasuredRun::parse(text, choice(request)).map_err(EstimateFailure::run(path))?;
    let sides = Sides::from_run(&run, path)?;
    let batch = request.batch.unwrap_or(1);
    let mut estimates = vec![sides.measured(&run.parts, batch)];
    check_batch(request, estimates.iter().any(|own| own.gen_tokens > 0))?;
    for target in sides.targets(request)? {
        let ratios = sides.ratios(&target, &run, request)?;
        check_links(&ratios, &sides.own, &target, run.link_gbps().is_some())?;
        let factor = run.time_factor(|path| ratios.path_ns(path));
        let mut estimate =
            estimate_measured(&run.parts, ratios, factor, &target, &target.name, batch);
        let errors = if factor.is_some() { &ERRORS_OF_COMMANDS } else { &ERRORS_OF_PARTS };
        sides.judge(&mut estimate, &ratios, run.fill(), errors);
        estimates.push(estimate);
    }
    let how = if run.paths.is_empty() { "predict-scaled" } else { "predict-paths" };
    finished(Message::new(how), &run.parts, estimates, request)
}

/// The machine that was measured: the cores that ran, not those that the chip has.
struct Sides {
    own: Machine,
    chip: Hardware,
    cores: u32,
    path: PathBuf,
}

impl Sides {
    fn from_run(run: &MeasuredRun, path: &Path) -> Result<Self, EstimateFailure> {
        let unknown = || EstimateFailure::run(path)(MeasuredRunError::NoChip);
        let chip = run.chip.as_deref().ok_or_else(unknown)?;
        let chip = Chip::find(chip).map_err(EstimateFailure::run(path))?;
        let hardware = run
            .tiu_mhz
            .map_or_else(|| Hardware::at_own_clock(chip), |mhz| Hardware::of_chip(chip, mhz));
        let cores = run.cores.unwrap_or(1).max(1);
        let own = Machine::of_cores(&hardware, cores);
        Ok(Self { own, chip: hardware, cores, path: path.to_owned() })
    }

    fn measured(&self, parts: &[MeasuredPart], batch: u32) -> Estimate {
        estimate_measured(parts, SpeedRatios::SAME, None, &self.own, MEASURED_TARGET, batch)
    }

    fn targets(&self, request: &EstimateRequest) -> Result<Vec<Machine>, EstimateFailure> {
        let mut machines = Vec::new();
        for text in &request.on {
            machines.extend(resolve_all_for(text, &self.chip, self.cores)?);
        }
        Ok(machines)
    }

    fn ratios(
        &self,
        target: &Machine,
        run: &MeasuredRun,
        request: &EstimateRequest,
    ) -> Result<SpeedRatios, EstimateFailure> {
        SpeedRatios::from_machines(&self.own, target, data_type(request), run.fill())
            .map_err(EstimateFailure::run(&self.path))
    }

    /// Range and notes of a prediction.
    fn judge(
        &self,
        estimate: &mut Estimate,
        ratios: &SpeedRatios,
        fill: Option<f64>,
        errors: &AcrossErrors,
    ) {
        estimate.range_ns = ratios.range(estimate.time_ns(), errors);
        if estimate.range_ns.is_none() {
            return;
        }
        let ([held, all], [held_chips, all_chips]) =
            (errors.held_without_prediction, errors.held_without_chip);
        estimate.evidence = Some(MeasuredEvidence::of_predictions(all));
        estimate.notes.push(message!(
            "predict-between-chips",
            cores = self.cores,
            chip = &self.own.name,
            held = held,
            all = all,
            held_chips = held_chips,
            all_chips = all_chips
        ));
        if let Some(fill) = fill.filter(|_| ratios.compute < 1.0) {
            estimate.notes.push(message!("predict-fill", fill = Arg::Share(fill)));
        }
    }
}

fn choice(request: &EstimateRequest) -> PartChoice<'_> {
    PartChoice { kind: request.parts.as_deref(), phase: request.phase.as_deref() }
}

/// What is for models only.
fn refuse(request: &EstimateRequest) -> Result<(), EstimateFailure> {
    if !request.map.is_empty() || request.semantics == Semantics::Upmem {
        return Err(EstimateFailure::ForModels);
    }
    if request.on.is_empty() {
        return Err(EstimateFailure::NoTarget);
    }
    Ok(check(request, Kind::Measured)?)
}

fn data_type(request: &EstimateRequest) -> DataType {
    request.data_type.unwrap_or(DataType::Fp16)
}

fn finished(
    how: Message,
    parts: &[MeasuredPart],
    estimates: Vec<Estimate>,
    request: &EstimateRequest,
) -> Result<Estimated, EstimateFailure> {
    let said = vec![Message::verbatim(data_type(request).name()), how];
    let setting = message!("predict-setting", parts = Arg::Items(said));
    Estimated::finish(request, setting, measured_operators(parts), estimates, Vec::new())
}
