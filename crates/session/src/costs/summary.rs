//! From executions to what one of them costs.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_machine::Machine;
use bigtpu_measure::Durations;

use crate::costs::energy::energy;
use crate::costs::execution::Execution;
use crate::costs::measure::Executions;
use bigtpu_model::costs::{
    Costs, CostsPhase, DurationSpread, EngineCost, LayerMemory, OUTSIDE, Part, PartKind,
    SCHEMA_VERSION,
};

/// What makes executions those of one part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: PartKind,
    name: String,
    phase: Option<CostsPhase>,
    chip: String,
    cores: u32,
}

/// Parts of several dumps together, each of which has so many `passes` of the model, the first `warmup` executions of each
/// part of each dump left out, with energies of `machine`. Returned next to them: names of the parts that ran no more often than that.
#[must_use]
pub fn costs_of(
    dumps: &[Executions],
    passes: u64,
    warmup: u64,
    machine: Option<&Machine>,
) -> (Costs, Vec<String>) {
    let mut order: Vec<Key> = Vec::new();
    let mut by_key: BTreeMap<Key, Group<'_>> = BTreeMap::new();
    let mut dropped = Vec::new();
    for dump in dumps {
        for kind in &dump.kinds {
            let mut seen = vec![0u64; kind.names.len()];
            for execution in &kind.executions {
                let at = execution.name as usize;
                let (Some(name), Some(seen)) = (kind.names.get(at), seen.get_mut(at)) else {
                    continue;
                };
                *seen += 1;
                // What is outside of all parts happens once, and is no warm-up.
                let is_warmup = *seen <= warmup && name != OUTSIDE;
                let key = Key {
                    kind: kind.kind,
                    name: name.clone(),
                    phase: execution.phase,
                    chip: dump.source.chip.clone(),
                    cores: dump.source.cores,
                };
                let group = by_key.entry(key.clone()).or_insert_with(|| {
                    order.push(key);
                    Group::default()
                });
                if is_warmup {
                    group.warmup += 1;
                    continue;
                }
                group.executions.push(execution);
                group.memory = group.memory.or(kind.memory.get(at).copied().flatten());
            }
            let few = kind.names.iter().zip(&seen).filter(|(name, _)| *name != OUTSIDE);
            let few = few.filter(|(_, seen)| (1..=warmup).contains(*seen));
            dropped.extend(few.map(|(name, _)| name.clone()));
        }
    }
    dropped.sort();
    dropped.dedup();
    let parts = order.into_iter().filter_map(|key| {
        let group = by_key.remove(&key).filter(|group| !group.executions.is_empty())?;
        Some(part(key, &group, machine))
    });
    let costs = Costs {
        schema_version: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        parts: parts.collect(),
        passes: passes * dumps.len() as u64,
        sources: dumps.iter().map(|dump| dump.source.clone()).collect(),
    };
    (costs, dropped)
}

/// The executions of one part.
#[derive(Default)]
struct Group<'a> {
    executions: Vec<&'a Execution>,
    /// Executions that are left out.
    warmup: u64,
    memory: Option<LayerMemory>,
}

fn part(key: Key, group: &Group<'_>, machine: Option<&Machine>) -> Part {
    let executions = &group.executions;
    let count = executions.len().max(1) as f64;
    let wall_ns = distribution(executions.iter().map(|e| e.wall()));
    let mut sums = [EngineCost::default(); 4];
    let mut exposed = 0.0;
    for execution in executions {
        for (sum, engine) in sums.iter_mut().zip(&execution.engines) {
            sum.add(engine);
        }
        exposed += execution.exposed as f64 / f64::from(execution.cores.max(1));
    }
    let engines = [Engine::Tiu, Engine::Gdma, Engine::Sdma, Engine::Cdma].iter().zip(&sums);
    let engines = engines.filter(|(_, sum)| sum.commands > 0.0);
    let engines: BTreeMap<String, EngineCost> =
        engines.map(|(engine, sum)| (engine.name().to_owned(), sum.divided_by(count))).collect();
    let energy_pj = machine.and_then(|machine| energy(machine, engines.values(), wall_ns.mean));
    Part {
        name: key.name,
        kind: key.kind,
        phase: key.phase,
        chip: key.chip,
        cores: key.cores,
        cores_used: executions.iter().map(|e| e.cores).max().unwrap_or(0),
        executions: executions.len() as u64,
        warmup_executions: group.warmup,
        wall_ns,
        step_ns: distribution(executions.iter().map(|e| e.step)),
        exposed_transfer_ns: exposed / count,
        energy_pj,
        memory: group.memory,
        engines,
    }
}

fn distribution(ns: impl Iterator<Item = i64>) -> DurationSpread {
    let mut durations = Durations::default();
    ns.for_each(|ns| durations.add(ns));
    durations.sort();
    DurationSpread {
        mean: durations.mean(),
        p50: durations.percentile(50),
        p95: durations.percentile(95),
        min: durations.percentile(0),
        max: durations.max(),
    }
}
