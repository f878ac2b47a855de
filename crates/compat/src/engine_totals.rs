//! Totals of one engine's events, as its sheet of the workbook shows them (section 8).
//!
//! They differ from the totals of [`crate::Summary`] in what counts as work: here only waits are left
//! out, and every transfer counts, also one of 0 bytes.

use std::collections::HashMap;

use bigtpu_chip::{Chip, Engine};
use bigtpu_measure::{EngineTrack, quotient};

use crate::codes::{CDMA_TCP_WAIT, DMA_WAIT, TIU_WAIT};
use crate::summary::Moved;

/// TIU events of one function type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TypeTotals {
    /// Commands.
    pub commands: u64,
    /// Operations of the algorithm.
    pub alg_ops: i128,
    /// Operations after padding.
    pub uarch_ops: i128,
    /// Cycles of an ideal run.
    pub alg_cycles: i128,
    /// Cycles it took.
    pub cycles: i64,
}

impl TypeTotals {
    /// Operations of the algorithm over padded ones.
    #[must_use]
    pub fn uarch_rate(&self) -> f64 {
        quotient(self.alg_ops, self.uarch_ops)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.alg_ops += other.alg_ops;
        self.uarch_ops += other.uarch_ops;
        self.alg_cycles += other.alg_cycles;
        self.cycles += other.cycles;
    }
}

/// Totals of a TIU.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TiuTotals {
    /// Totals of each function type, in order of first appearance; waits count here.
    pub types: Vec<(&'static str, TypeTotals)>,
    /// All together, waits without their cycles.
    pub all: TypeTotals,
    /// Cycles of waits.
    pub wait_cycles: i64,
}

impl TiuTotals {
    /// Adds a TIU track's events up.
    #[must_use]
    pub fn add_up(chip: &Chip, track: &EngineTrack<'_>) -> Self {
        let mut totals = Self::default();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (kind, cycles) in track.event_kinds().zip(track.events.all_cycles()) {
            let event = TypeTotals {
                commands: 1,
                alg_ops: kind.cost.alg_ops,
                uarch_ops: kind.cost.uarch_ops,
                alg_cycles: kind.cost.alg_cycles,
                cycles,
            };
            let place = *places.entry(kind.function_type).or_insert(totals.types.len());
            if place == totals.types.len() {
                totals.types.push((kind.function_type, TypeTotals::default()));
            }
            if let Some((_, of_type)) = totals.types.get_mut(place) {
                of_type.add(&event);
            }
            totals.all.add(&event);
            // The codes count as they are: generator indices too.
            if chip.is_system(Engine::Tiu, kind.task) && kind.function == TIU_WAIT {
                totals.wait_cycles += cycles;
            }
        }
        totals.all.cycles -= totals.wait_cycles;
        totals
    }
}

/// Totals of a GDMA, SDMA or CDMA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DmaTotals {
    /// Cycles of all but waits.
    pub cycles: i64,
    /// Cycles of waits.
    pub wait_cycles: i64,
    /// Stall cycles of all.
    pub stall_cycles: u64,
    /// Transfers with DDR on one side.
    pub ddr: Moved,
    /// Transfers with on-chip shared memory and no DDR.
    pub l2: Moved,
}

impl DmaTotals {
    /// Adds a track's events up.
    #[must_use]
    pub fn add_up(chip: &Chip, track: &EngineTrack<'_>) -> Self {
        let engine = track.engine_id.engine;
        let is_cdma = engine == Engine::Cdma;
        let mut totals = Self::default();
        for (i, (kind, cycles)) in track.event_kinds().zip(track.events.all_cycles()).enumerate() {
            totals.stall_cycles += track.stall_cycles(i);
            // The codes count as they are: generator indices too.
            let is_system = chip.is_system(engine, kind.task);
            let waits = kind.function == DMA_WAIT || is_cdma && kind.function == CDMA_TCP_WAIT;
            if is_system && waits {
                totals.wait_cycles += cycles;
                continue;
            }
            totals.cycles += cycles;
            if is_system {
                continue;
            }
            let bytes = track.bytes(i);
            let Some(transfer) = kind.transfer else { continue };
            let side = if transfer.direction.has_ddr() {
                &mut totals.ddr
            } else if transfer.direction.has_l2() {
                &mut totals.l2
            } else {
                continue;
            };
            if !is_cdma || bytes > 0 {
                side.bytes += bytes;
                side.cycles += cycles;
            }
        }
        totals
    }

    /// All totals together, as if of one engine.
    #[must_use]
    pub fn sum(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::default(), |mut all, part| {
            all.cycles += part.cycles;
            all.wait_cycles += part.wait_cycles;
            all.stall_cycles += part.stall_cycles;
            for (to, from) in [(&mut all.ddr, part.ddr), (&mut all.l2, part.l2)] {
                to.bytes += from.bytes;
                to.cycles += from.cycles;
            }
            all
        })
    }

    /// Stall cycles over all cycles, waits too.
    #[must_use]
    pub fn stall_rate(&self) -> f64 {
        quotient(self.stall_cycles.into(), i128::from(self.cycles) + i128::from(self.wait_cycles))
    }
}

/// Mean bandwidth of what was moved in GB/s with 2 decimals; `None` where no time passed.
#[must_use]
pub fn mean_gbps(moved: &Moved, mhz: f64) -> Option<f64> {
    let ns = whole_ns(moved.cycles, mhz);
    let gbps = quotient(moved.bytes.into(), ns.into());
    (ns != 0).then(|| format!("{gbps:.2}").parse().unwrap_or(gbps))
}

/// Cycles of a clock in whole ns, cut.
pub(crate) fn whole_ns(cycles: i64, mhz: f64) -> i64 {
    (cycles as f64 / mhz * 1000.0).floor() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_bandwidth_has_two_decimals_and_needs_time() {
        let moved = |bytes, cycles| Moved { bytes, cycles };
        assert_eq!(mean_gbps(&moved(1000, 30), 1000.0), Some(33.33));
        assert_eq!(mean_gbps(&moved(0, 30), 1000.0), Some(0.0));
        assert_eq!(mean_gbps(&moved(1000, 0), 1000.0), None);
        assert_eq!(whole_ns(1, 1400.0), 0);
    }

    #[test]
    fn the_stall_rate_counts_waits() {
        let totals =
            DmaTotals { cycles: 60, wait_cycles: 40, stall_cycles: 25, ..DmaTotals::default() };
        assert_eq!(totals.stall_rate(), 0.25);
        let twice = DmaTotals::sum([totals, totals].into_iter());
        assert_eq!((twice.cycles, twice.stall_rate()), (120, 0.25));
    }
}
