//! The joint replay: all ranks' commands with what each waited for, run again with other times.
//!
//! A command starts when the last command of its rank that ended before it has ended and the rank's own work since then
//! is done, and not before its own thread is free. A send's data move when its start-up is done and the peer's credit
//! has arrived; a receive follows its send. Of two causes the later one bound: its lag is the measured one, that of the
//! other the smallest of the link.
//!
//! Nothing is kept of a command that has ended: all changes that are asked for run at once, in one pass over the starts
//! and ends of all commands by measured time.

mod changes;
mod local;
mod pass;
mod path;
mod thread;
mod transfer;

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::join::Found;
pub(crate) use changes::Changes;
use changes::Factors;
use local::Local;
pub(crate) use path::{PathPiece, PathStep};
use transfer::Least;

/// Time between two commands of a rank.
#[derive(Debug, Clone, Copy, Default)]
struct Lag {
    /// ns.
    all: f64,
    /// ns of it in which the cores worked.
    work: f64,
    /// Median of the gaps of all ranks between the same two operations, where it is such a gap.
    median: Option<f64>,
}

/// The joint replay of an island.
pub(crate) struct Replay<'a> {
    found: &'a Found,
    /// Ranks of the island, by index.
    members: Vec<usize>,
    /// By member.
    locals: Vec<Local>,
    /// By link: its smallest lags.
    least: Vec<Least>,
    /// Medians of own time by step.
    medians: BTreeMap<usize, f64>,
    pub(crate) measured: f64,
}

/// ns below which a lag between commands of a rank is the port's own.
const PORT_LAG_NS: f64 = 1500.0;

impl<'a> Replay<'a> {
    /// The replay of the ranks of an island.
    pub(crate) fn of(found: &'a Found, island: usize) -> Self {
        let clocks = found.clocks.ranks.iter().enumerate();
        let members: Vec<usize> =
            clocks.filter(|(_, clock)| clock.island == island).map(|(rank, _)| rank).collect();
        let local =
            |&rank: &usize| Some(Local::of(found.ranks.get(rank)?, found.clocks.ranks.get(rank)?));
        let locals: Vec<Local> = members.par_iter().filter_map(local).collect();
        let mut steps: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for local in &locals {
            for (step, gap) in (1..).zip(&local.gaps) {
                steps.entry(step).or_default().push(*gap);
            }
        }
        let median = |(step, mut all): (usize, Vec<f64>)| {
            all.sort_by(f64::total_cmp);
            Some((step, *all.get(all.len() / 2)?))
        };
        let medians = steps.into_iter().filter_map(median).collect();
        let measured = locals.iter().map(|local| local.end).fold(0.0, f64::max);
        let links = &found.pairing.links;
        let least = links.par_iter().map(|link| Least::of(found, link)).collect();
        Self { found, members, locals, least, medians, measured }
    }

    /// ns of the reference; when the last rank is done, with each of the changes. `Err` names the first command whose
    /// measured times the replay without changes does not give.
    pub(crate) fn ends(&self, changes: &[Changes]) -> Result<Vec<f64>, String> {
        pass::ends(self, &Factors::of(self, changes))
    }

    /// ns of the reference; when the first rank began.
    pub(crate) fn begin(&self) -> f64 {
        self.locals.iter().map(|local| local.begin).fold(f64::INFINITY, f64::min)
    }

    /// ns; each rank's own time between its commands and around them.
    pub(crate) fn own_time(&self) -> BTreeMap<usize, f64> {
        let own = |local: &Local| local.gaps.iter().fold(local.tail.all, |sum, gap| sum + gap);
        self.members.iter().copied().zip(self.locals.iter().map(own)).collect()
    }
}
