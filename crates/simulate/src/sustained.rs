//! What a core's transfers from and to DDR reach in the long run: less than a single one of them.
//!
//! A transfer of 192 KiB from DDR runs at the rate of the core's port (AKS: 105 bytes a cycle, measured), more than the core's part of the
//! DDR, 68.264 GB/s by the chip's facts. An Add of 1024x1024 FP16 on a core of a BM1690 board, which moves 6 MiB, takes 115 us in one tile
//! and 121 us in 8 tiles, each with a launch of 22 us: 93 and 99 us, where its bytes take 92 us at the core's part. So the core's part is what
//! many bytes in a row get.

use bigtpu_chip::{Chip, Memory};
use bigtpu_command_cost::TransferShape;

use crate::Picoseconds;

/// Chips of the generation on which it was measured.
const CHIPS: [&str; 2] = ["AKS", "AKSV"];
/// The fact of a chip.
const FACT: &str = "DDR Max BW(GB/s/Core)";
/// What a core is ahead of its part of the DDR after the longest transfer that was seen at the rate of its port, in ps: 196 608 bytes in
/// 1.876 us, which are 2.880 us at its part.
pub(crate) const AHEAD: Picoseconds = 1_004_000;

/// A core's part of the DDR in GB/s; `None` where transfers are not known to be held to it.
pub(crate) fn gbps(chip: &Chip) -> Option<f64> {
    CHIPS.contains(&chip.name).then_some(())?;
    let fact = chip.arch.iter().find(|entry| entry.key == FACT)?;
    fact.value.parse().ok().filter(|gbps| *gbps > 0.0)
}

/// What a transfer's bytes take at a core's part of the DDR, in ps.
pub(crate) fn time(transfer: &TransferShape, gbps: f64) -> Picoseconds {
    let sides = [transfer.kind.from, Some(transfer.kind.to)];
    let of_ddr = sides.iter().filter(|side| **side == Some(Memory::Ddr)).count() as f64;
    (transfer.bytes as f64 * of_ddr * 1000.0 / gbps) as Picoseconds
}
