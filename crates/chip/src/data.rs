//! The shape of the data files.

use serde::Deserialize;
use serde_json::{Map, Value};

/// One line of the chip's description, printed as `key: value` in every register text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchEntry {
    /// The key, such as `NPU Num`.
    pub key: String,
    /// The value as printed.
    pub value: String,
}

/// Sizes of the chip's arithmetic arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ArrayShape {
    /// Lanes (NPUs).
    pub lanes: u32,
    /// 1-byte elements that a lane's vector unit takes a cycle.
    pub vector_base: u32,
    /// 1-byte input channels that a lane's cube takes a cycle.
    pub cube_base: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ChipData {
    pub(crate) chip: String,
    pub(crate) family: String,
    pub(crate) array: ArrayShape,
    pub(crate) aliases: Vec<String>,
    pub(crate) arch_values: Vec<u64>,
    pub(crate) core_num: u32,
    pub(crate) cdma_ports: u32,
    pub(crate) profile_init_cmd_num: usize,
    pub(crate) sys_code: SysCodeData,
    pub(crate) align_on_leading_sys_wait: bool,
    pub(crate) tiu_pmu_edge_trim: usize,
    pub(crate) des_pair_by_id_fallback: bool,
    pub(crate) command_id_wrap_max: Option<u32>,
    pub(crate) tiu_wrap_command: Option<(u8, u8)>,
    pub(crate) dma_wrap_command: Option<(u8, u8)>,
    pub(crate) arch: Map<String, Value>,
    pub(crate) engines: Map<String, Value>,
    pub(crate) data_types: Map<String, Value>,
    pub(crate) tiu_ops: Vec<OpData>,
    pub(crate) dma_ops: Vec<OpData>,
    pub(crate) cdma_ops: Vec<OpData>,
    pub(crate) registers: Map<String, Value>,
    pub(crate) dma_names: Map<String, Value>,
    pub(crate) cdma_names: Map<String, Value>,
    pub(crate) pmu_record_bytes: PmuBytes,
    #[serde(default)]
    pub(crate) rvt_names: Option<RvtData>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SysCodeData {
    pub(crate) tiu: u8,
    pub(crate) dma: u8,
    pub(crate) cdma: u8,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PmuBytes {
    pub(crate) tiu: usize,
    pub(crate) dma: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OpData {
    pub(crate) name: String,
    pub(crate) opcode: u8,
    pub(crate) short: Option<bool>,
    pub(crate) variants: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RegisterData {
    pub(crate) bits: u32,
    pub(crate) fields: Vec<(String, u16, u8)>,
}

impl RegisterData {
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct RvtData {
    pub(crate) functions: Map<String, Value>,
    pub(crate) variants: Map<String, Value>,
}

/// The compiled-in files: chip facts, and the names of type-only TIU commands that all chips share.
pub(crate) const CHIP_FILES: [&str; 4] = [
    include_str!("../data/aks.json"),
    include_str!("../data/aksv.json"),
    include_str!("../data/bm1688.json"),
    include_str!("../data/cv84x6.json"),
];
pub(crate) const TIU_NAMES: &str = include_str!("../data/tiu_names.json");
