//! A timeline as plain data: tracks in groups, lanes of slices that overlap, counters, flows. It is made once and drawn
//! by the trace and the page.
//!
//! The data types know nothing of profiles: a simulated timeline is a scene as well. Commands of a measured engine stay
//! in their profile's columns, since there may be millions; the scene says which rows are in which lane.
#![forbid(unsafe_code)]

mod counter;
mod cut;
mod gaps;
mod host_idle;
mod measured;
mod model;
mod path;
mod port_phases;
mod units;

pub use counter::{Rate, port_bandwidth, tiu_rate};
pub use cut::Cut;
pub use measured::measured;
pub use model::{
    Commands, Content, Detail, Flow, Group, Owner, Role, Sample, Scene, Slice, Slices, Track, Value,
};
