//! Times as the PMU counts them.

use bigtpu_chip::{Chip, Engine};

/// The counters of a core or port: how far they were when the session's time was 0, and how fast they go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// In ps.
    ahead: u64,
    tiu_mhz: u64,
    dma_mhz: u64,
}

/// ps in a us: cycles are `ps * MHz / PS_PER_US`.
const PS_PER_US: u64 = 1_000_000;

impl Clock {
    /// The clock of a core that started `ahead` ps before the session's time 0.
    pub(crate) fn new(chip: &Chip, tiu_mhz: u64, ahead: u64) -> Self {
        let dma_mhz = chip.arch_number("DMA Frequency(MHz)").map_or(1000, |mhz| mhz as u64);
        Self { ahead, tiu_mhz, dma_mhz }
    }

    /// Returns this clock, started `ahead` ps before the session's time 0.
    pub(crate) fn started(self, ahead: u64) -> Self {
        Self { ahead, ..self }
    }

    /// A time of the session in cycles of an engine's counter, modulo 2^32.
    pub(crate) fn cycles(&self, engine: Engine, ps: u64) -> u32 {
        let mhz = if engine == Engine::Tiu { self.tiu_mhz } else { self.dma_mhz };
        let time = u128::from(self.ahead) + u128::from(ps);
        (time * u128::from(mhz) / u128::from(PS_PER_US)) as u32
    }

    /// The time at which the TIU's counter runs over, in ps.
    pub(crate) fn turn(&self) -> u64 {
        ((1 << 32) * PS_PER_US).div_ceil(self.tiu_mhz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_count_their_own_cycles_and_run_over() {
        let clock = Clock::new(Chip::find("CV84X6").unwrap(), 1400, 1_000_000);
        assert_eq!(clock.cycles(Engine::Tiu, 0), 1400);
        assert_eq!(clock.cycles(Engine::Gdma, 1_000_000), 2400);
        assert_eq!(clock.cycles(Engine::Tiu, clock.turn()), 1400);
    }
}
