//! Search for a strategy: chains from several starts side by side.

use std::time::Instant;

use rayon::prelude::*;

use crate::search::chain_search::{Found, Rules, run};
use crate::search::dynamic;
use crate::search::evaluate::evaluate;
use crate::search::exhaustive::prove;
use crate::search::graph::{SearchGraph, Strategy};
use crate::search::layout::{Layout, SearchModel};
use crate::search::lower_bound::Least;
use crate::search::proposals::Moves;
use crate::search::rng::Rng;
use crate::search::sync::Sync;
use bigtpu_machine::Interconnect;

/// What to search for, and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    /// Proposals per chain.
    pub budget: u64,
    /// Worse strategies are accepted with the probability exp(-alpha x ms).
    pub alpha: f64,
    /// Seed of the random numbers; the result depends on it and not on the number of threads.
    pub seed: u64,
    /// Which changes are proposed.
    pub moves: Moves,
    /// What is simulated.
    pub model: SearchModel,
    /// How proposals are simulated; the result is the same.
    pub simulation: SimulationPolicy,
}

/// How a search simulates its proposals. All give the same result; the slower ones are there to measure and to test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SimulationPolicy {
    /// What changes, until it is clear that the proposal is not accepted.
    #[default]
    Delta,
    /// What changes, always to the end.
    DeltaToTheEnd,
    /// Everything.
    Full,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            budget: 0,
            alpha: 1.0,
            seed: 0,
            moves: Moves::default(),
            model: SearchModel::default(),
            simulation: SimulationPolicy::Delta,
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// The best strategy.
    pub best: Strategy,
    /// Its time in ms.
    pub best_ms: f64,
    /// Number of the start that led to it.
    pub from: usize,
    /// Iteration, current and best time in ms of that chain.
    pub log: Vec<(u64, f64, f64)>,
    /// Proposals of all chains a second.
    pub simulations_per_second: f64,
    /// No strategy takes less, in ms: that of all ways to configure the operators where these were tried, else the longest
    /// way through the graph or the even share of the work. `None` where nothing was searched, and by the rule of the 2018
    /// simulator, which pays a bonus.
    pub bound_ms: Option<f64>,
    /// All strategies were tried or ruled out: the best one is the best there is.
    pub is_proven: bool,
    /// Trying all strategies found a better one than the chains.
    pub by_proof: bool,
}

/// The best strategy that dynamic programming over the operators finds: exact for a chain of operators whose parts all
/// end together and whose messages do not meet, and a good start otherwise. `None` for a graph without operators.
#[must_use]
pub fn best_by_dynamic_programming(
    graph: &SearchGraph,
    machine: &Interconnect,
    model: SearchModel,
) -> Option<Strategy> {
    let layout = Layout::new(graph, machine, model);
    let sync = Sync::new(graph, machine, model.training);
    let found = dynamic::strategies(&layout, &sync);
    let timed = found.into_iter().map(|strategy| {
        let ms = evaluate(graph, machine, model, &strategy).total_ms;
        (strategy, ms)
    });
    timed.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(strategy, _)| strategy)
}

/// Runs one chain from each start; the best strategy of all is kept, the first of equals. `None` without a start.
#[must_use]
pub fn search(
    graph: &SearchGraph,
    machine: &Interconnect,
    starts: &[Strategy],
    settings: SearchSettings,
) -> Option<Search> {
    let begin = Instant::now();
    let layout = Layout::new(graph, machine, settings.model);
    let sync = Sync::new(graph, machine, settings.model.training);
    let SearchSettings { budget, alpha, moves, simulation, seed, .. } = settings;
    let overlap = settings.model.overlap;
    let rules = Rules { budget, alpha, moves, overlap, simulation };
    let chains: Vec<Found> = (0..starts.len())
        .into_par_iter()
        .map(|chain| {
            run(&layout, &sync, starts[chain].clone(), rules, Rng::new(seed, chain as u64))
        })
        .collect();
    let from =
        (0..chains.len()).min_by(|&a, &b| chains[a].best_ms.total_cmp(&chains[b].best_ms))?;
    let proposals = budget as f64 * chains.len() as f64;
    let mut found = chains.into_iter().nth(from)?;
    let (mut bound_ms, mut is_proven, mut by_proof) = (None, false, false);
    if budget > 0 && !machine.links_parts() {
        let least = Least::new(&layout);
        let proof = prove(&layout, &sync, &least, found.best_ms, overlap);
        if let Some((strategy, ms)) = proof.better {
            (found.best, found.best_ms, by_proof) = (strategy, ms, true);
        }
        is_proven = proof.is_complete;
        bound_ms =
            Some(if is_proven { found.best_ms } else { least.whole_ms().min(found.best_ms) });
    }
    let seconds = begin.elapsed().as_secs_f64().max(1e-9);
    Some(Search {
        best: found.best,
        best_ms: found.best_ms,
        from,
        log: found.log,
        simulations_per_second: proposals / seconds,
        bound_ms,
        is_proven,
        by_proof,
    })
}
