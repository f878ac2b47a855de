//! How long engines pause, and transfers wait for their first byte.

use bigtpu_chip::{Chip, Engine, Family};

/// Times in which an engine does nothing though it could, and in which a transfer moves nothing, in ps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlantedPauses {
    /// From a TIU command's end to the start of the next.
    pub tiu_ps: u64,
    /// From the end of a DMA engine's or port's command to the start of the next.
    pub dma_ps: u64,
    /// From a command's end to the start of one that waited for it.
    pub handover_ps: u64,
    /// Time of a load into local memory, or within a memory, before its first byte.
    pub load_ps: u64,
    /// Time of a store from local memory before its first byte.
    pub store_ps: u64,
}

impl PlantedPauses {
    /// Round numbers, longer than real ones: each pause is well visible.
    pub const ROUND: Self = Self {
        tiu_ps: 20_000,
        dma_ps: 20_000,
        handover_ps: 40_000,
        load_ps: 300_000,
        store_ps: 300_000,
    };

    /// Shortest pauses on real hardware, and the usual time before a transfer's first byte (docs/proof/real-hardware.md). AKSV
    /// and CV84X6, of which there are no real dumps, pause as AKS. Commands take up to a quarter longer, at random: on
    /// average, the time before the first byte is an eighth longer than here.
    #[must_use]
    pub fn measured(chip: &Chip) -> Self {
        match chip.family {
            // A TIU cycle, at 900 MHz. The dependences allow hand-overs of 0 to 20 ns: their middle.
            Family::Bm1688 => Self {
                tiu_ps: 1_112,
                dma_ps: 5_000,
                handover_ps: 10_000,
                load_ps: 235_000,
                store_ps: 110_000,
            },
            _ => Self {
                tiu_ps: 1_000,
                dma_ps: 2_000,
                handover_ps: 9_000,
                load_ps: 300_000,
                store_ps: 135_000,
            },
        }
    }

    /// From a command's end to the next one's start on the same engine.
    pub(crate) fn of_engine(self, engine: Engine) -> u64 {
        if engine == Engine::Tiu { self.tiu_ps } else { self.dma_ps }
    }
}
