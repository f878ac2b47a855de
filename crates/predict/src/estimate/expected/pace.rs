//! How long a machine takes for what operators ask of it.

use bigtpu_machine::{Array, DataType, Machine};

use super::coefficients::{Coefficients, Name};
use super::demand::{Demand, Term, Width};

/// Channels at once of the smallest units that count as large ones.
const LARGE_UNITS: u64 = 64;

/// How often bytes of a term go through main memory, by the published utilization of that of BM1684X: within a factor of
/// 1.6 for 86 % of 125 rows.
const ACTIVATIONS_MOVED: f64 = 0.7;
const SPILLS_MOVED: f64 = 10.0;
const JOINS_MOVED: f64 = 0.1;

/// ns of each amount of a term on one machine, for elements of one width.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    each: [f64; Term::COUNT],
    /// ns of an execution of the model.
    start: f64,
}

/// Times of a demand by what takes them, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DemandTimes {
    /// Matrix and vector units.
    pub computing: f64,
    /// Products of matrices, included in `computing`.
    pub products: f64,
    /// Main memory.
    pub transfers: f64,
    /// Commands, and the start.
    pub commands: f64,
}

impl Pace {
    /// Pace of a machine whose units are known; `gbps` is the bandwidth of its main memory.
    #[must_use]
    pub fn new(
        array: &Array,
        cores: u32,
        gbps: f64,
        data_type: DataType,
        coefficients: &Coefficients,
    ) -> Self {
        let width = Width::from_type(data_type);
        let is_small = array.lanes < LARGE_UNITS;
        let of_small = |name: Name| if is_small { coefficients.get(name) } else { 1.0 };
        // Two cores are not twice one: a doubling has the same effect each time.
        let doublings = f64::from(cores.max(1)).log2();
        let speed_up = coefficients.get(Name::TwoCores(width)).powf(doublings);
        let cycle = 1e3 / array.mhz * of_small(Name::SmallUnits(width)) / speed_up;
        let byte = coefficients.get(Name::Transfers) * of_small(Name::SmallUnitsTransfers) / gbps;
        // Nothing is faster than all units at their clock, or than the memory's bandwidth.
        let least_cycle = 1e3 / array.mhz / f64::from(cores.max(1));
        let each = Term::ALL.map(|term| match term {
            Term::Commands => coefficients.get(Name::Command),
            Term::Weights | Term::Outside => {
                (byte * coefficients.factor(term, width)).max(gbps.recip())
            }
            _ if term.is_transfer() => byte * coefficients.factor(term, width),
            Term::Convolution | Term::Product | Term::Scores => {
                (cycle * coefficients.factor(term, width)).max(least_cycle)
            }
            _ => cycle * coefficients.factor(term, width),
        });
        Self { each, start: coefficients.get(Name::Start) }
    }

    /// Pace of a machine with the fitted coefficients; `None` where its units or its memory are not known.
    #[must_use]
    pub fn of_machine(
        machine: &Machine,
        data_type: DataType,
        coefficients: &Coefficients,
    ) -> Option<Self> {
        let gbps = machine.memory.gbps?;
        let cores = machine.cores.saturating_mul(machine.chips.max(1));
        Some(Self::new(machine.array.as_ref()?, cores, gbps, data_type, coefficients))
    }

    /// Times of a demand, without the start.
    #[must_use]
    pub fn parts(&self, demand: &Demand) -> DemandTimes {
        let mut parts = DemandTimes::default();
        for (term, each) in Term::ALL.into_iter().zip(self.each) {
            let ns = demand.amount(term) * each;
            match term {
                Term::Commands => parts.commands += ns,
                _ if term.is_transfer() => parts.transfers += ns,
                Term::Product | Term::Scores => {
                    parts.products += ns;
                    parts.computing += ns;
                }
                _ => parts.computing += ns,
            }
        }
        parts
    }

    /// Bytes of main memory that a demand moves. Fitted to the published utilization of the memory; a byte that is moved
    /// in short runs takes longer than this number says, so that it has no part in the time.
    #[must_use]
    pub fn bytes(demand: &Demand) -> f64 {
        let share = |term: Term| match term {
            Term::Activations => ACTIVATIONS_MOVED,
            Term::Spills => SPILLS_MOVED,
            Term::Joins => JOINS_MOVED,
            _ if term.is_transfer() => 1.0,
            _ => 0.0,
        };
        Term::ALL.into_iter().map(|term| demand.amount(term) * share(term)).sum()
    }

    /// ns of an execution of the model, whatever it computes.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.start
    }
}

impl DemandTimes {
    /// One after the other.
    pub fn add(&mut self, other: &Self) {
        self.computing += other.computing;
        self.products += other.products;
        self.transfers += other.transfers;
        self.commands += other.commands;
    }

    /// Time together: transfers run beside computing, as far as they find work to hide behind.
    #[must_use]
    pub fn together(&self) -> f64 {
        self.computing.hypot(self.transfers) + self.commands
    }

    /// What each ns of an operator's computing and of its transfers adds to the time of these parts together: the shares
    /// of all operators sum to it.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        let both = self.computing.hypot(self.transfers);
        let share = |part: f64| if both > 0.0 { part / both } else { 1.0 };
        Overlap { computing: share(self.computing), transfers: share(self.transfers) }
    }
}

/// How much of computing and of transfers is not hidden behind each other, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    computing: f64,
    transfers: f64,
}

impl Overlap {
    /// What an operator adds to the time of all.
    #[must_use]
    pub fn share(&self, parts: &DemandTimes) -> f64 {
        parts.computing * self.computing + parts.transfers * self.transfers + parts.commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_operators_sum_to_the_whole() {
        let operators = [(3.0, 1.0, 0.5), (0.0, 5.0, 0.5), (7.0, 0.0, 0.5)].map(
            |(computing, transfers, commands)| DemandTimes {
                computing,
                transfers,
                commands,
                products: 0.0,
            },
        );
        let mut whole = DemandTimes::default();
        operators.iter().for_each(|parts| whole.add(parts));
        let overlap = whole.overlap();
        let sum: f64 = operators.iter().map(|parts| overlap.share(parts)).sum();
        assert!((sum - whole.together()).abs() < 1e-12 && whole.together() < 10.0 + 6.0 + 1.5);
        assert_eq!(DemandTimes::default().overlap().share(&operators[0]), 4.5);
    }
}
