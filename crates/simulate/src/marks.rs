//! How well a run's predicted time is known.

use std::collections::BTreeMap;

use bigtpu_command_cost::Mark;
use bigtpu_messages::{Arg, Message, message};

use crate::program::ENGINES;
use crate::simulation::Simulation;

/// A total with more than this share of its time in commands without a checked rule is printed with the share.
pub const UNSURE_SHARE: f64 = 0.05;

/// Shares of the commands' time by mark.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// In the order of [`Mark::ALL`]; they add up to 1.
    pub shares: [f64; 4],
    /// Operations without a rule, each with its share, the greatest first.
    pub not_validated: Vec<(&'static str, f64)>,
}

impl Marks {
    /// The share of a mark.
    #[must_use]
    pub fn share(&self, mark: Mark) -> f64 {
        self.shares.get(mark as usize).copied().unwrap_or(0.0)
    }

    /// The share of commands whose rule was not checked on this chip.
    #[must_use]
    pub fn unsure(&self) -> f64 {
        self.share(Mark::Estimated) + self.share(Mark::NotValidated)
    }

    /// What has to be said beside a total; `None` if almost all of it is known.
    #[must_use]
    pub fn warning(&self) -> Option<Message> {
        let share = self.unsure();
        (share > UNSURE_SHARE).then(|| message!("note-unsure", share = Arg::Share(share)))
    }
}

impl Simulation<'_> {
    /// How well the predicted time is known.
    #[must_use]
    pub fn marks(&self) -> Marks {
        let mut sums = [0i128; 4];
        let mut operations: BTreeMap<&'static str, i128> = BTreeMap::new();
        for (core_index, core) in self.program.cores.iter().enumerate() {
            for (place, (queue, engine)) in core.queues.iter().zip(ENGINES).enumerate() {
                for (index, queued) in queue.iter().enumerate() {
                    let Some(cost) = self.cost_of(core_index, place, index) else { continue };
                    let times = self.times.get(core_index).and_then(|t| t.get(place)?.get(index));
                    let time = times.map_or(0, |(start, end)| i128::from(end - start));
                    if let Some(sum) = sums.get_mut(cost.mark as usize) {
                        *sum += time;
                    }
                    if cost.mark == Mark::NotValidated {
                        let command = self.program.command(core, engine, queued);
                        let name = command.map_or("unknown", |command| command.variant_name());
                        *operations.entry(name).or_default() += time;
                    }
                }
            }
        }
        let all = sums.iter().sum::<i128>().max(1) as f64;
        let mut not_validated: Vec<_> =
            operations.into_iter().map(|(name, time)| (name, time as f64 / all)).collect();
        not_validated.sort_by(|a, b| b.1.total_cmp(&a.1));
        Marks { shares: sums.map(|sum| sum as f64 / all), not_validated }
    }
}
