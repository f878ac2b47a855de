//! What is changed, and the factors that follow.

use std::collections::BTreeMap;

use super::{Lag, PORT_LAG_NS, Replay};
use crate::work::Work;

/// What is changed: factors of times.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Changes {
    /// Of the transfers of all links.
    pub(crate) all_links: Option<f64>,
    /// Of the transfers of a link, by its ranks.
    pub(crate) links: BTreeMap<(usize, usize), f64>,
    /// Of a rank's time between commands, work and pauses.
    pub(crate) own_time: BTreeMap<usize, f64>,
    /// Of a rank's own work only.
    pub(crate) own_work: BTreeMap<usize, f64>,
    /// Of latencies and lags of links.
    pub(crate) latency: Option<f64>,
    /// Every rank's own time between two operations is the median of all.
    pub(crate) no_skew: bool,
}

/// The factors of several changes; the first is none.
pub(super) struct Factors {
    /// How many changes.
    pub(super) count: usize,
    /// By link and change.
    links: Vec<f64>,
    pub(super) latency: Vec<f64>,
    no_skew: Vec<bool>,
    /// By member and change: of its time between commands, and of its work.
    own: Vec<(Option<f64>, Option<f64>)>,
    /// By member: when its cores worked, if a change is of its work.
    works: Vec<Option<Work>>,
}

impl Factors {
    pub(super) fn of(replay: &Replay<'_>, changes: &[Changes]) -> Self {
        let none = Changes::default();
        let all: Vec<&Changes> = std::iter::once(&none).chain(changes).collect();
        let links = replay.found.pairing.links.iter().flat_map(|link| {
            let ranks = (link.from.rank, link.to.rank);
            all.iter().map(move |c| c.links.get(&ranks).copied().or(c.all_links).unwrap_or(1.0))
        });
        let own = replay.members.iter().flat_map(|rank| {
            all.iter().map(|c| (c.own_time.get(rank).copied(), c.own_work.get(rank).copied()))
        });
        let work = |rank: &usize| {
            let is_changed = all.iter().any(|change| change.own_work.contains_key(rank));
            let part = replay.found.ranks.get(*rank).map(|rank| &rank.part);
            part.filter(|_| is_changed).map(Work::of)
        };
        Self {
            count: all.len(),
            links: links.collect(),
            latency: all.iter().map(|c| c.latency.unwrap_or(1.0)).collect(),
            no_skew: all.iter().map(|c| c.no_skew).collect(),
            own: own.collect(),
            works: replay.members.iter().map(work).collect(),
        }
    }

    /// Factors of a link's transfers.
    pub(super) fn link(&self, link: usize) -> &[f64] {
        self.links.get(link * self.count..(link + 1) * self.count).unwrap_or_default()
    }

    /// When a member's cores worked, where a change is of its work.
    pub(super) fn work_of(&self, member: usize) -> Option<&Work> {
        self.works.get(member).and_then(Option::as_ref)
    }

    /// ns of work between two own moments of a member, where a change is of it.
    pub(super) fn work(&self, member: usize, from: i64, to: i64) -> f64 {
        self.work_of(member).map_or(0.0, |work| work.between(from, to) as f64)
    }

    /// A member's lag with each change, by its number.
    pub(super) fn lags(&self, member: usize, lag: Lag) -> impl Iterator<Item = f64> {
        let own = self.own.get(member * self.count..(member + 1) * self.count);
        let own = own.unwrap_or_default().iter().zip(&self.no_skew);
        own.map(move |((time, work), no_skew)| {
            let mut all = lag.median.filter(|_| *no_skew).unwrap_or(lag.all);
            if let Some(factor) = time.filter(|_| lag.all > PORT_LAG_NS) {
                all *= factor;
            }
            let work = work.map_or(0.0, |factor| lag.work * (factor - 1.0));
            (all + work).max(0.0)
        })
    }
}
