//! Parallelization strategies: which operator is split how, and runs where.
//!
//! A [`SearchGraph`] has operators with the ways to split each and what a part then costs; an [`Interconnect`](bigtpu_machine::Interconnect) has devices and
//! links; a [`Strategy`] chooses a split and devices for every operator. [`evaluate`] simulates a strategy;
//! [`search`] looks for a better one by Markov chain Monte Carlo with delta simulation.
//!
//! Times are whole picoseconds inside and milliseconds outside. The same seed gives the same result with any number
//! of threads.

mod bounds;
mod candidates;
mod chain_search;
mod delta;
mod dot;
mod dynamic;
mod error;
mod evaluate;
mod exhaustive;
mod full;
mod graph;
mod graph_json;
mod layout;
mod lower_bound;
mod options;
mod overlap;
mod proposals;
mod rng;
mod run;
mod stage_search;
mod strategies;
mod strategy_proto;
mod strategy_text;
mod sync;

pub use dot::{operator_graph_dot, task_graph_dot};
pub use error::StrategyError;
pub use evaluate::{Evaluation, evaluate, evaluate_2018};
pub use graph::{
    Config, Input, OperatorShape, OperatorSplit, SearchGraph, SearchOperator, Strategy, Weights,
};
pub use graph_json::{FileMachine, read_graph_json};
pub use layout::SearchModel;
pub use options::{Splits, build_graph};
pub use proposals::Moves;
pub use run::{Search, SearchSettings, SimulationPolicy, best_by_dynamic_programming, search};
pub use stage_search::{ChainMachine, ChainPart, ChainPlan, ChainStage, best_chain};
pub use strategies::{NamedConfig, OpName, Start, named, read_strategy, read_strategy_file, start};
pub use strategy_text::strategy_text;
