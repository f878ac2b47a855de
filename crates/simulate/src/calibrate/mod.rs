//! Constants from a user's own records.
//!
//! Transfers: the four constants of each kind are moved in ever smaller steps as long as the sum of the relative errors falls. TIU:
//! each constant takes the value, of a few or of a range, with the smallest sum of relative errors over the commands that
//! depend on it.

mod grades;
mod tiu;
mod transfers;

use std::collections::BTreeMap;

use bigtpu_chip::{Command, Constant, ConstantSource, Engine};
use bigtpu_command_cost::{CostModel, Windows};
use bigtpu_timeline::Profile;

use crate::comparison::{Accuracy, Errors};
use crate::costs::CostTable;

/// A command with its measured time.
#[derive(Debug, Clone, Copy)]
pub struct CommandSample<'d> {
    /// Engine: TIU or GDMA.
    pub engine: Engine,
    /// The command.
    pub command: Command<'d>,
    /// Cycles of its record.
    pub cycles: f64,
    /// No transfer of another core used the DDR at the same time.
    pub is_alone: bool,
}

/// The commands of a dump that can be compared: work with full bits, but for the first transfer from DDR.
#[must_use]
pub fn samples<'d>(profile: &Profile<'d>) -> Vec<CommandSample<'d>> {
    let chip = profile.chip;
    let mut all: Vec<(i64, i64, u32, CommandSample<'d>)> = Vec::new();
    for (core, tracks) in (0u32..).zip(&profile.cores) {
        for track in tracks
            .tracks
            .iter()
            .filter(|t| matches!(t.engine_id.engine, Engine::Tiu | Engine::Gdma))
        {
            let engine = track.engine_id.engine;
            for event in 0..track.events.len() {
                let Some(command) = profile.command(track, event) else { continue };
                let times = (track.events.start.get(event), track.events.end.get(event));
                let (Some(&start), Some(&end)) = times else { continue };
                let cycles = track.events.cycles(event).unwrap_or(0);
                if chip.is_system(engine, command.op.task()) || cycles <= 0 {
                    continue;
                }
                let cycles = cycles as f64;
                all.push((
                    start,
                    end,
                    core,
                    CommandSample { engine, command, cycles, is_alone: true },
                ));
            }
        }
    }
    all.sort_by_key(|(start, ..)| *start);
    // The last end of a transfer of each core, and all that overlap another core's.
    let mut last: BTreeMap<u32, (i64, usize)> = BTreeMap::new();
    let mut shared = Vec::new();
    for (index, (start, end, core, sample)) in all.iter().enumerate() {
        if sample.engine != Engine::Gdma {
            continue;
        }
        for (_, (_, other)) in last.iter().filter(|(c, (until, _))| *c != core && until > start) {
            shared.extend([index, *other]);
        }
        last.insert(*core, (*end, index));
    }
    for index in shared {
        if let Some((.., sample)) = all.get_mut(index) {
            sample.is_alone = false;
        }
    }
    let mut has_loaded = false;
    let model = CostModel::compiled_in(chip);
    let mut windows = Windows::of_records();
    all.retain(|(.., sample)| {
        let reads = !has_loaded
            && sample.engine == Engine::Gdma
            && model
                .cost(sample.engine, &sample.command, &mut windows)
                .transfer
                .is_some_and(|transfer| transfer.kind.reads_ddr());
        has_loaded |= reads;
        !reads
    });
    all.into_iter().map(|(.., sample)| sample).collect()
}

/// What a calibration gives.
#[derive(Debug)]
pub struct Calibration {
    /// Constants from all samples.
    pub model: CostModel,
    /// TIU commands that were left out, predicted with constants from the others.
    pub held_out_tiu: Accuracy,
    /// Transfers that were left out, predicted with constants from the others.
    pub held_out_dma: Accuracy,
    /// Names of the operations whose mark is better than before.
    pub upgraded: Vec<&'static str>,
    /// Names of those whose mark is worse: the samples contradict it.
    pub downgraded: Vec<&'static str>,
    /// Kinds of transfers with new constants.
    pub kinds: Vec<String>,
}

/// Fits a model's constants to samples.
#[must_use]
pub fn calibrate(model: &CostModel, samples: &[CommandSample<'_>]) -> Calibration {
    let every_second = |rest: usize| -> Vec<CommandSample<'_>> {
        samples.iter().enumerate().filter(|(i, _)| i % 2 == rest).map(|(_, s)| *s).collect()
    };
    let (train, held_out) = (every_second(0), every_second(1));
    let (trained, _) = fit(model, &train);
    let [held_out_tiu, held_out_dma] = errors(&trained, &held_out);
    let (mut fitted, kinds) = fit(model, samples);
    let (upgraded, downgraded) = grades::grade(&mut fitted, samples);
    Calibration { model: fitted, held_out_tiu, held_out_dma, upgraded, downgraded, kinds }
}

/// Errors of TIU commands, and of transfers that had the DDR for themselves, if any had.
fn errors(model: &CostModel, samples: &[CommandSample<'_>]) -> [Accuracy; 2] {
    let mut costs = CostTable::new(model);
    let mut all = [Errors::default(), Errors::default()];
    let is_own = |sample: &&CommandSample<'_>| sample.engine == Engine::Tiu || sample.is_alone;
    let has_own = samples.iter().any(|sample| sample.engine != Engine::Tiu && sample.is_alone);
    for sample in samples.iter().filter(|sample| !has_own || is_own(sample)) {
        let number = costs.number(sample.engine, Some(&sample.command));
        let own = costs.get(number).map_or(0.0, |cost| cost.total() as f64 / 1000.0);
        if let Some(errors) = all.get_mut(usize::from(sample.engine != Engine::Tiu)) {
            errors.add(own, sample.cycles);
        }
    }
    all.map(Errors::accuracy)
}

/// Fits all constants. Also the names of the kinds of transfers with new ones.
fn fit(model: &CostModel, samples: &[CommandSample<'_>]) -> (CostModel, Vec<String>) {
    let mut fitted = model.clone();
    let kinds = transfers::fit(&mut fitted, samples);
    tiu::fit(&mut fitted, samples);
    (fitted, kinds)
}

fn measured<T>(value: T) -> Constant<T> {
    Constant { value, source: ConstantSource::Measured }
}
