//! Chip facts compiled in, and what follows from a command's bits alone: its operation, fields,
//! operation counts, direction, data type and names.
//!
//! This crate knows nothing of files or time. The facts are data (`data/*.json`), compiled in as constants that
//! `cargo run -p xtask -- chips` generates: a start reads no file; the rules that
//! differ between chip families are next to each other in one place each. Section numbers in the
//! docs refer to `docs/format.md`.
#![forbid(unsafe_code)]

mod chip;
mod chip_ids;
mod compiler_names;
mod data;
mod generated;
mod mask;
mod memory;
mod message;
mod names;
mod no_such_chip;
mod ops;
mod peak;
mod port;
mod precision;
mod recogniser;
mod register;
mod stream;
mod system;
mod timing;
mod tiu_cost;
mod traffic;

pub use chip::{Chip, Engine, Family, SystemCodes, WrapCommands, chips};
pub use chip_ids::{chip_ids, put_chip_ids};
pub use data::{ArchEntry, ArrayShape};
pub use mask::{Mask, Masks, UnusedBits, push_masked};
pub use memory::{Direction, Memory};
pub use message::SyncMessage;
pub use names::Names;
pub use no_such_chip::NoSuchChip;
pub use ops::{Command, Op, OpCode, OpTable, Undecodable};
pub use peak::cube_ops_per_cycle;
pub use port::PortDirection;
pub use precision::Precision;
pub use recogniser::Recogniser;
pub use register::{Field, Register, Slot};
pub use stream::{Groups, Stream, StreamCommand, StreamEnd, walk, walk_groups};
pub use system::{SyncFunctions, SystemRole};
pub use timing::{
    Checked, Constant, ConstantSource, DmaTiming, Grade, Pauses, Timing, TiuTiming, TransferTiming,
};
pub use tiu_cost::{TiuCost, TiuFamily, ceil_div, round_up};
pub use traffic::{BusTotals, Pmu, Traffic};
