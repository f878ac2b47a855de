//! How to split a model over devices.

mod chain;
mod error;
mod input;
mod json;
mod links;
mod options;
mod sentences;

use std::path::{Path, PathBuf};

use bigtpu_format::{MOST_MODEL, read_given};
use bigtpu_machine::Interconnect;
use bigtpu_messages::{Message, error_message};
use bigtpu_predict::search::{
    Evaluation, Moves, NamedConfig, Search, SearchGraph, SearchModel, SearchSettings,
    SimulationPolicy, Start, Strategy, best_by_dynamic_programming, evaluate, evaluate_2018, named,
    operator_graph_dot, read_strategy_file, search, start, strategy_text, task_graph_dot,
};

use self::input::Read;
use self::links::Planned;
use crate::Unreadable;
use crate::outputs::write_file;
use crate::sizes::Sizes;

pub use chain::ChainFound;
pub use error::{FileProblem, SearchFailure};
pub use links::{ChargedLinks, LinkSource};
pub use sentences::evaluation_table;

/// What is split, over what, and how it is searched.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// An operator graph, or a file of costs.
    pub graph: PathBuf,
    /// Nodes x devices of each, or a machine file.
    pub machine: Option<String>,
    /// First size of an ONNX model's inputs.
    pub batch: Option<u32>,
    /// What a graph leaves open.
    pub sizes: Sizes,
    /// Bandwidth of a link, in GB/s.
    pub link_gbps: Option<f64>,
    /// Latency of a link, in ns.
    pub link_latency: Option<f64>,
    /// Bytes that each measured part hands on.
    pub handed_bytes: Option<u64>,
    /// Each device: a name, or a file; else AKS.
    pub on: Option<String>,
    /// Type of elements of estimated operators; else float16.
    pub data_type: Option<String>,
    /// Proposals of a chain; else 20 000.
    pub budget: Option<u64>,
    /// Acceptance of worse strategies; else by the scale of the times.
    pub alpha: Option<f64>,
    /// Seed of the random numbers; else 1.
    pub seed: Option<u64>,
    /// Where chains start; none: from all that are not random.
    pub starts: Vec<Start>,
    /// A strategy where another chain starts.
    pub import: Option<PathBuf>,
    /// File for the best strategy.
    pub export: Option<PathBuf>,
    /// A strategy that is simulated without a search.
    pub evaluate: Option<PathBuf>,
    /// Only the batch is split.
    pub only_data_parallel: bool,
    /// Channels are split.
    pub parameter_parallel: bool,
    /// Heights of images are split.
    pub attribute_parallel: bool,
    /// Splits and devices of neighbours are copied.
    pub propagation: bool,
    /// Weights are synchronized during computation.
    pub overlap: bool,
    /// Backward passes are simulated as well.
    pub training: bool,
    /// Memory of a device, in bytes.
    pub memory: Option<u64>,
    /// Memory does not count.
    pub ignore_memory: bool,
    /// File for the best strategy's task graph.
    pub taskgraph: Option<PathBuf>,
    /// File for the graph of operators.
    pub compgraph: Option<PathBuf>,
    /// Kind of measured parts.
    pub parts: Option<String>,
    /// Phase of measured parts.
    pub phase: Option<String>,
    /// Microbatches of a measured run; else 64.
    pub microbatches: Option<u32>,
    /// Rules of FlexFlow's simulator of 2018.
    pub flexflow_2018: bool,
    /// Directory for the pictures of a chain.
    pub out: Option<PathBuf>,
}

/// Where chains start, where nothing is said.
const USUAL_STARTS: [Start; 4] =
    [Start::OneDevice, Start::DataParallel, Start::ModelParallel, Start::DynamicProgramming];

/// How much worse, as a share of the time, a strategy is that is accepted with the chance 1/e.
const WORSE_SHARE: f64 = 0.02;

impl SearchRequest {
    /// Proposals of a chain; none where only the batch is split.
    #[must_use]
    pub fn proposals(&self) -> u64 {
        if self.only_data_parallel { 0 } else { self.budget.unwrap_or(20_000) }
    }

    /// Seed of the random numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn starts(&self) -> &[Start] {
        if self.starts.is_empty() { &USUAL_STARTS } else { &self.starts }
    }
}

/// What was searched.
#[derive(Debug)]
pub enum Outcome {
    /// The best strategy for a graph.
    Found(Box<Found>),
    /// The time of a given strategy.
    Evaluated(Evaluation),
    /// The best stages of a chain.
    Chain(ChainFound),
}

/// A search with what is said about it.
#[derive(Debug)]
pub struct Found {
    /// The graph.
    pub graph: SearchGraph,
    /// Time of each start, in ms.
    pub start_ms: Vec<(&'static str, f64)>,
    /// The best strategy's times.
    pub best: Evaluation,
    /// The best strategy.
    pub configs: Vec<NamedConfig>,
    /// Name of the start that led to it.
    pub from: &'static str,
    /// How it was found.
    pub search: Search,
    /// What the reader of the graph assumed.
    pub notes: Vec<Message>,
    /// The links that were charged, where all devices have the same; of a machine file, the slowest.
    pub links: Option<ChargedLinks>,
}

/// Searches or evaluates, and writes.
///
/// # Errors
/// [`SearchFailure`] when a file can't be read or written, or the machine is not known.
pub fn find(request: &SearchRequest) -> Result<Outcome, SearchFailure> {
    if let Some(alpha) = request.alpha.filter(|alpha| !alpha.is_finite() || *alpha < 0.0) {
        return Err(SearchFailure::Alpha(alpha));
    }
    match input::read(request)? {
        Read::Graph(graph, Planned { machine, links }, notes) => {
            Run { request, graph: *graph, machine, links, notes }.run()
        }
        Read::Chain(parts, planned) => Ok(Outcome::Chain(chain::run(request, &parts, &planned)?)),
    }
}

struct Run<'a> {
    request: &'a SearchRequest,
    graph: SearchGraph,
    machine: Interconnect,
    links: Option<ChargedLinks>,
    notes: Vec<Message>,
}

