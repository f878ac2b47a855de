//! How many cycles a command takes, from its fields alone: without records, and without what runs beside it.
//!
//! A [`CostModel`] is a chip's constants; [`CostModel::cost`] says what a command takes, how well the rule is known
//! ([`Mark`]) and what the time consists of ([`TimePart`]). The rules were found in dumps of real hardware;
//! `docs/prediction/simulate.md` has them with their errors.
//!
//! Cycles are counted in thousandths, and all numbers are whole: a command's cost is the same on every machine.
#![forbid(unsafe_code)]

mod convolution;
mod cost;
mod elementwise;
mod file;
mod layout;
mod mark;
mod model;
mod other;
mod part;
mod pieces;
mod pooling;
mod shape;
mod tiu;
mod transfer;
mod window;

pub use cost::CommandCost;
pub use file::NoModel;
pub use layout::{Filter, OperandLayout, PackedConvolution};
pub use mark::Mark;
pub use model::{CostModel, TransferConstants};
pub use part::{PartTimes, TimePart};
pub use shape::data_type;
pub use transfer::{MemoryRoute, TransferShape};
pub use window::Windows;

/// Thousandths of a cycle.
pub type MilliCycles = i64;

/// No command takes longer than this many cycles (18 minutes at 1 GHz): fields of arbitrary bits give no more.
pub(crate) const LONGEST: u128 = 1 << 40;

/// A number of cycles in thousandths, at most [`LONGEST`].
pub(crate) fn milli(cycles: u128) -> MilliCycles {
    (cycles.min(LONGEST) * 1000) as MilliCycles
}
