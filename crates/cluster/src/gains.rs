//! Gains by joint replay: stragglers, links, the critical path, changes that the user asks for.

use std::collections::BTreeMap;

use crate::join::{Found, thousandth};
use crate::path_rows::path_rows;
use crate::replay::{Changes, Replay};
use crate::report::{PathPieceRow, PathRow, StragglerRow, WhatifRow};
use crate::scale::{Scale, What};
use crate::views::PathView;
use crate::work::{Own, matches};

/// What replays found.
#[derive(Debug, Default)]
pub(crate) struct Gains {
    pub(crate) stragglers: Vec<StragglerRow>,
    pub(crate) critical_path: Option<PathRow>,
    pub(crate) path: Vec<PathView>,
    pub(crate) whatif: Vec<WhatifRow>,
    pub(crate) notes: Vec<String>,
}

/// Ranks and links that are replayed without their slowness.
const MOST: usize = 16;
/// A straggler's own time is at least this many times the median.
const SLOWER: f64 = 1.04;
/// Share of the run that a gain must be.
const GAIN: f64 = 0.005;
/// Pieces of the critical path that are listed.
const PIECES: usize = 32;

/// Replays each island.
pub(crate) fn gains(found: &Found, scales: &[Scale]) -> Gains {
    let mut gains = Gains::default();
    let mut pieces: Vec<PathPieceRow> = Vec::new();
    for island in 0..found.clocks.reference.len() {
        let members = found.clocks.ranks.iter().filter(|c| c.island == island).count();
        if members < 2 {
            continue;
        }
        let replay = Replay::of(found, island);
        let mut tried = slow_ranks(&replay);
        tried.extend(slow_links(found, island));
        tried.push(Try { what: Tried::NoSkew, changes: no_skew() });
        let faster = Changes { all_links: Some(0.5), ..Changes::default() };
        tried.push(Try { what: Tried::Scale("link=2".to_owned()), changes: faster });
        tried.extend(asked(found, scales, &mut gains.notes));
        let changes: Vec<Changes> = tried.iter().map(|tried| tried.changes.clone()).collect();
        match replay.ends(&changes) {
            Ok(ends) => rows(found, &replay, &tried, &ends, &mut gains),
            Err(why) => {
                gains.notes.push(why);
                continue;
            }
        }
        let steps = replay.critical_path();
        gains.path.extend(steps.iter().map(|step| PathView::of(island, step)));
        pieces.extend(path_rows(found, &steps));
    }
    pieces.sort_by(|a, b| {
        b.ns.total_cmp(&a.ns)
            .then(a.rank.cmp(&b.rank))
            .then(a.to.cmp(&b.to))
            .then_with(|| a.kernel.cmp(&b.kernel))
    });
    let total = pieces.iter().map(|p| p.ns).sum::<f64>();
    if !pieces.is_empty() {
        pieces.truncate(PIECES);
        gains.critical_path = Some(PathRow { total_ns: thousandth(total), pieces });
    }
    let late: BTreeMap<u32, usize> = found.operations.iter().fold(BTreeMap::new(), |mut all, o| {
        *all.entry(found.number(o.late)).or_default() += 1;
        all
    });
    let mut waited: BTreeMap<u32, u64> = BTreeMap::new();
    for states in &found.states {
        for (peer, ns) in &states.caused_by {
            *waited.entry(found.number(*peer)).or_default() += ns;
        }
    }
    for row in &mut gains.stragglers {
        row.late = late.get(&row.rank).copied().unwrap_or(0);
        row.waited_ns = waited.get(&row.rank).copied().unwrap_or(0);
    }
    gains.stragglers.sort_by(|a, b| b.gain_ns.total_cmp(&a.gain_ns).then(a.rank.cmp(&b.rank)));
    gains
}

/// A change, and what it is for.
struct Try {
    what: Tried,
    changes: Changes,
}

enum Tried {
    /// A rank's own time is the median's.
    Rank(usize),
    /// A link, by its ranks, is twice as fast.
    Link(usize, usize),
    /// All own times are the medians: for a run with stragglers.
    NoSkew,
    /// As `--scale` says it.
    Scale(String),
}

fn no_skew() -> Changes {
    Changes { no_skew: true, ..Changes::default() }
}

