//! The joint replay: all ranks' commands with what each waited for, run again with other times.
//!
//! A command starts when the last command of its rank that ended before it has ended and the rank's own work since then
//! is done, and not before its own thread is free. A send's data move when its start-up is done and the peer's credit
//! has arrived; a receive follows its send. Of two causes the later one bound: its lag is the measured one, that of the
//! other the smallest of the kind of link.
//!
//! Nothing is kept of a command that has ended: all changes that are asked for run at once, in one pass over the starts
//! and ends of all commands by measured time.

mod changes;
mod common;
mod local;
mod pass;
mod path;
mod thread;
mod transfer;

use std::collections::{BTreeMap, HashMap};

use bigtpu_messages::Message;
use rayon::prelude::*;

use crate::found::Found;
use crate::operation::Operation;
pub(crate) use changes::Changes;
use changes::Factors;
use common::Common;
use local::Local;
pub(crate) use path::{PathPiece, PathStep};
use transfer::{Least, Measured};

/// Time between two commands of a rank.
#[derive(Debug, Clone, Copy, Default)]
struct Lag {
    /// ns.
    all: f64,
    /// Median of the lags of all ranks before the operation that they begin together, where it is such a lag.
    median: Option<f64>,
}

/// The joint replay of an island.
pub(crate) struct Replay<'a> {
    found: &'a Found,
    /// Ranks of the island, by index.
    members: Vec<usize>,
    /// What is known of each member by itself.
    locals: Vec<Local>,
    /// Smallest lags of each link.
    least: Vec<Least>,
    common: Common,
    /// Median over all ranks of their own time before an operation that they begin together, by rank and the own moment
    /// at which the rank comes to it.
    medians: HashMap<(usize, i64), f64>,
    pub(crate) measured: f64,
}

/// ns below which a lag between commands of a rank is the port's own.
const PORT_LAG_NS: f64 = 1500.0;

/// The medians of own time before operations in which no rank is done before all have come.
fn medians(
    found: &Found,
    island: usize,
    members: &[usize],
    locals: &[Local],
) -> HashMap<(usize, i64), f64> {
    let mut medians = HashMap::new();
    let common = |o: &&Operation| o.island == island && o.kind.is_all_to_all();
    for operation in found.operations.iter().filter(common) {
        let lag = |rank: usize, arrival: i64| {
            let local = locals.get(members.binary_search(&rank).ok()?)?;
            local.arrivals.get(&arrival).copied()
        };
        let own: Vec<(usize, i64, f64)> = operation
            .members
            .iter()
            .filter_map(|m| Some((m.rank, m.own.0, lag(m.rank, m.own.0)?)))
            .collect();
        let mut lags: Vec<f64> = own.iter().map(|(.., lag)| *lag).collect();
        lags.sort_by(f64::total_cmp);
        let Some(median) = lags.get(lags.len() / 2) else { continue };
        medians.extend(own.iter().map(|(rank, arrival, _)| ((*rank, *arrival), *median)));
    }
    medians
}

impl<'a> Replay<'a> {
    /// The replay of the ranks of an island.
    pub(crate) fn new(found: &'a Found, island: usize) -> Self {
        let members: Vec<usize> = found.clocks.members(island).collect();
        let common = Common::compute(found, island, &members);
        let begin = common.begin(found, island, &members);
        let local = |&rank: &usize| {
            Some(Local::new(found.ranks.get(rank)?, found.clocks.ranks.get(rank)?, begin))
        };
        let locals: Vec<Local> = members.par_iter().filter_map(local).collect();
        let medians = medians(found, island, &members, &locals);
        let measured = locals.iter().map(|local| local.end).fold(0.0, f64::max);
        let links = &found.pairing.links;
        let measured_links: Vec<Measured> =
            links.par_iter().map(|link| Measured::from_link(found, link)).collect();
        let least = Least::of_kinds(found, &measured_links);
        Self { found, members, locals, least, common, medians, measured }
    }

    /// ns of the reference; when the last rank is done, with each of the changes. `Err` names the first command whose
    /// measured times the replay without changes does not give.
    pub(crate) fn ends(&self, changes: &[Changes]) -> Result<Vec<f64>, Message> {
        pass::ends(self, &Factors::new(self, changes))
    }

    /// Whether it is known what every command waited for: partners, or the operation of those without one.
    pub(crate) fn is_complete(&self) -> bool {
        self.common.is_complete()
    }

    /// ns of the reference; when the first rank began.
    pub(crate) fn begin(&self) -> f64 {
        self.locals.iter().map(|local| local.begin).fold(f64::INFINITY, f64::min)
    }

    /// ns; each rank's own time between its commands and around them.
    pub(crate) fn own_time(&self) -> BTreeMap<usize, f64> {
        let own = |local: &Local| local.own + local.tail.all;
        self.members.iter().copied().zip(self.locals.iter().map(own)).collect()
    }
}
