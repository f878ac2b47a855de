//! The shape of `crates/chip/data/*.json`.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Facts of a chip.
#[derive(Debug, Deserialize)]
pub(super) struct ChipData {
    pub(super) chip: String,
    pub(super) family: String,
    pub(super) array: ArrayShape,
    pub(super) aliases: Vec<String>,
    pub(super) arch_values: Vec<u64>,
    pub(super) core_num: u32,
    pub(super) cdma_ports: u32,
    pub(super) profile_init_cmd_num: usize,
    pub(super) sys_code: SystemCodes,
    pub(super) align_on_leading_sys_wait: bool,
    pub(super) tiu_pmu_edge_trim: usize,
    pub(super) des_pair_by_id_fallback: bool,
    pub(super) command_id_wrap_max: Option<u32>,
    pub(super) tiu_wrap_command: Option<(u8, u8)>,
    pub(super) dma_wrap_command: Option<(u8, u8)>,
    pub(super) arch: Map<String, Value>,
    pub(super) timing: TimingData,
    pub(super) engines: Map<String, Value>,
    pub(super) data_types: Map<String, Value>,
    pub(super) tiu_ops: Vec<OpData>,
    pub(super) dma_ops: Vec<OpData>,
    pub(super) cdma_ops: Vec<OpData>,
    pub(super) registers: Map<String, Value>,
    pub(super) dma_names: Map<String, Value>,
    pub(super) cdma_names: Map<String, Value>,
    pub(super) pmu_record_bytes: RecordBytes,
    #[serde(default)]
    pub(super) rvt_names: Option<RvtData>,
}

/// Sizes of the arithmetic arrays.
#[derive(Debug, Deserialize)]
pub(super) struct ArrayShape {
    pub(super) lanes: u32,
    pub(super) vector_base: u32,
    pub(super) cube_base: u32,
}

/// Types of the engines' system commands.
#[derive(Debug, Deserialize)]
pub(super) struct SystemCodes {
    pub(super) tiu: u8,
    pub(super) dma: u8,
    pub(super) cdma: u8,
}

/// Bytes of a record.
#[derive(Debug, Deserialize)]
pub(super) struct RecordBytes {
    pub(super) tiu: usize,
    pub(super) dma: usize,
}

/// An operation of an engine.
#[derive(Debug, Deserialize)]
pub(super) struct OpData {
    pub(super) name: String,
    pub(super) opcode: u8,
    pub(super) short: Option<bool>,
    pub(super) variants: Map<String, Value>,
}

/// A command's register: fields as name, first bit, width.
#[derive(Debug, Deserialize)]
pub(super) struct RegisterData {
    pub(super) bits: u32,
    pub(super) fields: Vec<(String, u16, u8)>,
}

/// Names of RVT nodes with generator indices.
#[derive(Debug, Deserialize)]
pub(super) struct RvtData {
    pub(super) functions: Map<String, Value>,
    pub(super) variants: Map<String, Value>,
}

/// How long commands take. A constant is a value and where it is from.
#[derive(Debug, Deserialize)]
pub(super) struct TimingData {
    pub(super) tiu: Map<String, Value>,
    pub(super) dma: DmaTimingData,
    pub(super) pauses_ns: Map<String, Value>,
    /// Operations of each grade, and their data types.
    pub(super) checked: Map<String, Value>,
}

/// Constants of the DMA engines.
#[derive(Debug, Deserialize)]
pub(super) struct DmaTimingData {
    pub(super) bus_bytes: Value,
    pub(super) system_cycles: Value,
    pub(super) first_from_ddr: Value,
    pub(super) sharing: Value,
    /// Constants of the transfers in each direction.
    pub(super) transfers: Map<String, Value>,
}
