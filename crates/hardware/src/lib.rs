//! A machine: peaks by data type, memories, links, energies, topology.
//!
//! Two views of hardware, one source of facts:
//! [`Hardware`] holds the greatest rates of one core of one of our chips, from the chip facts and
//! the overrides of `--hw`: the roofs that reports and pictures compare a measured run with.
//! [`Machine`] is a whole machine, ours or another: what models are estimated on. It comes from a
//! preset, from a file ([`Machine::parse`]) or from a [`Hardware`].
//! This crate knows nothing of commands or time.
#![forbid(unsafe_code)]

mod data_type;
mod file;
mod keys;
mod machine;
mod presets;
mod roofs;
mod topology;

pub use data_type::{DataType, UnknownDataType};
pub use file::FileError;
pub use machine::{ElementTimes, Link, Machine, PeakSource};
pub use presets::{PresetSet, nearest_preset, preset, presets};
pub use roofs::{Hardware, Overrides};
pub use topology::{Hop, LinkRate, Topology};
