//! What views draw besides the report: all ranks with their clocks and states, the pairs, the critical path.

use crate::clocks::RankClock;
use crate::commands::DataCommand;
use crate::found::Found;
use crate::pairing::{ThreadId, thread_of};
use crate::part::ThreadCommands;
use crate::phases::{Phases, ThreadPhases};
use crate::rank::Rank;
use crate::replay::{PathPiece, PathStep};
use crate::report::Cluster;
use crate::states::{RankStates, StateFinder, StateRun};

/// A cluster with what its views draw.
#[derive(Debug, Clone, Default)]
pub struct Joined {
    /// The report.
    pub cluster: Cluster,
    /// The chain of work and transfers that decides the end, by time.
    pub path: Vec<PathView>,
    pub(crate) found: Found,
}

/// A rank on the clock of its island.
#[derive(Debug, Clone, Copy)]
pub struct RankView<'a> {
    /// Its number and part.
    pub rank: &'a Rank,
    /// Its clock.
    pub clock: Clock,
}

/// A rank's clock against that of its island's reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Number of the island.
    pub island: usize,
    /// ns.
    pub offset_ns: f64,
    /// ppm.
    pub drift_ppm: f64,
}

impl From<&RankClock> for Clock {
    fn from(c: &RankClock) -> Self {
        Self { island: c.island, offset_ns: c.offset, drift_ppm: c.drift_ppm }
    }
}

impl Clock {
    /// ns of the island's reference at a moment of the rank's own time line.
    #[must_use]
    pub fn reference(&self, own: i64) -> f64 {
        self.offset_ns + (1.0 + self.drift_ppm * 1e-6) * own as f64
    }
}

/// A send and its receive.
#[derive(Debug, Clone, Copy)]
pub struct PairView {
    /// Index of the report's link.
    pub link: u32,
    /// Index of the report's operation.
    pub operation: Option<u32>,
    /// The send.
    pub send: PairSide,
    /// The receive.
    pub receive: PairSide,
}

/// A command of a pair.
#[derive(Debug, Clone, Copy)]
pub struct PairSide {
    /// Index of its rank.
    pub rank: u32,
    /// Index of the thread in the rank's part.
    pub thread: u32,
    /// Index of the command in the thread.
    pub command: u32,
    /// The parts of its time.
    pub phases: Phases,
}

/// The two ends of a link.
#[derive(Debug, Clone, Copy)]
pub struct LinkView {
    /// Places of the sender's rank, and of the thread in its part.
    pub from: (usize, usize),
    /// Places of the receiver's rank and thread.
    pub to: (usize, usize),
    /// Sends that have a receive.
    pub pairs: usize,
}

/// A stretch of the critical path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathView {
    /// Island.
    pub island: usize,
    /// Index of the rank; of a link that of its sender.
    pub rank: usize,
    /// Index of a link's receiver; `None`: the rank's own time.
    pub to: Option<usize>,
    /// ns of the reference.
    pub start_ns: f64,
    /// ns of the reference.
    pub end_ns: f64,
}

impl PathView {
    pub(crate) fn new(island: usize, step: &PathStep) -> Self {
        let (rank, to) = match step.piece {
            PathPiece::Own(rank) => (rank, None),
            PathPiece::Link(from, to) => (from, Some(to)),
        };
        Self { island, rank, to, start_ns: step.from, end_ns: step.to }
    }
}

impl Joined {
    /// The ranks with a dump, in the order of the report's clocks.
    pub fn ranks(&self) -> impl ExactSizeIterator<Item = RankView<'_>> + Clone {
        let clocks = self.found.clocks.ranks.iter();
        let of = |(rank, clock): (_, &RankClock)| RankView { rank, clock: clock.into() };
        self.found.ranks.iter().zip(clocks).map(of)
    }

    /// The rank at a place of this order.
    #[must_use]
    pub fn rank(&self, place: usize) -> Option<RankView<'_>> {
        let (rank, clock) = (self.found.ranks.get(place)?, self.found.clocks.ranks.get(place)?);
        Some(RankView { rank, clock: clock.into() })
    }

    /// The states of all ranks; in large clusters found again for each rank that is asked for.
    #[must_use]
    pub fn states(&self) -> AllStates<'_> {
        let finder = StateFinder::new(self.found.phases(), &self.found.operations);
        AllStates { found: &self.found.states, finder }
    }

    /// The thread of a side.
    #[must_use]
    pub fn thread(&self, side: &PairSide) -> Option<&ThreadCommands> {
        let id = ThreadId { rank: side.rank as usize, thread: side.thread as usize };
        thread_of(&self.found.ranks, id)
    }

    /// The command of a side.
    #[must_use]
    pub fn command(&self, side: &PairSide) -> Option<DataCommand> {
        self.thread(side)?.commands.get(side.command as usize)
    }

    /// How many sends have a receive.
    #[must_use]
    pub fn pair_count(&self) -> usize {
        self.found.pairing.links.iter().map(|link| link.alignment.count).sum()
    }

    /// The links, in the report's order.
    pub fn links(&self) -> impl ExactSizeIterator<Item = LinkView> {
        self.found.pairing.links.iter().map(|link| LinkView {
            from: (link.from.rank, link.from.thread),
            to: (link.to.rank, link.to.thread),
            pairs: link.alignment.count,
        })
    }

    /// Sends with their receives of a link, by time. Each is made when it is asked for.
    pub fn pairs_of(&self, link: usize) -> impl Iterator<Item = PairView> {
        let operations = self.found.stretches.get(link).map(Vec::as_slice).unwrap_or_default();
        let finder = self.found.phases();
        let side =
            |id: ThreadId, phases: &Option<ThreadPhases<'_>>, own: u32, other: u32| PairSide {
                rank: id.rank as u32,
                thread: id.thread as u32,
                command: own,
                phases: phases.as_ref().map_or_else(Phases::default, |phases| {
                    phases.phases(own as usize, Some(other as usize)).0
                }),
            };
        let of = self.found.pairing.links.get(link);
        of.into_iter().flat_map(move |of| {
            let [sends, receives] = [of.from, of.to].map(|id| finder.of_thread(id));
            (0..).zip(of.alignment.pairs()).map(move |(at, (i, j))| {
                let later = operations.partition_point(|(from, ..)| *from <= at);
                let own = later.checked_sub(1).and_then(|before| operations.get(before));
                PairView {
                    link: link as u32,
                    operation: own.filter(|(_, to, _)| at < *to).map(|(.., number)| *number),
                    send: side(of.from, &sends, i, j),
                    receive: side(of.to, &receives, j, i),
                }
            })
        })
    }

    /// Sends with their receives: by link, then by time.
    pub fn pairs(&self) -> impl Iterator<Item = PairView> {
        (0..self.found.pairing.links.len()).flat_map(|link| self.pairs_of(link))
    }
}

/// The states of all ranks.
pub struct AllStates<'a> {
    found: &'a [RankStates],
    finder: StateFinder<'a>,
}

impl AllStates<'_> {
    /// The states of the rank at a place, one after the other from the start of its window to its end.
    #[must_use]
    pub fn runs_of(&self, place: usize) -> Vec<StateRun> {
        match self.found.get(place) {
            Some(states) if !states.runs.is_empty() => states.runs.stretches(),
            _ => self.finder.states(place).runs.stretches(),
        }
    }
}
