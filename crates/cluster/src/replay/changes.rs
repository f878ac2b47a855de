//! What is changed, and the factors that follow.

use std::collections::BTreeMap;

use super::{Lag, PORT_LAG_NS, Replay};
use crate::work::{Own, Work};

/// What is changed: factors of times.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Changes {
    /// Factor of the transfers of all links.
    pub(crate) all_links: Option<f64>,
    /// Factors of the transfers of single links, by sender and receiver.
    pub(crate) links: BTreeMap<(usize, usize), f64>,
    /// Factors of single ranks' time between commands, work and pauses.
    pub(crate) own_time: BTreeMap<usize, f64>,
    /// Factors of single ranks' own work only.
    pub(crate) own_work: BTreeMap<usize, f64>,
    /// Something that the cores of all ranks do, and its factor.
    pub(crate) all_own: Option<(Own, f64)>,
    /// Factor of latencies and lags of links.
    pub(crate) latency: Option<f64>,
    /// Every rank's own time between two operations is the median of all.
    pub(crate) no_skew: bool,
}

/// The factors of several changes; the first is none.
pub(super) struct Factors {
    /// How many changes.
    pub(super) count: usize,
    /// Factor of each link's transfers with each change, link after link.
    links: Vec<f64>,
    pub(super) latency: Vec<f64>,
    no_skew: Vec<bool>,
    /// Factors of each member's own time with each change, member after member.
    own: Vec<OwnFactor>,
    /// Times at which each member's cores did the work that changes are about: a `Work` for each kind of work.
    works: Vec<Vec<Work>>,
}

/// The factors of a member's own time.
#[derive(Debug, Clone, Copy, Default)]
struct OwnFactor {
    /// Factor of all time between commands.
    time: Option<f64>,
    /// Index of one of the member's works, and its factor.
    work: Option<(usize, f64)>,
}

impl Factors {
    pub(super) fn new(replay: &Replay<'_>, changes: &[Changes]) -> Self {
        let none = Changes::default();
        let all: Vec<&Changes> = std::iter::once(&none).chain(changes).collect();
        let links = replay.found.pairing.links.iter().flat_map(|link| {
            let ranks = (link.from.rank, link.to.rank);
            all.iter().map(move |c| c.links.get(&ranks).copied().or(c.all_links).unwrap_or(1.0))
        });
        let (mut own, mut works) = (Vec::new(), Vec::new());
        for rank in &replay.members {
            let mut kinds: Vec<&Own> = Vec::new();
            for change in &all {
                let work = match change.own_work.get(rank) {
                    Some(factor) => Some((&Own::Work, *factor)),
                    None => change.all_own.as_ref().map(|(own, factor)| (own, *factor)),
                };
                let work = work.map(|(kind, factor)| {
                    let known = kinds.iter().position(|known| *known == kind);
                    let place = known.unwrap_or(kinds.len());
                    if known.is_none() {
                        kinds.push(kind);
                    }
                    (place, factor)
                });
                own.push(OwnFactor { time: change.own_time.get(rank).copied(), work });
            }
            let part = replay.found.ranks.get(*rank).map(|rank| &rank.part);
            let of = |part| kinds.iter().map(|kind| Work::collect(part, kind)).collect();
            works.push(part.map_or_else(Vec::new, of));
        }
        Self {
            count: all.len(),
            links: links.collect(),
            latency: all.iter().map(|c| c.latency.unwrap_or(1.0)).collect(),
            no_skew: all.iter().map(|c| c.no_skew).collect(),
            own,
            works,
        }
    }

    /// Factors of a link's transfers.
    pub(super) fn link(&self, link: usize) -> &[f64] {
        self.links.get(link * self.count..(link + 1) * self.count).unwrap_or_default()
    }

    /// ns of what changes are of between two own moments of a member, where its time passes at `speed`.
    pub(super) fn work(
        &self,
        member: usize,
        (from, to): (i64, i64),
        speed: f64,
        ns: &mut Vec<f64>,
    ) {
        ns.clear();
        let works = self.works.get(member).map(Vec::as_slice).unwrap_or_default();
        ns.extend(works.iter().map(|work| work.ns_between(from, to) as f64 * speed));
    }

    /// A member's lag with each change, by its number. `work`: ns in it of what changes are of.
    pub(super) fn lags<'f>(
        &'f self,
        member: usize,
        lag: Lag,
        work: &'f [f64],
    ) -> impl Iterator<Item = f64> + 'f {
        let own = self.own.get(member * self.count..(member + 1) * self.count);
        let own = own.unwrap_or_default().iter().zip(&self.no_skew);
        own.map(move |(own, no_skew)| {
            let mut all = lag.median.filter(|_| *no_skew).unwrap_or(lag.all);
            if let Some(factor) = own.time.filter(|_| lag.all > PORT_LAG_NS) {
                all *= factor;
            }
            let more = own
                .work
                .and_then(|(place, factor)| Some(work.get(place)?.min(lag.all) * (factor - 1.0)));
            (all + more.unwrap_or(0.0)).max(0.0)
        })
    }
}
