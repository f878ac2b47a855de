//! Time, energy, power and bytes of a model on hardware that is not there.
//!
//! A model is a list of operators with shapes ([`Operator`]); a [`Job`] runs them one after the
//! other on the machines that a [`Mapping`] names and adds up what each costs. Two sets of formulas:
//! from true shapes (the default), and those of the UPMEM LLM framework
//! ([`Semantics::Upmem`]), for comparing with its figures.
//! Times are ns, energies pJ, bandwidths GB/s (bytes a nanosecond).
#![forbid(unsafe_code)]

mod check;
mod cost;
mod error;
mod formulas;
mod graph;
mod mapping;
mod measured;
mod notes;
mod op_list;
mod operator;
mod result;
mod run;
mod settings;
mod torch;
mod upmem;
mod workload;

pub use cost::{Cost, EnergyParts, TimeParts, TransferBytes};
pub use error::EstimateError;
pub use graph::operators as graph_operators;
pub use mapping::{HOST, Mapping, Target};
pub use measured::{MeasuredPart, SpeedRatios, estimate_measured, measured_operators};
pub use op_list::{Model, read as read_op_list};
pub use operator::{Kind, Operator, Phase, Shape, elements};
pub use result::{Estimate, Step, Totals};
pub use run::Job;
pub use settings::{Attention, Experts, Semantics, Settings};
pub use torch::read as read_torch_trace;
pub use workload::Workload;
