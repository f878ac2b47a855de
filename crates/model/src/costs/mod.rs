//! `costs.json`: what one execution of each part of a model costs, as `bigtpuprofile costs` writes it.
//!
//! [`Costs`] is the layout that is written, [`MeasuredRun::read`] the only reader: pipelines, plans and estimates accept
//! the same files and see the same parts.

mod error;
mod file;
mod part;
mod run;

pub use error::CostsError;
pub use file::{
    BandwidthNs, Costs, CostsPhase, DurationSpread, EnergyCost, EngineCost, LayerMemory, Part,
    PartKind, PathTimes, SCHEMA_VERSION, Source,
};
pub use part::{MeasuredPart, OUTSIDE};
pub use run::{MeasuredRun, PartChoice};
