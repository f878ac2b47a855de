//! Pipeline schedules: what runs when on the stages of a pipeline-parallel model.
//!
//! A [`Plan`] names a [`Schedule`], sizes and costs; [`Plan::simulate`] gives a [`Timeline`], which knows its makespan,
//! bubble, activations and memory. [`EventGraph`] is for pipelines that no schedule describes: graphs are built, filtered,
//! merged with further edges, and simulated.
//!
//! Times are whole numbers in whatever unit the costs have. Everything is deterministic.
//!
//! ```
//! use bigtpu_predict::pipeline::{Cost, Plan, Schedule};
//!
//! let cost = Cost::new(1315, 2733, 0);
//! let plan = Plan::uniform(Schedule::OneForwardOneBackward, 4, 8, cost);
//! let timeline = plan.simulate()?;
//! assert_eq!(timeline.makespan(), (8 + 4 - 1) * (1315 + 2733));
//! assert_eq!(timeline.peak_activations(), [4, 3, 2, 1]);
//! # Ok::<(), bigtpu_predict::pipeline::PipelineError>(())
//! ```

mod chain;
mod compat;
mod cost;
mod critical_path;
mod error;
mod event;
mod graph;
mod graph_file;
mod greedy;
mod layout;
mod link;
mod measured_chain;
mod memory;
mod offload;
mod order;
mod plan;
mod plan_file;
mod report;
mod schedule;
mod stage_policy;
mod tasks;
mod timeline;
mod torch;

pub use chain::{ModelPart, best_cut, stage_costs};
pub use compat::{boundary_edges, perflow_graph};
pub use cost::{ChunkCosts, Cost, CostPer};
pub use critical_path::{PathStep, critical_path};
pub use error::PipelineError;
pub use event::{Event, Phase};
pub use graph::{EventEdge, EventGraph};
pub use graph_file::{graph_json, read_graph};
pub use layout::{Layout, Way};
pub use link::{Sent, Transfers};
pub use measured_chain::{chain as chain_of, role_cost};
pub use memory::{MemoryCurve, StageMemory, memory_curves};
pub use offload::{Away, offloaded};
pub use order::PhaseSet;
pub use plan::{PipelineRules, Plan, StageCosts};
pub use plan_file::{PlanFileError, plan_options, stage_range};
pub use report::PipelineReport;
pub use schedule::Schedule;
pub use stage_policy::StagePolicy;
pub use timeline::{Placed, Timeline};
pub use torch::{
    TorchError, TorchStep, TorchSteps, measured_timeline, median_costs, read_torch_steps,
    recorded_schedule,
};