/// Ranks whose own time is above the median, with the median.
fn slow_ranks(replay: &Replay<'_>) -> Vec<Try> {
    let own = replay.own_time();
    let mut times: Vec<f64> = own.values().copied().collect();
    times.sort_by(f64::total_cmp);
    let median = times.get((times.len().saturating_sub(1)) / 2).copied().unwrap_or(0.0);
    let mut slow: Vec<(usize, f64)> =
        own.into_iter().filter(|(_, ns)| *ns > SLOWER * median).collect();
    slow.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let of = |(rank, ns): (usize, f64)| Try {
        what: Tried::Rank(rank),
        changes: Changes { own_time: [(rank, median / ns)].into(), ..Changes::default() },
    };
    slow.into_iter().take(MOST).map(of).collect()
}

/// Slow links, at twice their speed.
fn slow_links(found: &Found, island: usize) -> Vec<Try> {
    let mut slow: BTreeMap<usize, usize> = BTreeMap::new();
    for operation in found.operations.iter().filter(|o| o.island == island) {
        if let Some(link) = operation.slow_link {
            *slow.entry(link).or_default() += 1;
        }
    }
    let mut ranked: Vec<(usize, usize)> = slow.into_iter().map(|(l, n)| (n, l)).collect();
    ranked.sort_by(|a, b| b.cmp(a));
    let of = |(_, link): (usize, usize)| {
        let link = found.pairing.links.get(link)?;
        let ends = (link.from.rank, link.to.rank);
        let changes = Changes { links: [(ends, 0.5)].into(), ..Changes::default() };
        Some(Try { what: Tried::Link(ends.0, ends.1), changes })
    };
    ranked.into_iter().take(MOST).filter_map(of).collect()
}

/// The changes that were asked for.
fn asked(found: &Found, scales: &[Scale], notes: &mut Vec<String>) -> Vec<Try> {
    let index = |number: u32| found.ranks.iter().position(|rank| rank.number == number);
    let mut tried = Vec::new();
    for scale in scales {
        let mut changes = Changes::default();
        match &scale.what {
            What::Links(factor) => changes.all_links = Some(1.0 / factor),
            What::Link(from, to, factor) => {
                if let (Some(from), Some(to)) = (index(*from), index(*to)) {
                    changes.links.insert((from, to), 1.0 / factor);
                }
            }
            What::Rank(rank, factor) => {
                if let Some(rank) = index(*rank) {
                    changes.own_work.insert(rank, *factor);
                }
            }
            What::NoSkew => changes = no_skew(),
            What::Latency(factor) => changes.latency = Some(*factor),
            What::Tiu(factor) => changes.all_own = Some((Own::Compute, 1.0 / factor)),
            What::Ddr(factor) => changes.all_own = Some((Own::Memory, 1.0 / factor)),
            What::Kernel(name, factor) => {
                let mut kernels = found.ranks.iter().flat_map(|rank| &rank.part.kernels);
                if kernels.any(|kernel| matches(name, kernel)) {
                    changes.all_own = Some((Own::Kernel(name.clone()), *factor));
                }
            }
        }
        if changes == Changes::default() {
            let what =
                if matches!(scale.what, What::Kernel(..)) { "kernel" } else { "rank or link" };
            notes.push(format!("--scale {}: there is no such {what}", scale.text));
        } else {
            tried.push(Try { what: Tried::Scale(scale.text.clone()), changes });
        }
    }
    tried
}

/// Rows of what was replayed. The ranks that slow links make late are listed without a gain of their own.
fn rows(found: &Found, replay: &Replay<'_>, tried: &[Try], ends: &[f64], gains: &mut Gains) {
    let begin = replay.begin();
    for (tried, end) in tried.iter().zip(ends) {
        let gain = replay.measured - end;
        let scale = match &tried.what {
            Tried::Rank(rank) => {
                if gain > GAIN * (replay.measured - begin) {
                    gains.straggler(found.number(*rank), thousandth(gain), None);
                }
                continue;
            }
            Tried::NoSkew if gains.stragglers.is_empty() => continue,
            Tried::NoSkew => "skew=0".to_owned(),
            Tried::Link(from, to) => {
                let (from, to) = (found.number(*from), found.number(*to));
                if !gains.stragglers.iter().any(|s| s.rank == to) {
                    gains.straggler(to, 0.0, Some(format!("{from}>{to}")));
                }
                format!("link:{from}>{to}=2")
            }
            Tried::Scale(text) => text.clone(),
        };
        let (predicted_ns, gain_ns) = (thousandth(end - begin), thousandth(gain));
        gains.whatif.push(WhatifRow { scale, predicted_ns, gain_ns });
    }
}

impl Gains {
    fn straggler(&mut self, rank: u32, gain_ns: f64, inherited_from: Option<String>) {
        self.stragglers.push(StragglerRow { rank, gain_ns, inherited_from, late: 0, waited_ns: 0 });
    }
}
