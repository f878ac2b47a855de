//! What one execution of each part of a model costs, measured from dumps: the content of `costs.json`.
//!
//! A part is a kernel, a layer of a static model, or a scope that groups parts by name. An execution is one run of a
//! part on all cores that took part in it. [`measure`] finds the executions of one dump and what each took;
//! [`costs_of`] brings those of several dumps together. Pipelines, strategies and estimates start from the result.
//! `docs/prediction/costs.md` has the definitions, `docs/costs.schema.json` the layout.
//!
//! Times are ns, energies pJ.
#![forbid(unsafe_code)]

mod energy;
mod execution;
mod join;
mod kernels;
mod layers;
mod level;
mod measure;
mod phase;
mod scope;
mod summary;
mod work;

pub use measure::{Executions, MeasureError, measure};
pub use phase::{HostEvent, PhaseMarker};
pub use scope::{ScopeError, ScopeRule};
pub use summary::costs_of;
