//! Time, energy, power and bytes of a model on hardware that is not there.
//!
//! A model is a list of operators with shapes ([`bigtpu_model::Operator`]); a [`Job`] runs them one after the
//! other on the machines that a [`bigtpu_model::Mapping`] names and adds up what each costs. Two sets of formulas:
//! from true shapes (the default), and those of the UPMEM LLM framework
//! ([`bigtpu_model::Semantics::Upmem`]), for comparing with its figures. [`llm`] has language models.
//! Times are ns, energies pJ, bandwidths GB/s (bytes a nanosecond).

mod across;
mod bound;
mod cost;
mod error;
pub mod expected;
pub mod llm;
mod measured;
mod names;
mod notes;
mod rates;
mod result;
mod run;
mod upmem;
mod workload;

pub use across::{AcrossError, AcrossErrors, ERRORS_OF_COMMANDS, ERRORS_OF_PARTS, SpeedRatios};
pub use cost::{Cost, EnergyParts, TimeParts, TransferBytes};
pub use error::EstimateError;
pub use expected::MeasuredEvidence;
pub use measured::{estimate_measured, measured_operators};
pub use names::{context_names, mapping_names, unmatched};
pub(crate) use rates::Rates;
pub use result::{Estimate, EstimateStep, MEASURED_TARGET};
pub use run::Job;
pub use workload::Workload;
