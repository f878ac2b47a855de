//! The executions of a dump.

use std::collections::BTreeSet;

use bigtpu_answers::Analysis;
use bigtpu_layers::Layers;
use bigtpu_timeline::Profile;

use crate::execution::Execution;
use crate::file::{Memory, PartKind, Source};
use crate::join::join;
use crate::kernels::kernel_level;
use crate::layers::layer_level;
use crate::level::{Lane, Level};
use crate::phase::{HostEvent, PhaseMarker, split};
use crate::scope::{ScopeRule, scoped};
use crate::work::add_work;

/// Why a dump has no costs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// Nothing has a name.
    #[error(
        "its commands belong to no kernel and no layer; capture in mode 1 or 2, or put tensor_location.json and final.mlir of a static model into the dump directory"
    )]
    NoParts,
    /// No part matches any scope.
    #[error("no part matches --scope; the parts are {0}")]
    NoScope(String),
    /// Nothing matches the marker.
    #[error("nothing matches --phase-marker; the parts are {0}")]
    NoMarker(String),
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
    pub(crate) memory: Vec<Option<Memory>>,
    pub(crate) executions: Vec<Execution>,
}

/// Measures a dump. `dump` names it; `analysis` is that of the profile; `host` has the host's events, if there are any.
///
/// # Errors
/// No part has a name, or nothing matches a scope or the marker.
pub fn measure(
    dump: &str,
    profile: &Profile<'_>,
    analysis: &Analysis,
    layers: Option<&Layers>,
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
        add_work(&analysis.table, &lanes, &level, &of_run, &mut executions);
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
    let all = || kinds.iter().flat_map(|k| &k.executions);
    let start = all().map(|e| e.start).min().unwrap_or(0);
    let end = all().map(|e| e.end).max().unwrap_or(0);
    let ran = |lane: &&Lane<'_, '_>| {
        lane.is_core && lane.tracks.iter().any(|(_, track)| !track.events.start.is_empty())
    };
    let source = Source {
        dump: dump.to_owned(),
        chip: profile.chip.name.to_ascii_lowercase(),
        cores: lanes.iter().filter(ran).count() as u32,
        tiu_mhz: profile.clocks.mhz(bigtpu_chip::Engine::Tiu),
        wall_ns: end - start,
    };
    Ok(Executions { source, kinds })
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
