//! What the join finds: times of all ranks on one time line, pairs, links, operations and states.

use crate::clocks::Clocks;
use crate::operation::Operation;
use crate::pairing::{Pairing, ThreadId, thread_of};
use crate::partners::Partners;
use crate::phases::PhaseFinder;
use crate::rank::Rank;
use crate::report::End;
use crate::speeds::Speed;
use crate::states::RankStates;

/// All that was found, before it is put into rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) ranks: Vec<Rank>,
    pub(crate) pairing: Pairing,
    pub(crate) clocks: Clocks,
    pub(crate) partners: Partners,
    /// Bytes a ns of each link: [`rates`].
    pub(crate) rates: Vec<Option<f64>>,
    /// Speed of each link.
    pub(crate) speeds: Vec<Speed>,
    pub(crate) operations: Vec<Operation>,
    /// The stretches of each link's pairs that are of operations, by their place.
    pub(crate) stretches: Vec<Vec<Stretch>>,
    pub(crate) states: Vec<RankStates>,
}

/// A stretch of a link's pairs that are of one operation: the places of its first pair and behind its last, and the number of the
/// operation.
pub(crate) type Stretch = (u32, u32, u32);

/// The stretches of the operations, by link.
pub(crate) fn stretches(operations: &[Operation], links: usize) -> Vec<Vec<Stretch>> {
    let mut of = vec![Vec::new(); links];
    for (number, operation) in (0..).zip(operations) {
        for run in &operation.runs {
            if let Some(own) = of.get_mut(run.link as usize) {
                own.push((run.at, run.at + run.pairs.count, number));
            }
        }
    }
    of.iter_mut().for_each(|own| own.sort_unstable());
    of
}

impl Found {
    pub(crate) fn number(&self, rank: usize) -> u32 {
        self.ranks.get(rank).map_or(0, |rank| rank.number)
    }

    pub(crate) fn end(&self, id: ThreadId) -> End {
        let port = thread_of(&self.ranks, id).map_or(0, |thread| thread.port);
        End { rank: self.number(id.rank), port }
    }

    /// Finds the phases of commands.
    pub(crate) fn phases(&self) -> PhaseFinder<'_> {
        PhaseFinder {
            ranks: &self.ranks,
            links: &self.pairing.links,
            clocks: &self.clocks,
            partners: &self.partners,
            rates: &self.rates,
        }
    }
}
