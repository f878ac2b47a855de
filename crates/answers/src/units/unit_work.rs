//! What the commands of a unit of work did: of a layer, a block, an operation, a step or a kernel function.

use bigtpu_measure::{quotient, ratio, round4};
use serde::{Deserialize, Serialize};

/// What the commands of a unit of work did, over all its runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(default)]
pub struct UnitWork {
    /// Events.
    pub events: u64,
    /// Start of its first command in ns; of a step its own.
    pub start_ns: i64,
    /// End of its last command in ns; of a step its own.
    pub end_ns: i64,
    /// ns from its start to its end, summed over its runs.
    pub total_ns: i64,
    /// `total_ns` over the wall time.
    pub wall_share: f64,
    /// ns of the critical path in it; `null` where the run can't be replayed.
    pub path_ns: Option<i64>,
    /// Ideal cycles of the TIU commands of which they are known; `null` without such a command.
    pub ideal_cycles: Option<u64>,
    /// Cycles that its TIU commands took.
    pub tiu_cycles: u64,
    /// Cycles that the TIU commands took of which the ideal ones are known.
    #[serde(skip)]
    pub rated_cycles: u64,
    /// Ideal cycles / cycles of these commands; `null` where the ideal ones are not known, or nothing was computed.
    pub mac_utilization: Option<f64>,
    /// ns that the bits of its commands explain, of those whose bits explain any; `null` without such a command.
    pub expected_ns: Option<i64>,
    /// ns that these commands took.
    pub explained_ns: i64,
    /// ns of commands by engine: TIU, GDMA, SDMA; system commands left out.
    pub busy_ns: [i64; 3],
    /// Requested operations, of the commands whose full bits are known.
    pub ops: u64,
    /// Operations after padding.
    pub uarch_ops: u64,
    /// Requested operations / operations after padding; `null` without operations.
    pub uarch_rate: Option<f64>,
    /// Bytes from or to DDR.
    pub ddr_bytes: u64,
    /// Bytes moved otherwise.
    pub other_bytes: u64,
    /// Commands, system commands left out.
    pub commands: u64,
}

impl UnitWork {
    /// What several units did together. `wall_ns`: the time that its share is of.
    #[must_use]
    pub fn sum<'w>(units: impl IntoIterator<Item = &'w Self>, wall_ns: i64) -> Self {
        let mut sum = Self { start_ns: i64::MAX, end_ns: i64::MIN, ..Self::default() };
        for unit in units {
            sum.events += unit.events;
            sum.commands += unit.commands;
            sum.start_ns = sum.start_ns.min(unit.start_ns);
            sum.end_ns = sum.end_ns.max(unit.end_ns);
            sum.total_ns += unit.total_ns;
            sum.path_ns = sum_of_known(sum.path_ns, unit.path_ns);
            sum.tiu_cycles += unit.tiu_cycles;
            if unit.mac_utilization.is_some() {
                sum.rated_cycles += unit.rated_cycles;
                sum.ideal_cycles = sum_of_known(sum.ideal_cycles, unit.ideal_cycles);
            }
            sum.expected_ns = sum_of_known(sum.expected_ns, unit.expected_ns);
            sum.explained_ns += unit.explained_ns;
            for (all, ns) in sum.busy_ns.iter_mut().zip(unit.busy_ns) {
                *all += ns;
            }
            sum.ops = sum.ops.saturating_add(unit.ops);
            sum.uarch_ops = sum.uarch_ops.saturating_add(unit.uarch_ops);
            sum.ddr_bytes += unit.ddr_bytes;
            sum.other_bytes += unit.other_bytes;
        }
        if sum.start_ns > sum.end_ns {
            return Self::default();
        }
        sum.wall_share = ratio(sum.total_ns, wall_ns);
        sum.uarch_rate =
            (sum.uarch_ops > 0).then(|| round4(quotient(sum.ops.into(), sum.uarch_ops.into())));
        sum.mac_utilization =
            sum.ideal_cycles.map(|ideal| round4(quotient(ideal.into(), sum.rated_cycles.into())));
        sum
    }

    /// Bytes moved.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.ddr_bytes.saturating_add(self.other_bytes)
    }

    /// ns of the commands of GDMA and SDMA.
    #[must_use]
    pub fn dma_ns(&self) -> i64 {
        let [_, gdma, sdma] = self.busy_ns;
        gdma + sdma
    }
}

/// A sum of what is known: not known where nothing is.
fn sum_of_known<T: std::ops::Add<Output = T>>(sum: Option<T>, next: Option<T>) -> Option<T> {
    match (sum, next) {
        (Some(sum), Some(next)) => Some(sum + next),
        (known, None) | (None, known) => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_the_rates_of_what_is_known() {
        let known = UnitWork {
            events: 3,
            commands: 2,
            start_ns: 10,
            end_ns: 30,
            total_ns: 20,
            ideal_cycles: Some(30),
            tiu_cycles: 50,
            rated_cycles: 40,
            mac_utilization: Some(0.75),
            busy_ns: [5, 6, 7],
            ops: 3,
            uarch_ops: 4,
            ddr_bytes: 100,
            other_bytes: 20,
            ..UnitWork::default()
        };
        // Its ideal cycles hold for none of its commands.
        let other = UnitWork {
            start_ns: 5,
            end_ns: 15,
            total_ns: 10,
            ideal_cycles: Some(900),
            tiu_cycles: 60,
            rated_cycles: 60,
            ..UnitWork::default()
        };
        let sum = UnitWork::sum([&known, &other], 60);
        assert_eq!((sum.events, sum.start_ns, sum.end_ns, sum.total_ns), (3, 5, 30, 30));
        assert_eq!(sum.tiu_cycles, 110);
        assert_eq!((sum.ideal_cycles, sum.mac_utilization), (Some(30), Some(0.75)));
        assert_eq!((sum.wall_share, sum.uarch_rate), (0.5, Some(0.75)));
        assert_eq!((sum.path_ns, sum.expected_ns), (None, None));
        assert_eq!((sum.bytes(), sum.dma_ns()), (120, 13));
        assert_eq!(UnitWork::sum([], 60), UnitWork::default());
    }
}
