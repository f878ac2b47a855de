//! Views of predictions: [`estimate`]s of models, [`pipeline`] schedules.
#![forbid(unsafe_code)]

mod axis;
pub mod estimate;
pub mod pipeline;
mod words;
