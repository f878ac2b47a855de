//! `bigtpuprofile search`.

mod chain;
mod input;
mod output;

use anyhow::{Result, anyhow, bail};
use bigtpu_machine::Interconnect;
use bigtpu_predict::search::{
    Config, Evaluation, Graph, Model, Moves, Settings, Simulation, Start, Strategy, evaluate,
    evaluate_2018, named, read_strategy, search, start, strategy_text, task_graph_dot,
};
use bigtpu_session::write_file;

use self::input::Read;
use crate::args::search::{Args, CompatName, StartName};

/// Searches or evaluates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    if !args.alpha.is_finite() || args.alpha < 0.0 {
        bail!("--alpha {} must be a number of at least 0", args.alpha);
    }
    match input::read(args)? {
        Read::Graph(graph, machine) => Run { args, graph: *graph, machine }.run(),
        Read::Chain(parts, machine) => chain::run(args, &parts, machine),
    }
}

struct Run<'a> {
    args: &'a Args,
    graph: Graph,
    machine: Interconnect,
}

impl Run<'_> {
    fn run(&self) -> Result<()> {
        let data_parallel = start(&self.graph, &self.machine, Start::DataParallel, 0);
        if let Some(path) = &self.args.evaluate {
            let strategy = self.strategy(path, data_parallel)?;
            self.write(&strategy)?;
            return output::evaluated(self.args, &self.evaluate(&strategy));
        }
        let model_parallel = start(&self.graph, &self.machine, Start::ModelParallel, 0);
        let mut starts: Vec<(&str, Strategy)> = Vec::new();
        for name in &self.args.starts {
            starts.push(match name {
                StartName::DataParallel => (Start::DataParallel.name(), data_parallel.clone()),
                StartName::ModelParallel => (Start::ModelParallel.name(), model_parallel.clone()),
                StartName::Random => {
                    let random = start(&self.graph, &self.machine, Start::Random, self.args.seed);
                    (Start::Random.name(), random)
                }
            });
        }
        if self.args.only_data_parallel {
            starts = vec![(Start::DataParallel.name(), data_parallel.clone())];
        }
        if let Some(path) = &self.args.import {
            starts.push(("imported", self.strategy(path, data_parallel.clone())?));
        }
        let settings = Settings {
            budget: if self.args.only_data_parallel { 0 } else { self.args.budget },
            alpha: self.args.alpha,
            seed: self.args.seed,
            moves: Moves { propagation: self.args.enable_propagation },
            model: self.model(),
            simulation: Simulation::Delta,
        };
        let strategies: Vec<Strategy> =
            starts.iter().map(|(_, strategy)| strategy.clone()).collect();
        let found = search(&self.graph, &self.machine, &strategies, settings)
            .ok_or_else(|| anyhow!("no chain has a start; name one with --starts"))?;
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
        let result = output::Found {
            start_ms,
            one_device_ms,
            best: self.evaluate(&found.best),
            configs: named(&self.graph, &found.best),
            from: starts.get(found.from).map_or("", |(name, _)| name),
            search: found,
        };
        output::found(self.args, &self.graph, &result)
    }

    fn model(&self) -> Model {
        let own = self.args.compat.is_none();
        Model { training: self.args.training && own, overlap: self.args.overlap && own }
    }

    fn evaluate(&self, strategy: &Strategy) -> Evaluation {
        match self.args.compat {
            Some(CompatName::Flexflow2018) => evaluate_2018(&self.graph, &self.machine, strategy),
            None => evaluate(&self.graph, &self.machine, self.model(), strategy),
        }
    }

    /// All operators whole on the first device; `None` where one has no such option.
    fn one_device(&self) -> Option<Strategy> {
        let whole = |op: &bigtpu_predict::search::Op| {
            let option = op.options.iter().position(|split| split.parts() == 1)?;
            Some(Config { option, devices: vec![0] })
        };
        self.graph.ops.iter().map(whole).collect()
    }

    fn strategy(&self, path: &std::path::Path, base: Strategy) -> Result<Strategy> {
        let name = path.display();
        let text = input::text(path)?;
        read_strategy(&text, &self.graph, &self.machine, base)
            .map_err(|error| anyhow!("{name}: {error}"))
    }

    fn write(&self, strategy: &Strategy) -> Result<()> {
        if let Some(path) = &self.args.export {
            write_file(path, &strategy_text(&self.graph, strategy))?;
        }
        if let Some(path) = &self.args.taskgraph {
            let dot = task_graph_dot(&self.graph, &self.machine, self.model(), strategy);
            write_file(path, &dot)?;
        }
        Ok(())
    }
}
