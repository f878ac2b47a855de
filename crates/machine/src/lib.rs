//! A machine: peaks by data type, memories, links, energies.
//!
//! Two views of hardware, one source of facts:
//! [`Hardware`] holds the greatest rates of one core of one of our chips, from the chip facts and
//! the overrides of `--hw`: the roofs that reports and pictures compare a measured run with.
//! [`Machine`] is a whole machine, ours or another: what models are estimated on. It comes from a
//! preset, from a file ([`Machine::parse`]) or from a [`Hardware`].
//! An [`Interconnect`] has devices and the links that messages between them take.
//! This crate knows nothing of commands or time.
#![forbid(unsafe_code)]

mod array;
mod cores;
mod data_type;
mod file;
mod interconnect;
mod interconnect_error;
mod keys;
mod machine;
mod presets;
mod resolve;
mod roof_source;
mod roofs;
pub mod yaml;

pub use array::Array;
pub use cores::CoresError;
pub use data_type::{DataType, UnknownDataType};
pub use file::FileError;
pub use interconnect::{Hop, Interconnect, MOST_DEVICES, read_machine_file};
pub use interconnect_error::InterconnectError;
pub use machine::{ElementTimes, Link, Machine, PeakSource};
pub use presets::{PresetSet, nearest_preset, preset, presets};
pub use resolve::{ResolveError, resolve, resolve_all_for, resolve_for, resolve_one};
pub use roof_source::{Roof, RoofAccess, RoofScope, RoofSource};
pub use roofs::{Hardware, Overrides};
