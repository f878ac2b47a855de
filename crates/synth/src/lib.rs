//! Synthetic PMU dumps: the format of sections 1 to 4 of `docs/format.md`, written instead of read.
//!
//! A dump follows from its [`Options`] alone: the same options give the same bytes, whatever the number of threads.
//! Everything is made twice: first only counted, so that the size and place of each block is known, then
//! written, each part of a file through a buffer of its own. Memory does not grow with the dump, but for 4 bytes
//! a launch and the descriptor streams of one launch of each kernel; libsophon's container alone is made in memory.
#![forbid(unsafe_code)]

mod clock;
mod cluster;
mod compiled;
mod container;
mod core;
mod core_file;
mod error;
mod fields;
mod file;
pub mod flat;
mod global;
mod kernel;
mod launch;
mod library;
mod machine;
mod monitor;
mod new_files;
mod options;
mod output;
mod pauses;
mod plan;
mod plant;
mod plant_text;
mod port;
mod record;
mod rng;
mod session;
mod streams;
mod template;
mod write;
mod writer;

pub use cluster::{
    ClusterOptions, ClusterPlant, ClusterTraffic, Moments, NoClusterPlant, Topology, write_cluster,
};
pub use compiled::{CompiledGroup, bmodel, command_files};
pub use error::{Error, Result};
pub use machine::ChipSpeeds;
pub use options::{Options, Style};
pub use pauses::PlantedPauses;
pub use plant::Plant;
pub use plant_text::NoPlant;
pub use write::{WrittenDump, generate, write};
pub use writer::Writer;

/// Names of the kernels that dumps are made of, in the order of their launches.
pub fn kernel_names() -> impl Iterator<Item = &'static str> {
    kernel::KERNELS.iter().map(|kernel| kernel.name)
}
