//! Bytes of a PMU dump become blocks and fixed records.
//!
//! This crate knows where things are in a file, and nothing of what they mean: no chip, no
//! time, no output. Records are views into mapped files (zero-copy); every error names file,
//! block and offset. Section numbers in the docs refer to `docs/format.md`.
#![deny(unsafe_code)]

mod block;
mod container;
mod dir;
mod dyn_data;
mod dyn_extra;
mod dyn_old;
mod error;
mod files;
mod global;
mod kv;
mod mapped;
mod record;
mod side_file;
mod what_is_there;

pub use block::{Block, BlockKind, Blocks, DamagedTail, UnknownBlocks, blocks};
pub use container::{CommandPlace, CoreCommands, Iteration, SubnetRun, command_file_names};
pub use dir::{
    DumpDir, GLOBAL_PROFILE, MAX_CORES, ProfileFile, find_dumps_in, find_dumps_near,
    is_compiled_model,
};
pub use dyn_data::{DynNode, NodeCut, Word, WordKind, Words};
pub use dyn_extra::{EXTRA_HEAD_BYTES, ExtraItem, ExtraItems, ExtraKind, extra_head};
pub use dyn_old::{OldItem, is_old_dyn_data, old_items};
pub use error::{Error, Result};
pub use files::{FileKind, Files, HeldFiles};
pub use global::{Global, RecordCount};
pub use kv::KvHeader;
pub use mapped::{FileAccess, FileBytes};
pub use record::{
    Bm1684xDmaRecord, CdmaRecord, Cv184xTiuRecord, DmaRecord, DmaWideRecord, PmuRecord, PortThread,
    TiuRecord, TiuWideRecord, bytes_before_zero_record, record_bytes, records,
};
pub use side_file::{
    MOST_MODEL, MOST_SETTINGS, read_found, read_found_text, read_given, read_given_text,
};
pub use zerocopy::little_endian::{U16, U32};