impl Run<'_> {
    fn run(self) -> Result<Outcome, SearchFailure> {
        let data_parallel = self.start(Start::DataParallel);
        if let Some(path) = &self.request.evaluate {
            let strategy = self.strategy(path, data_parallel)?;
            self.write(&strategy)?;
            return Ok(Outcome::Evaluated(self.evaluate(&strategy)));
        }
        let walks = self.request.proposals() > 0;
        // The rows of the table: nothing that is found may be worse than one of them.
        let mut rows: Vec<(&'static str, Strategy)> = Vec::new();
        for kind in [Start::OneDevice, Start::DataParallel, Start::ModelParallel] {
            rows.push((kind.name(), self.start(kind)));
        }
        if walks {
            rows.push((Start::DynamicProgramming.name(), self.start(Start::DynamicProgramming)));
        }
        let asked = self.request.starts();
        if asked.contains(&Start::Random) {
            rows.push((Start::Random.name(), self.start(Start::Random)));
        }
        let mut starts: Vec<(&'static str, Strategy)> = rows
            .iter()
            .filter(|(name, _)| asked.iter().any(|kind| kind.name() == *name))
            .cloned()
            .collect();
        if self.request.only_data_parallel {
            starts = vec![(Start::DataParallel.name(), data_parallel.clone())];
        }
        if let Some(path) = &self.request.import {
            let imported = ("imported", self.strategy(path, data_parallel)?);
            rows.push(imported.clone());
            starts.push(imported);
        }
        let timed: Vec<(&'static str, f64)> =
            rows.iter().map(|(name, strategy)| (*name, self.evaluate(strategy).total_ms)).collect();
        let settings = SearchSettings {
            budget: self.request.proposals(),
            alpha: self.alpha(&timed),
            seed: self.request.seed(),
            moves: Moves { propagation: self.request.propagation },
            model: self.model(),
            simulation: SimulationPolicy::Delta,
        };
        let strategies: Vec<Strategy> =
            starts.iter().map(|(_, strategy)| strategy.clone()).collect();
        let mut found = search(&self.graph, &self.machine, &strategies, settings)
            .ok_or(SearchFailure::NoStart)?;
        let mut from = starts.get(found.from).map_or("", |(name, _)| *name);
        if found.by_proof {
            from = "all strategies";
        }
        // A start that no chain began from may be better than what the others led to.
        let unwalked = rows.iter().zip(&timed).filter(|_| walks);
        if let Some(((name, strategy), (_, ms))) = unwalked.min_by(|a, b| a.1.1.total_cmp(&b.1.1))
            && *ms < found.best_ms
        {
            (found.best, found.best_ms, from) = (strategy.clone(), *ms, name);
        }
        self.write(&found.best)?;
        let found = Found {
            start_ms: timed,
            best: self.evaluate(&found.best),
            configs: named(&self.graph, &found.best),
            from,
            search: found,
            links: self.links,
            notes: self.notes,
            graph: self.graph,
        };
        Ok(Outcome::Found(Box::new(found)))
    }

    /// A strategy to start from.
    fn start(&self, kind: Start) -> Strategy {
        let Self { graph, machine, .. } = self;
        match kind {
            Start::DynamicProgramming => {
                let best = best_by_dynamic_programming(graph, machine, self.model());
                best.unwrap_or_else(|| start(graph, machine, Start::DataParallel, 0))
            }
            kind => start(graph, machine, kind, self.request.seed()),
        }
    }

    /// How seldom what is worse is accepted: as asked for, else by the scale of the times, so that a strategy that is 2 %
    /// slower is accepted with the chance 1/e. The simulator of 2018 counts in ms.
    fn alpha(&self, timed: &[(&'static str, f64)]) -> f64 {
        let best = timed.iter().map(|(_, ms)| *ms).fold(f64::INFINITY, f64::min);
        let usual = if self.request.flexflow_2018 || best <= 0.0 || !best.is_finite() {
            1.0
        } else {
            1.0 / (WORSE_SHARE * best)
        };
        self.request.alpha.unwrap_or(usual)
    }

    fn model(&self) -> SearchModel {
        let own = !self.request.flexflow_2018;
        SearchModel { training: self.request.training && own, overlap: self.request.overlap && own }
    }

    fn evaluate(&self, strategy: &Strategy) -> Evaluation {
        match self.request.flexflow_2018 {
            true => evaluate_2018(&self.graph, &self.machine, strategy),
            false => evaluate(&self.graph, &self.machine, self.model(), strategy),
        }
    }

    fn strategy(&self, path: &Path, base: Strategy) -> Result<Strategy, SearchFailure> {
        let bytes = read_given(path, MOST_MODEL)
            .map_err(Unreadable::from_io(path, error_message!("problem-check-path")))?;
        read_strategy_file(&bytes, &self.graph, &self.machine, base)
            .map_err(SearchFailure::file(path))
    }

    fn write(&self, strategy: &Strategy) -> Result<(), SearchFailure> {
        if let Some(path) = &self.request.export {
            write_file(path, &strategy_text(&self.graph, strategy))?;
        }
        if let Some(path) = &self.request.taskgraph {
            let dot = task_graph_dot(&self.graph, &self.machine, self.model(), strategy);
            write_file(path, &dot)?;
        }
        if let Some(path) = &self.request.compgraph {
            write_file(path, &operator_graph_dot(&self.graph))?;
        }
        Ok(())
    }
}
