//! The executions of a dump.

use bigtpu_messages::error_message;
use std::collections::BTreeSet;

use bigtpu_answers::Analysis;
use bigtpu_measure::layers::Layers;
use bigtpu_replay::Predictor;
use bigtpu_timeline::Profile;

use crate::costs::execution::Execution;
use crate::costs::join::join;
use crate::costs::kernels::kernel_level;
use crate::costs::layers::layer_level;
use crate::costs::level::{Lane, Level, Run};
use crate::costs::phase::{HostEvent, PhaseMarker, split};
use crate::costs::scope::{REST, ScopeRule, scoped};
use crate::costs::work::add_work;
use bigtpu_model::costs::{LayerMemory, OUTSIDE, PartKind, PathTimes, Source};

/// Why a dump has no costs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// Nothing has a name.
    #[error("{}", error_message!("error-costs-measure-no-parts"))]
    NoParts,
    /// No part matches any scope.
    #[error("{}", error_message!("error-costs-measure-no-scope", value = .0))]
    NoScope(String),
    /// Nothing matches the marker.
    #[error("{}", error_message!("error-costs-measure-no-marker", value = .0))]
    NoMarker(String),
}

impl Executions {
    /// The share of the run that the scopes of rules do not have, 0 to 1; `None` without rules.
    #[must_use]
    pub fn share_without_rule(&self) -> Option<f64> {
        let scopes = self.kinds.iter().find(|kind| kind.kind == PartKind::Scope)?;
        let rest = |e: &&Execution| scopes.names.get(e.name as usize).is_some_and(|n| n == REST);
        let steps = scopes.executions.iter().filter(rest).map(|e| e.step).sum::<i64>();
        Some(steps as f64 / self.source.wall_ns.max(1) as f64)
    }
}

/// What a dump's parts took, execution by execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Executions {
    pub(crate) source: Source,
    pub(crate) kinds: Vec<KindExecutions>,
}

/// Executions of one kind of parts, by start.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KindExecutions {
    pub(crate) kind: PartKind,
    pub(crate) names: Vec<String>,
    pub(crate) memory: Vec<Option<LayerMemory>>,
    pub(crate) executions: Vec<Execution>,
}

/// Measures a dump. `dump` names it; `analysis` is that of the profile; `predictor`, if there is one, tells which part of the transfers'
/// time depends on a bandwidth, and what the run takes on machines of other speeds; `marker` has the host's events beside it, if there are any.
///
/// # Errors
/// No part has a name, or nothing matches a scope or the marker.
pub fn measure(
    dump: &str,
    profile: &Profile<'_>,
    analysis: &Analysis,
    layers: Option<&Layers>,
    predictor: Option<&Predictor>,
    scopes: &[ScopeRule],
    marker: Option<(&PhaseMarker, &[HostEvent])>,
) -> Result<Executions, MeasureError> {
    let lanes = Lane::all(profile);
    let levels = [
        layers.map(|layers| layer_level(profile, layers)),
        Some(kernel_level(profile, &analysis.launches, &lanes)),
    ];
    let of_level = |level: Level| {
        let (mut executions, of_run) = join(&level, &lanes);
        add_work(&analysis.table, &lanes, &level, &of_run, predictor, &mut executions);
        let Level { kind, names, memory, .. } = level;
        KindExecutions { kind, names, memory, executions }
    };
    let mut kinds: Vec<KindExecutions> =
        levels.into_iter().flatten().map(of_level).filter(|k| !k.executions.is_empty()).collect();
    if kinds.is_empty() {
        return Err(MeasureError::NoParts);
    }
    if let Some((marker, host)) = marker {
        let time = kinds.iter().find_map(|k| marker.time(&k.names, &k.executions, host));
        let time = time.ok_or_else(|| MeasureError::NoMarker(present(&kinds)))?;
        kinds.iter_mut().for_each(|k| split(&mut k.executions, time));
    }
    if !scopes.is_empty() {
        let scope = |k: &KindExecutions| {
            let (names, executions) = scoped(scopes, &k.names, &k.executions);
            let memory = vec![None; names.len()];
            KindExecutions { kind: PartKind::Scope, names, memory, executions }
        };
        let found = kinds.iter().map(scope).find(|k| !k.executions.is_empty());
        kinds.push(found.ok_or_else(|| MeasureError::NoScope(present(&kinds)))?);
    }
    // The run is everything that has a record, whether it belongs to a part or not.
    let start = profile.tracks().flat_map(|track| &track.events.start).min().copied();
    let end = profile.tracks().flat_map(|track| &track.events.end).max().copied();
    let (start, end) = (start.unwrap_or(0), end.unwrap_or(0));
    kinds.iter_mut().for_each(|kind| add_outside(kind, start, end));
    let ran = |lane: &&Lane<'_, '_>| {
        lane.is_core && lane.tracks.iter().any(|(_, track)| !track.events.start.is_empty())
    };
    let source = Source {
        dump: dump.to_owned(),
        chip: profile.chip.name.to_ascii_lowercase(),
        cores: lanes.iter().filter(ran).count() as u32,
        tiu_mhz: profile.clocks.mhz(bigtpu_chip::Engine::Tiu),
        wall_ns: end - start,
        paths: predictor.map(paths).unwrap_or_default(),
    };
    Ok(Executions { source, kinds })
}

/// The run's paths as the file has them.
fn paths(predictor: &Predictor) -> Vec<PathTimes> {
    let of_path = |path: bigtpu_replay::CriticalPathTimes| {
        let bigtpu_replay::CriticalPathTimes { fixed, compute, ddr, l2m, link } = path;
        let [fixed, compute, ddr, l2m, link] = [fixed, compute, ddr, l2m, link].map(|ns| ns as f64);
        PathTimes { fixed, compute, ddr, l2m, link }
    };
    predictor.path_times().into_iter().map(of_path).collect()
}

/// The time of the run that no part has: with it, the steps of a kind sum to the run.
fn add_outside(kind: &mut KindExecutions, start: i64, end: i64) {
    let first = kind.executions.iter().map(|e| e.start).min().unwrap_or(start);
    let last = kind.executions.iter().map(|e| e.end).max().unwrap_or(end);
    let step = (first - start).max(0) + (end - last).max(0);
    if step == 0 {
        return;
    }
    let name = kind.names.len() as u32;
    kind.names.push(OUTSIDE.to_owned());
    kind.memory.push(None);
    let phase = kind.executions.last().and_then(|execution| execution.phase);
    let run = Run { name, lane: 0, start: end - step, end };
    kind.executions.push(Execution { step, phase, ..Execution::new(&run) });
}

/// The parts that there are, as the end of a sentence.
fn present(kinds: &[KindExecutions]) -> String {
    const SHOWN: usize = 12;
    let ran = |k: &KindExecutions| {
        let names = k.executions.iter().filter_map(|e| k.names.get(e.name as usize).cloned());
        names.collect::<BTreeSet<String>>()
    };
    let names: BTreeSet<String> = kinds.iter().flat_map(ran).collect();
    let mut shown: Vec<String> = names.iter().take(SHOWN).cloned().collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}
