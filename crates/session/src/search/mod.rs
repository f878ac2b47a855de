//! How to split a model over devices.

mod chain;
mod error;
mod input;
mod json;
mod links;
mod options;
mod sentences;

use std::path::{Path, PathBuf};

use bigtpu_machine::Interconnect;
use bigtpu_predict::search::{
    Config, Evaluation, Graph, Model, Moves, NamedConfig, Op, Search, Settings, Simulation, Start,
    Strategy, evaluate, evaluate_2018, named, read_strategy, search, start, strategy_text,
    task_graph_dot,
};

use self::input::Read;
use self::links::Planned;
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
    /// Acceptance of worse strategies; else 1.
    pub alpha: Option<f64>,
    /// Seed of the random numbers; else 1.
    pub seed: Option<u64>,
    /// Where chains start; none: data- and model-parallel.
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

    fn alpha(&self) -> f64 {
        self.alpha.unwrap_or(1.0)
    }

    fn starts(&self) -> &[Start] {
        if self.starts.is_empty() {
            &[Start::DataParallel, Start::ModelParallel]
        } else {
            &self.starts
        }
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
    pub graph: Graph,
    /// Time of each start, in ms.
    pub start_ms: Vec<(&'static str, f64)>,
    /// Everything on one device.
    pub one_device_ms: Option<f64>,
    /// The best strategy's times.
    pub best: Evaluation,
    /// The best strategy.
    pub configs: Vec<NamedConfig>,
    /// Name of the start that led to it.
    pub from: &'static str,
    /// How it was found.
    pub search: Search,
    /// The links that were charged, where all devices have the same; of a machine file, the slowest.
    pub links: Option<ChargedLinks>,
}

/// Searches or evaluates, and writes.
///
/// # Errors
/// [`SearchFailure`] when a file can't be read or written, or the machine is not known.
pub fn find(request: &SearchRequest) -> Result<Outcome, SearchFailure> {
    if !request.alpha().is_finite() || request.alpha() < 0.0 {
        return Err(SearchFailure::Alpha(request.alpha()));
    }
    match input::read(request)? {
        Read::Graph(graph, Planned { machine, links }) => {
            Run { request, graph: *graph, machine, links }.run()
        }
        Read::Chain(parts, planned) => Ok(Outcome::Chain(chain::run(request, &parts, &planned)?)),
    }
}

struct Run<'a> {
    request: &'a SearchRequest,
    graph: Graph,
    machine: Interconnect,
    links: Option<ChargedLinks>,
}

impl Run<'_> {
    fn run(self) -> Result<Outcome, SearchFailure> {
        let data_parallel = start(&self.graph, &self.machine, Start::DataParallel, 0);
        if let Some(path) = &self.request.evaluate {
            let strategy = self.strategy(path, data_parallel)?;
            self.write(&strategy)?;
            return Ok(Outcome::Evaluated(self.evaluate(&strategy)));
        }
        let model_parallel = start(&self.graph, &self.machine, Start::ModelParallel, 0);
        let mut starts: Vec<(&'static str, Strategy)> = Vec::new();
        for &kind in self.request.starts() {
            let strategy = match kind {
                Start::DataParallel => data_parallel.clone(),
                Start::ModelParallel => model_parallel.clone(),
                Start::Random => start(&self.graph, &self.machine, kind, self.request.seed()),
            };
            starts.push((kind.name(), strategy));
        }
        if self.request.only_data_parallel {
            starts = vec![(Start::DataParallel.name(), data_parallel.clone())];
        }
        if let Some(path) = &self.request.import {
            starts.push(("imported", self.strategy(path, data_parallel.clone())?));
        }
        let settings = Settings {
            budget: self.request.proposals(),
            alpha: self.request.alpha(),
            seed: self.request.seed(),
            moves: Moves { propagation: self.request.propagation },
            model: self.model(),
            simulation: Simulation::Delta,
        };
        let strategies: Vec<Strategy> =
            starts.iter().map(|(_, strategy)| strategy.clone()).collect();
        let found = search(&self.graph, &self.machine, &strategies, settings)
            .ok_or(SearchFailure::NoStart)?;
        self.write(&found.best)?;
        let of_start = |strategy: &Strategy| self.evaluate(strategy).total_ms;
        let mut start_ms = vec![
            ("data_parallel", of_start(&data_parallel)),
            ("model_parallel", of_start(&model_parallel)),
        ];
        for (name, strategy) in &starts {
            if matches!(*name, "random" | "imported") {
                start_ms.push((name, of_start(strategy)));
            }
        }
        let one_device_ms = self.one_device().map(|strategy| of_start(&strategy));
        let found = Found {
            start_ms,
            one_device_ms,
            best: self.evaluate(&found.best),
            configs: named(&self.graph, &found.best),
            from: starts.get(found.from).map_or("", |(name, _)| name),
            search: found,
            links: self.links,
            graph: self.graph,
        };
        Ok(Outcome::Found(Box::new(found)))
    }

    fn model(&self) -> Model {
        let own = !self.request.flexflow_2018;
        Model { training: self.request.training && own, overlap: self.request.overlap && own }
    }

    fn evaluate(&self, strategy: &Strategy) -> Evaluation {
        match self.request.flexflow_2018 {
            true => evaluate_2018(&self.graph, &self.machine, strategy),
            false => evaluate(&self.graph, &self.machine, self.model(), strategy),
        }
    }

    /// All operators whole on the first device; `None` where one has no such option.
    fn one_device(&self) -> Option<Strategy> {
        let whole = |op: &Op| {
            let option = op.options.iter().position(|split| split.parts() == 1)?;
            Some(Config { option, devices: vec![0] })
        };
        self.graph.ops.iter().map(whole).collect()
    }

    fn strategy(&self, path: &Path, base: Strategy) -> Result<Strategy, SearchFailure> {
        let text = input::text(path)?;
        read_strategy(&text, &self.graph, &self.machine, base).map_err(SearchFailure::file(path))
    }

    fn write(&self, strategy: &Strategy) -> Result<(), SearchFailure> {
        if let Some(path) = &self.request.export {
            write_file(path, &strategy_text(&self.graph, strategy))?;
        }
        if let Some(path) = &self.request.taskgraph {
            let dot = task_graph_dot(&self.graph, &self.machine, self.model(), strategy);
            write_file(path, &dot)?;
        }
        Ok(())
    }
}
