//! Estimates that start from a dump or from `costs.json`.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use bigtpu_chip::Chip;
use bigtpu_emit_predict::estimate::Comparison;
use bigtpu_machine::{DataType, Hardware, Machine, resolve_all_for};
use bigtpu_model::Model;
use bigtpu_model::costs::{MeasuredPart, MeasuredRun, PartChoice};
use bigtpu_output::Untrusted;
use bigtpu_predict::estimate::{Estimate, SpeedRatios, estimate_measured, measured_operators};
use bigtpu_session::costs::{costs_of, measure};
use bigtpu_session::dumps::open_only;
use bigtpu_session::{Run, Session};

use super::finish;
use super::targets::NO_TARGET;
use crate::args::estimate::Args;
use crate::standard;
use bigtpu_session::whatif::{changes, predicted};

/// What is next to the targets.
const MEASURED: &str = "measured";

/// A dump: every command is scaled from what it took, and the run is replayed.
pub(super) fn dump(path: &Path, args: &Args) -> Result<()> {
    refuse(args)?;
    let name = path.display().to_string();
    let session = Session::default();
    let dump = open_only(path, &session, &standard::note)?;
    let (run, predictor) = session.predictor(&dump);
    let predictor = predictor?;
    let before = measured(&name, &run, args)?;
    let sides = Sides::of(&before, &name)?;
    let batch = args.batch.unwrap_or(1);
    let mut estimates = vec![sides.measured(&before.parts, batch)];
    for target in sides.targets(args)? {
        let ratios = sides.ratios(&target, &before, args)?;
        let prediction =
            predictor.predict(&changes(&ratios, &sides.own, &target, &run.profile)?)?;
        let run = predicted(&session, &dump, predictor.times(&prediction));
        let parts = measured(&name, &run, args)?.parts;
        let mut estimate =
            estimate_measured(&parts, SpeedRatios::SAME, &target, &target.name, batch);
        sides.judge(&mut estimate, &ratios, before.fill());
        estimates.push(estimate);
    }
    show(&name, "replayed with the ratios of peaks and bandwidths", &before.parts, &estimates, args)
}

/// The parts of a run that `--parts` and `--phase` choose.
fn measured(name: &str, run: &Run<'_>, args: &Args) -> Result<MeasuredRun> {
    let Run { profile, analysis, layers, .. } = run;
    let executions = measure(name, profile, analysis, layers.as_deref(), &[], None)
        .map_err(|error| anyhow!("{name}: {error}"))?;
    let costs = costs_of(&[executions], 1, 0, None).0;
    MeasuredRun::of(&costs, choice(args)).map_err(|error| anyhow!("{name}: {error}"))
}

/// A file of measured parts: each is scaled by itself.
pub(super) fn costs(path: &Path, text: &str, args: &Args) -> Result<()> {
    refuse(args)?;
    let name = path.display().to_string();
    let run = MeasuredRun::parse(text, choice(args)).map_err(|error| anyhow!("{name}: {error}"))?;
    let sides = Sides::of(&run, &name)?;
    let batch = args.batch.unwrap_or(1);
    let mut estimates = vec![sides.measured(&run.parts, batch)];
    for target in sides.targets(args)? {
        let ratios = sides.ratios(&target, &run, args)?;
        let mut estimate = estimate_measured(&run.parts, ratios, &target, &target.name, batch);
        sides.judge(&mut estimate, &ratios, run.fill());
        estimates.push(estimate);
    }
    show(
        &name,
        "each part scaled by the ratios of peak and bandwidth",
        &run.parts,
        &estimates,
        args,
    )
}

/// The machine that was measured: the cores that ran, not those that the chip has.
struct Sides {
    own: Machine,
    chip: Hardware,
    cores: u32,
    name: String,
}

impl Sides {
    fn of(run: &MeasuredRun, name: &str) -> Result<Self> {
        let chip = run.chip.as_deref().ok_or_else(|| {
            anyhow!("{name}: it does not say which chip was measured; write it again with `bigtpuprofile costs`")
        })?;
        let chip = Chip::find(chip).map_err(|error| anyhow!("{name}: {error}"))?;
        let hardware = run
            .tiu_mhz
            .map_or_else(|| Hardware::at_own_clock(chip), |mhz| Hardware::of_chip(chip, mhz));
        let cores = run.cores.unwrap_or(1).max(1);
        let own = Machine::of_cores(&hardware, cores);
        Ok(Self { own, chip: hardware, cores, name: name.to_owned() })
    }

    fn measured(&self, parts: &[MeasuredPart], batch: u32) -> Estimate {
        estimate_measured(parts, SpeedRatios::SAME, &self.own, MEASURED, batch)
    }

    fn targets(&self, args: &Args) -> Result<Vec<Machine>> {
        let mut machines = Vec::new();
        for text in &args.on {
            machines.extend(resolve_all_for(text, &self.chip, self.cores)?);
        }
        Ok(machines)
    }

    fn ratios(&self, target: &Machine, run: &MeasuredRun, args: &Args) -> Result<SpeedRatios> {
        SpeedRatios::between(&self.own, target, data_type(args), run.fill())
            .map_err(|error| anyhow!("{}: {error}", self.name))
    }

    /// Range and notes of a prediction.
    fn judge(&self, estimate: &mut Estimate, ratios: &SpeedRatios, fill: Option<f64>) {
        estimate.range_ns = ratios.range(estimate.time_ns());
        if estimate.range_ns.is_none() {
            return;
        }
        estimate.notes.push(format!(
            "compared with the cores that ran: {} of {}; the range is made of the errors of twelve predictions of one network between four chips (docs/prediction/across.md)",
            self.cores, self.own.name
        ));
        if let Some(fill) = fill.filter(|_| ratios.compute < 1.0) {
            estimate.notes.push(format!(
                "{:.0} % of the measured matrix unit's operations were asked for; a smaller unit is taken to be filled better",
                fill * 100.0
            ));
        }
    }
}

fn choice(args: &Args) -> PartChoice<'_> {
    PartChoice { kind: args.parts.as_deref(), phase: args.phase.as_deref() }
}

/// What is for models only.
fn refuse(args: &Args) -> Result<()> {
    if !args.map.is_empty() || args.compat.is_some() {
        bail!(
            "--map and --compat are for models only; a measured run is predicted as a whole for each machine of --on"
        );
    }
    if args.on.is_empty() {
        bail!(NO_TARGET);
    }
    Ok(())
}

fn data_type(args: &Args) -> DataType {
    args.dtype.unwrap_or(DataType::Fp16)
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
    let comparison = Comparison {
        model: name.into(),
        setting: Untrusted::from(&setting),
        operators: &operators,
        estimates,
    };
    finish(args, &comparison, &Model::default())
}
