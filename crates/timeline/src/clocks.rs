//! The clocks of a dump: rates of the counters that stamp its records.

use bigtpu_chip::{ArchEntry, Chip, Engine};

use crate::dump::Dump;
use crate::options::BuildOptions;

/// Who says how fast a clock is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockSource {
    /// `--tiu_freq`.
    Option,
    /// `tpu_freq` of the dump.
    Dump,
    /// The chip facts: the chip's usual clock.
    Chip,
}

/// Clocks in use, in MHz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clocks {
    /// TIU.
    pub tiu_mhz: u64,
    /// GDMA, SDMA and CDMA.
    pub dma_mhz: f64,
    /// Who says how fast the TIU's is.
    pub tiu_source: ClockSource,
    /// Who says how fast the others' is.
    pub dma_source: ClockSource,
}

impl Clocks {
    /// The clocks of a dump (section 1).
    #[must_use]
    pub fn read(dump: &Dump, options: &BuildOptions) -> Self {
        let given = options.tiu_mhz.map(|mhz| (mhz, ClockSource::Option));
        let said = || dump.global.tpu_freq.map(|mhz| (mhz, ClockSource::Dump));
        Self::known(dump.chip, given.or_else(said))
    }

    /// The clocks of a chip. `tiu_mhz`: where an option gives it; else the chip's own.
    #[must_use]
    pub fn of_chip(chip: &Chip, tiu_mhz: Option<u64>) -> Self {
        Self::known(chip, tiu_mhz.map(|mhz| (mhz, ClockSource::Option)))
    }

    fn known(chip: &Chip, tiu: Option<(u64, ClockSource)>) -> Self {
        let number = |key: &str| chip.arch_number(key).unwrap_or(1000.0);
        let own = || (number("TIU Frequency(MHz)") as u64, ClockSource::Chip);
        let (tiu_mhz, tiu_source) = tiu.unwrap_or_else(own);
        let (dma_mhz, dma_source) = if chip.engines_count_at_one_rate() {
            (tiu_mhz as f64, tiu_source)
        } else {
            (number("DMA Frequency(MHz)"), ClockSource::Chip)
        };
        Self { tiu_mhz, dma_mhz, tiu_source, dma_source }
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
