//! How long commands take: the constants of the rules in the crate `command-cost`, each with where it is from.
//!
//! Thousandths are whole numbers (`_milli`), so that predicted times are the same on every machine.

use crate::memory::Memory;

/// Where a constant is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantSource {
    /// Records of this chip's hardware.
    Measured,
    /// The chip's own description.
    ChipFile,
    /// Records of another chip: this one was never measured.
    OtherChip,
}

/// A constant and where it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant<T> {
    /// The constant.
    pub value: T,
    /// Where it is from.
    pub source: ConstantSource,
}

pub(crate) const fn measured<T: Copy>(value: T) -> Constant<T> {
    Constant { value, source: ConstantSource::Measured }
}

pub(crate) const fn chip_file<T: Copy>(value: T) -> Constant<T> {
    Constant { value, source: ConstantSource::ChipFile }
}

pub(crate) const fn other_chip<T: Copy>(value: T) -> Constant<T> {
    Constant { value, source: ConstantSource::OtherChip }
}

/// Sizes and start-up times of the TIU, in cycles and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TiuTiming {
    /// Channels that are worked on at once.
    pub lanes: Constant<u64>,
    /// Bytes that a lane handles in a cycle.
    pub line_bytes: Constant<u64>,
    /// Input channels that the matrix unit takes in a cycle, of 1-byte elements; of 2-byte elements half as many.
    pub input_channels_8bit: Constant<u64>,
    /// Output positions that the matrix unit makes in a cycle, of 1-byte elements.
    pub positions_8bit: Constant<u64>,
    /// Output positions that the matrix unit makes in a cycle, of 2-byte elements.
    pub positions_16bit: Constant<u64>,
    /// Bytes of a read of local memory in pooling.
    pub pool_read_bytes: Constant<u64>,
    /// Bytes of a read of local memory in a convolution.
    pub conv_read_bytes: Constant<u64>,
    /// What was read stays usable for the next access.
    pub keeps_last_read: Constant<bool>,
    /// Strided pooling: what was read stays usable within a row of the kernel only, and saves one of more than two reads.
    pub pool_keeps_by_column: Constant<bool>,
    /// Start of a convolution.
    pub conv_start: Constant<u64>,
    /// More for each round of output channels.
    pub conv_start_per_round: Constant<u64>,
    /// Start of a depthwise convolution.
    pub depthwise_start: Constant<u64>,
    /// The adder tree of a depthwise convolution: log2 of the kernel's size is rounded up, else down.
    pub depthwise_log2_up: Constant<bool>,
    /// Start of a cast between float types.
    pub float_cast_start: Constant<u64>,
    /// Start of a broadcast to all lanes.
    pub broadcast_start: Constant<u64>,
    /// A broadcast in place: cycles for each line, and cycles more.
    pub broadcast_in_place: Constant<(i64, i64)>,
    /// A distribution of a few values over the lanes.
    pub distribute: Constant<u64>,
}

/// Cycles of a kind of transfer: `start + max(bytes / rate, least_run * runs) + run * runs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferTiming {
    /// Source; `None` is a constant (a fill).
    pub from: Option<Memory>,
    /// Destination.
    pub to: Memory,
    /// Cycles before the first byte.
    pub start: Constant<u64>,
    /// Thousandths of bytes in a cycle.
    pub rate_milli: Constant<u64>,
    /// Thousandths of cycles more for each run of bytes.
    pub run_milli: Constant<u64>,
    /// Thousandths of cycles that a run takes at least.
    pub least_run_milli: Constant<u64>,
}

/// Constants of the DMA engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DmaTiming {
    /// Bytes of a beat of the bus.
    pub bus_bytes: Constant<u64>,
    /// Cycles of a system command.
    pub system_cycles: Constant<u64>,
    /// How much longer the data of a run's first transfer from DDR takes, in thousandths.
    pub first_from_ddr_milli: Constant<u64>,
    /// How much longer data takes while another core's transfer uses the DDR, in thousandths.
    pub sharing_milli: Constant<u64>,
    /// The kinds of transfers that were measured.
    pub transfers: &'static [TransferTiming],
}

/// Pauses from the end of one command to the start of the next that waits for it, in ps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pauses {
    /// Pause of the TIU after its last command.
    pub tiu_after_tiu: Constant<i64>,
    /// Pause of the TIU after the DMA command that it depends on.
    pub tiu_after_dma: Constant<i64>,
    /// Pause of a DMA engine after its last command.
    pub dma_after_dma: Constant<i64>,
    /// Pause of a DMA engine after the TIU command that it depends on.
    pub dma_after_tiu: Constant<i64>,
}

/// How well a rule met the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// To the cycle, every time.
    Exact,
    /// With errors, or its constants are known for one shape only.
    Fitted,
}

/// An operation whose rule was compared with records of this chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Type.
    pub task: u8,
    /// Sub-type.
    pub variant: u8,
    /// Code of the data type of the first operand (of the result where there is no field of it); `None` is any.
    pub data_type: Option<u8>,
    /// How well.
    pub grade: Grade,
}

/// Everything that the time of a chip's commands depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The TIU.
    pub tiu: TiuTiming,
    /// The DMA engines.
    pub dma: DmaTiming,
    /// Pauses between commands.
    pub pauses: Pauses,
    /// TIU operations that were compared with hardware.
    pub checked: &'static [Checked],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips;

    #[test]
    fn what_was_never_measured_is_from_another_chip() {
        for chip in chips() {
            let timing = &chip.timing;
            let is_measured = timing.tiu.conv_start.source == ConstantSource::Measured;
            assert_eq!(is_measured, !matches!(chip.name, "AKSV" | "CV84X6"), "{}", chip.name);
            assert_eq!(timing.checked.is_empty(), !is_measured, "{}", chip.name);
            assert_eq!(timing.tiu.lanes.value, u64::from(chip.array.lanes), "{}", chip.name);
            for transfer in timing.dma.transfers {
                assert!(transfer.rate_milli.value > 0, "{}", chip.name);
            }
        }
    }
}
