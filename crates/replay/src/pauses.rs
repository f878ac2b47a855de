//! Shortest pauses of engines on real hardware (docs/proof/real-hardware.md).

use bigtpu_chip::{Chip, Engine, Family};

/// Shortest pauses, in ns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pauses {
    /// From a DMA command's end to the start of the next one.
    dma: i64,
    /// From a command's end to the start of a command of another engine that waited for it.
    pub(crate) hand_over: i64,
}

/// A pause of the hardware is shorter than this, in ns; what is longer is idle time of some other cause.
pub(crate) const LONGEST_PAUSE_NS: i64 = 100;

impl Pauses {
    pub(crate) fn for_chip(chip: &Chip) -> Self {
        match chip.family {
            Family::Bm1688 => Self { dma: 5, hand_over: 10 },
            Family::Bm1684x => Self { dma: 4, hand_over: 9 },
            _ => Self { dma: 2, hand_over: 9 },
        }
    }

    /// From a command's end to the start of the next one on the same engine.
    pub(crate) fn of_engine(self, engine: Engine) -> i64 {
        if engine == Engine::Tiu { 1 } else { self.dma }
    }
}
