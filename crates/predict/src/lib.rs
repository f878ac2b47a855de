//! What a model or a run would take elsewhere.
//!
//! [`estimate`]: operators or measured parts on another machine. [`pipeline`]: schedules of a model that is cut into
//! stages. [`search`]: which operator is split how, and runs where.
#![forbid(unsafe_code)]

pub mod estimate;
mod links;
pub mod pipeline;
pub mod search;

pub use links::{Links, NoLinks};
