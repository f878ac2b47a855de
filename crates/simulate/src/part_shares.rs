//! What the time of all commands consists of.

use bigtpu_command_cost::TimePart;

use crate::simulation::Simulation;

/// Shares of the parts in the predicted cycles of some commands, the greatest first. A part can be negative where two
/// rules of thumb overlap; they add up to 1.
pub type PartShares = Vec<(TimePart, f64)>;

impl Simulation<'_> {
    /// What the predicted cycles of the TIU commands consist of, and those of the transfers, before transfers of several
    /// cores share the DDR.
    #[must_use]
    pub fn part_shares(&self) -> (PartShares, PartShares) {
        let mut sums = [[0i128; TimePart::ALL.len()]; 2];
        for (engine, numbers) in self.cost.iter().flat_map(|core| core.iter().enumerate()) {
            for cost in numbers.iter().filter_map(|number| self.costs.get(*number as usize)) {
                let of = if engine == 0 { 0 } else { 1 };
                if of == 1 && cost.transfer.is_none() {
                    continue;
                }
                for (part, time) in cost.parts.iter() {
                    sums[of][part as usize] += i128::from(time);
                }
            }
        }
        let [tiu, transfers] = sums.map(shares);
        (tiu, transfers)
    }
}

fn shares(sums: [i128; TimePart::ALL.len()]) -> PartShares {
    let all = sums.iter().sum::<i128>().max(1) as f64;
    let parts = TimePart::ALL.into_iter().zip(sums).filter(|(_, sum)| *sum != 0);
    let mut shares: PartShares = parts.map(|(part, sum)| (part, sum as f64 / all)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}
