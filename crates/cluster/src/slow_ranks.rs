//! Ranks that take longer than others, and what they would be without that.

use std::collections::BTreeMap;

use crate::alike::factors;
use crate::found::Found;
use crate::kinds::Kind;
use crate::numbers::lower_median;
use crate::replay::Changes;
use crate::tried::{MOST, Tried, Try};

/// A straggler's own time is at least this many times the median.
const SLOWER: f64 = 1.04;
/// The first states are work.
const WORK_STATES: usize = 2;

/// Ranks of an island whose own time or work is above the median, with what gives them the median. Where ports wait while the cores work,
/// as in pipelines, the time between their commands (`time`) is not the rank's own alone: its work is compared, too.
///
/// Stages of a pipeline have other work than one another. A rank that takes longer for the same commands than the others is tried with the
/// time that these take, and with no longer pauses than the median stage's, whatever its work is.
pub(crate) fn slow_ranks(found: &Found, island: usize, time: &BTreeMap<usize, f64>) -> Vec<Try> {
    type Change = fn(usize, f64) -> Changes;
    let work = own_work(found, island);
    let slower = slower_stages(found, island);
    let mut tried = Vec::new();
    let compared = [(time, of_time as Change), (&work, of_work)];
    for (own, changes) in compared {
        let above = above_median(own).into_iter().filter(|(rank, _)| !slower.contains_key(rank));
        tried.extend(above.map(|(rank, times)| (rank, changes(rank, times))));
    }
    let of = |all: &BTreeMap<usize, f64>, rank: usize| all.get(&rank).copied().unwrap_or(0.0);
    let idle = |rank: usize| (of(time, rank) - of(&work, rank)).max(0.0);
    let usual = median(time.keys().map(|rank| idle(*rank)));
    for (&rank, factor) in slower.iter().take(MOST) {
        let (now, without) = (of(time, rank), of(&work, rank) / factor + idle(rank).min(usual));
        if without < now {
            tried.push((rank, of_time(rank, without / now)));
        }
        tried.push((rank, of_work(rank, 1.0 / factor)));
    }
    tried.into_iter().map(|(rank, changes)| Try { what: Tried::Rank(rank), changes }).collect()
}

/// ns; what the cores of each rank of an island worked.
pub(crate) fn own_work(found: &Found, island: usize) -> BTreeMap<usize, f64> {
    let own = found.clocks.members(island).filter_map(|rank| Some((rank, found.states.get(rank)?)));
    own.map(|(rank, states)| (rank, states.ns.iter().take(WORK_STATES).sum::<u64>() as f64))
        .collect()
}

/// Ranks that have more than the median, the most first, and the median over what each has.
pub(crate) fn above_median(own: &BTreeMap<usize, f64>) -> Vec<(usize, f64)> {
    let median = median(own.values().copied());
    let mut above: Vec<(usize, f64)> =
        own.iter().map(|(&rank, &ns)| (rank, ns)).filter(|(_, ns)| *ns > SLOWER * median).collect();
    above.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    above.truncate(MOST);
    above.into_iter().map(|(rank, ns)| (rank, median / ns)).collect()
}

/// The lower median; 0 of none.
fn median(all: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    lower_median(&all).unwrap_or(0.0)
}

/// A rank whose time between commands is so many times as long.
fn of_time(rank: usize, times: f64) -> Changes {
    Changes { own_time: [(rank, times)].into(), ..Changes::default() }
}

/// A rank whose work takes so many times as long.
fn of_work(rank: usize, times: f64) -> Changes {
    Changes { own_work: [(rank, times)].into(), ..Changes::default() }
}

/// Ranks of a pipeline that take longer for the same commands than the others, and how many times as long.
fn slower_stages(found: &Found, island: usize) -> BTreeMap<usize, f64> {
    let mut own = found.operations.iter().filter(|o| o.island == island).peekable();
    if own.peek().is_none() || own.any(|operation| operation.kind != Kind::P2p) {
        return BTreeMap::new();
    }
    let alike = |rank: usize| Some((rank, found.ranks.get(rank)?.part.alike.as_slice()));
    let ranks: Vec<_> = found.clocks.members(island).filter_map(alike).collect();
    factors(&ranks).into_iter().filter(|(_, factor)| *factor > SLOWER).collect()
}
