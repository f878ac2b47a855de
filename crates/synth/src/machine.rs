//! The hardware that a dump is from, where it is not the chip's own: the same run at other speeds.

use bigtpu_chip::{Chip, Memory};

use crate::PlantedPauses;

/// Speeds that replace those of the chip. All else of the run stays as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChipSpeeds {
    /// Clock of the TIU in MHz.
    pub tiu_mhz: Option<u64>,
    /// Bandwidth of off-chip memory for a core, in GB/s.
    pub ddr_gbps: Option<f64>,
    /// Bandwidth of on-chip shared memory for a core, in GB/s.
    pub l2m_gbps: Option<f64>,
    /// Bandwidth of a chip-to-chip link, in GB/s.
    pub link_gbps: Option<f64>,
    /// Shortest pause between launches in us; the others grow in proportion.
    pub launch_gap_us: f64,
    /// Pauses of engines between commands.
    pub pauses: PlantedPauses,
}

/// Bandwidth of a chip-to-chip link, in GB/s.
const LINK_GBPS: f64 = 25.0;
/// Bandwidth of off-chip memory where the chip facts show none, in GB/s.
const DDR_GBPS: f64 = 32.0;

impl Default for ChipSpeeds {
    fn default() -> Self {
        Self {
            tiu_mhz: None,
            ddr_gbps: None,
            l2m_gbps: None,
            link_gbps: None,
            launch_gap_us: 1.0,
            pauses: PlantedPauses::ROUND,
        }
    }
}

impl ChipSpeeds {
    /// Whether all speeds are possible.
    pub(crate) fn is_possible(&self) -> bool {
        let bandwidths = [self.ddr_gbps, self.l2m_gbps, self.link_gbps];
        let good = |gbps: &f64| (0.001..=1e6).contains(gbps);
        bandwidths.iter().flatten().all(good)
            && self.tiu_mhz.is_none_or(|mhz| (1..=100_000).contains(&mhz))
            && (0.0..=1e6).contains(&self.launch_gap_us)
    }

    /// Clock of the TIU in MHz.
    pub(crate) fn tiu_mhz(&self, chip: &Chip) -> u64 {
        let own = || chip.arch_number("TIU Frequency(MHz)").map_or(1000, |mhz| mhz as u64);
        self.tiu_mhz.unwrap_or_else(own)
    }

    /// Bandwidth between two memories, in bytes a us. Off-chip memory bounds whatever touches it.
    pub(crate) fn bytes_per_us(&self, chip: &Chip, sides: (Memory, Memory)) -> u64 {
        let own = chip.arch_number("DDR Max BW(GB/s/Core)").unwrap_or(DDR_GBPS);
        let is_ddr = [sides.0, sides.1].contains(&Memory::Ddr);
        in_us(if is_ddr { self.ddr_gbps } else { self.l2m_gbps }.unwrap_or(own))
    }

    /// Bandwidth of a chip-to-chip link, in bytes a us.
    pub(crate) fn link_bytes_per_us(&self) -> u64 {
        in_us(self.link_gbps.unwrap_or(LINK_GBPS))
    }
}

fn in_us(gbps: f64) -> u64 {
    ((gbps * 1000.0) as u64).max(1)
}
