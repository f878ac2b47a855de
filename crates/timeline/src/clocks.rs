//! The clocks of a dump: rates of the counters that stamp its records.

use bigtpu_chip::{ArchEntry, Chip, Engine};

use crate::dump::Dump;
use crate::profile::Options;

/// Clocks in use, in MHz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clocks {
    /// TIU.
    pub tiu_mhz: u64,
    /// GDMA, SDMA and CDMA.
    pub dma_mhz: f64,
}

impl Clocks {
    /// The clocks of a dump (section 1).
    #[must_use]
    pub fn of(dump: &Dump, options: &Options) -> Self {
        Self::of_chip(dump.chip, options.tiu_mhz.or(dump.global.tpu_freq))
    }

    /// The clocks of a chip. `tiu_mhz`: where it is known; else the chip's own.
    #[must_use]
    pub fn of_chip(chip: &Chip, tiu_mhz: Option<u64>) -> Self {
        let number = |key: &str| chip.arch_number(key).unwrap_or(1000.0);
        let tiu_mhz = tiu_mhz.unwrap_or(number("TIU Frequency(MHz)") as u64);
        let dma_mhz = if chip.engines_share_counter() {
            tiu_mhz as f64
        } else {
            number("DMA Frequency(MHz)")
        };
        Self { tiu_mhz, dma_mhz }
    }

    /// A line's value of the chip's description; of clocks, those in use.
    #[must_use]
    pub fn described(&self, entry: &ArchEntry) -> String {
        match entry.key {
            "TIU Frequency(MHz)" => self.tiu_mhz.to_string(),
            "DMA Frequency(MHz)" => self.dma_mhz.to_string(),
            _ => entry.value.to_owned(),
        }
    }

    /// Clock of an engine in MHz.
    #[must_use]
    pub fn mhz(&self, engine: Engine) -> f64 {
        if engine == Engine::Tiu { self.tiu_mhz as f64 } else { self.dma_mhz }
    }
}
