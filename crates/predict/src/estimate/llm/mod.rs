//! Language models: time to the first token, time for each further one, memory, energy.
//!
//! The graphs of the prompt and of a token ([`bigtpu_model::llm`]) are estimated operator by operator with the formulas of
//! all models; what devices exchange takes its time on their links.

mod bound;
mod efficiency;
mod expected;
mod notes;
mod offload;
mod own_rows;
mod result;
mod run;
mod speculation;

pub use bound::{LlmBound, TimeByBound};
pub use efficiency::{Efficiencies, MeasuredKernel};
pub use expected::{PHASES, PhaseFactor};
pub use offload::Offload;
pub use own_rows::{OwnPhase, OwnPhases, OwnRow, left_out_models};
pub use result::{LlmEstimate, TokenTimes};
pub use run::{LlmJob, UnknownLink};
pub use speculation::{Draft, Speculation};
