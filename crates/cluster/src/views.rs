//! What views draw besides the report: all ranks with their clocks and states, the pairs, the critical path.

use crate::join::Found;
use crate::pairing::ThreadId;
use crate::part::{Command, Thread};
use crate::phases::{PhaseFinder, Phases};
use crate::rank::Rank;
use crate::replay::{PathPiece, PathStep};
use crate::report::Cluster;
use crate::states::Partners;

/// A cluster with what its views draw.
#[derive(Debug, Clone, Default)]
pub struct Joined {
    /// The report.
    pub cluster: Cluster,
    /// The ranks with a dump, in the order of the report's clocks.
    pub ranks: Vec<RankView>,
    /// Sends with their receives: by link, then by time.
    pub pairs: Vec<PairView>,
    /// The chain of work and transfers that decides the end, by time.
    pub path: Vec<PathView>,
}

/// A rank on the clock of its island.
#[derive(Debug, Clone)]
pub struct RankView {
    /// Its number and part.
    pub rank: Rank,
    /// Its clock.
    pub clock: Clock,
    /// Its states, one after the other from the start of its window to its end.
    pub states: Vec<StateRun>,
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

impl Clock {
    /// ns of the island's reference at a moment of the rank's own time line.
    #[must_use]
    pub fn reference(&self, own: i64) -> f64 {
        self.offset_ns + (1.0 + self.drift_ppm * 1e-6) * own as f64
    }
}

/// A stretch of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateRun {
    /// Number of the state, as [`States`](crate::States) has them.
    pub state: u8,
    /// ns of the rank's own clock.
    pub ns: u64,
}

/// A send and its receive.
#[derive(Debug, Clone, Copy)]
pub struct PairView {
    /// Index of the report's link.
    pub link: u32,
    /// Index of the report's operation.
    pub operation: Option<u32>,
    /// The send.
    pub send: Side,
    /// The receive.
    pub receive: Side,
}

/// A command of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// Index of its rank.
    pub rank: u32,
    /// Index of the thread in the rank's part.
    pub thread: u32,
    /// Index of the command in the thread.
    pub command: u32,
    /// The parts of its time.
    pub phases: Phases,
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
    pub(crate) fn of(island: usize, step: &PathStep) -> Self {
        let (rank, to) = match step.piece {
            PathPiece::Own(rank) => (rank, None),
            PathPiece::Link(from, to) => (from, Some(to)),
        };
        Self { island, rank, to, start_ns: step.from, end_ns: step.to }
    }
}

impl Joined {
    /// The thread of a side.
    #[must_use]
    pub fn thread(&self, side: &Side) -> Option<&Thread> {
        self.ranks.get(side.rank as usize)?.rank.part.threads.get(side.thread as usize)
    }

    /// The command of a side.
    #[must_use]
    pub fn command(&self, side: &Side) -> Option<&Command> {
        self.thread(side)?.commands.get(side.command as usize)
    }
}

/// The pairs of all links.
pub(crate) fn pairs(found: &Found<'_>, partners: &Partners) -> Vec<PairView> {
    let finder = PhaseFinder::of(found.ranks, &found.pairing.links, &found.clocks, partners);
    let mut operations: Vec<Vec<Option<u32>>> =
        found.pairing.links.iter().map(|l| vec![None; l.alignment.pairs.len()]).collect();
    for (number, operation) in found.operations.iter().enumerate() {
        for &(link, at) in &operation.pairs {
            let place = operations.get_mut(link as usize).and_then(|all| all.get_mut(at as usize));
            if let Some(place) = place {
                *place = Some(number as u32);
            }
        }
    }
    let side = |id: ThreadId, command: u32| Side {
        rank: id.rank as u32,
        thread: id.thread as u32,
        command,
        phases: finder.phases(id, command as usize).map_or_else(Phases::default, |(p, _)| p),
    };
    let mut pairs = Vec::new();
    for ((number, link), operations) in found.pairing.links.iter().enumerate().zip(operations) {
        for (&(i, j), operation) in link.alignment.pairs.iter().zip(operations) {
            pairs.push(PairView {
                link: number as u32,
                operation,
                send: side(link.from, i),
                receive: side(link.to, j),
            });
        }
    }
    pairs
}
