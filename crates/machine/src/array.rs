//! What a core computes with: sizes of its matrix and vector units, and the memory next to them.

use bigtpu_chip::{Chip, Precision};

/// Units of one core. All cores of a machine are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Array {
    /// The chip that has these units.
    pub chip: &'static str,
    /// Channels that are worked on at once.
    pub lanes: u64,
    /// Bytes that the vector unit of a lane takes a cycle.
    pub line_bytes: u64,
    /// Input channels that the matrix unit takes a cycle, of 1-byte elements; of 2-byte elements half as many.
    pub input_channels_8bit: u64,
    /// Output positions that the matrix unit makes a cycle, of 1-byte elements.
    pub positions_8bit: u64,
    /// Output positions that the matrix unit makes a cycle, of 2-byte elements.
    pub positions_16bit: u64,
    /// Elements of 4 bytes that a lane multiplies a cycle.
    pub products_32bit: u64,
    /// Clock in MHz.
    pub mhz: f64,
    /// Bytes of a core's local memory.
    pub local_bytes: f64,
}

impl Array {
    /// Units of a chip's core at a clock in MHz.
    #[must_use]
    pub fn of_chip(chip: &'static Chip, mhz: f64) -> Self {
        let tiu = &chip.timing.tiu;
        Self {
            chip: chip.name,
            lanes: tiu.lanes.value,
            line_bytes: tiu.line_bytes.value,
            input_channels_8bit: tiu.input_channels_8bit.value,
            positions_8bit: tiu.positions_8bit.value,
            positions_16bit: tiu.positions_16bit.value,
            products_32bit: Precision::FP32.elements(chip.array.vector_base).into(),
            mhz,
            local_bytes: local_bytes(chip),
        }
    }
}

impl Array {
    /// Operations that these units do in a ns on elements of so many bits, a multiplication and an addition as two.
    #[must_use]
    pub fn operations_a_ns(&self, bits: u32) -> f64 {
        let [channels, at_once] = match bits {
            32.. => [self.products_32bit as f64, 1.0],
            16.. => [self.input_channels_8bit as f64 / 2.0, self.positions_16bit as f64],
            _ => [self.input_channels_8bit as f64, self.positions_8bit as f64],
        };
        2.0 * self.lanes as f64 * channels * at_once * self.mhz / 1e3
    }
}

/// The chip files have the memory of all lanes; that of CV84X6 has the memory of one.
fn local_bytes(chip: &Chip) -> f64 {
    let mib = chip.arch_number("TPU Lmem Size(MiB)").unwrap_or(0.0);
    let lanes = if mib < 1.0 { chip.timing.tiu.lanes.value as f64 } else { 1.0 };
    mib * lanes * f64::from(1 << 20)
}
