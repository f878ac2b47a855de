//! The parts of a chip's description.

/// One line of the chip's description, printed as `key: value` in every register text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchEntry {
    /// The key, such as `NPU Num`.
    pub key: &'static str,
    /// The value as printed.
    pub value: &'static str,
}

/// Sizes of the chip's arithmetic arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayShape {
    /// Lanes (NPUs).
    pub lanes: u32,
    /// 1-byte elements that a lane's vector unit takes a cycle.
    pub vector_base: u32,
    /// 1-byte input channels that a lane's cube takes a cycle.
    pub cube_base: u32,
}
