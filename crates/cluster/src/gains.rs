//! Gains by joint replay: stragglers, links, the critical path, changes that the user asks for.

use std::collections::{BTreeMap, BTreeSet};

use crate::join::{Found, thousandth};
use crate::replay::{Changes, PathPiece, Replay};
use crate::report::{PathPieceRow, PathRow, StragglerRow, WhatifRow};
use crate::scale::{Scale, What};
use crate::states::Partners;
use crate::views::PathView;

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
pub(crate) fn gains(found: &Found<'_>, partners: &Partners, scales: &[Scale]) -> Gains {
    let mut gains = Gains::default();
    let mut pieces: Vec<PathPieceRow> = Vec::new();
    for island in 0..found.clocks.reference.len() {
        let members = found.clocks.ranks.iter().filter(|c| c.island == island).count();
        if members < 2 {
            continue;
        }
        let replay = Replay::of(found.ranks, &found.pairing.links, &found.clocks, partners, island);
        let replay = match replay {
            Ok(replay) => replay,
            Err(why) => {
                gains.notes.push(why);
                continue;
            }
        };
        let own = replay.own_time();
        let mut times: Vec<f64> = own.values().copied().collect();
        times.sort_by(f64::total_cmp);
        let median = times.get((times.len().saturating_sub(1)) / 2).copied().unwrap_or(0.0);
        stragglers(found, &replay, &own, median, &mut gains);
        links(found, &replay, island, &mut gains);
        changes(found, &replay, scales, &mut gains);
        let steps = replay.critical_path();
        let mut path: BTreeMap<PathPiece, f64> = BTreeMap::new();
        for step in &steps {
            *path.entry(step.piece).or_default() += step.to - step.from;
        }
        gains.path.extend(steps.iter().map(|step| PathView::of(island, step)));
        pieces.extend(path.into_iter().map(|(piece, ns)| match piece {
            PathPiece::Own(rank) => PathPieceRow {
                rank: found.number(rank),
                reason: "own time",
                to: None,
                ns: thousandth(ns),
            },
            PathPiece::Link(from, to) => PathPieceRow {
                rank: found.number(from),
                reason: "link",
                to: Some(found.number(to)),
                ns: thousandth(ns),
            },
        }));
    }
    pieces.sort_by(|a, b| b.ns.total_cmp(&a.ns).then(a.rank.cmp(&b.rank)).then(a.to.cmp(&b.to)));
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

/// Ranks whose own time is above the median, replayed with the median.
fn stragglers(
    found: &Found<'_>,
    replay: &Replay,
    own: &BTreeMap<usize, f64>,
    median: f64,
    gains: &mut Gains,
) {
    let mut slow: Vec<(usize, f64)> =
        own.iter().filter(|(_, ns)| **ns > SLOWER * median).map(|(r, ns)| (*r, *ns)).collect();
    slow.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    for (rank, ns) in slow.into_iter().take(MOST) {
        let changes = Changes { own_time: [(rank, median / ns)].into(), ..Changes::default() };
        let gain = replay.measured - replay.end(&changes);
        if gain > GAIN * (replay.measured - replay.begin()) {
            gains.stragglers.push(StragglerRow {
                rank: found.number(rank),
                gain_ns: thousandth(gain),
                inherited_from: None,
                late: 0,
                waited_ns: 0,
            });
        }
    }
}

/// Slow links, replayed at twice their speed; the ranks that they make late are listed without a gain of their own.
fn links(found: &Found<'_>, replay: &Replay, island: usize, gains: &mut Gains) {
    let mut slow: BTreeMap<usize, usize> = BTreeMap::new();
    for operation in found.operations.iter().filter(|o| o.island == island) {
        if let Some(link) = operation.slow_link {
            *slow.entry(link).or_default() += 1;
        }
    }
    let mut ranked: Vec<(usize, usize)> = slow.into_iter().map(|(l, n)| (n, l)).collect();
    ranked.sort_by(|a, b| b.cmp(a));
    let known: BTreeSet<u32> = gains.stragglers.iter().map(|s| s.rank).collect();
    for (_, link) in ranked.into_iter().take(MOST) {
        let Some(link) = found.pairing.links.get(link) else { continue };
        let (from, to) = (link.from.rank, link.to.rank);
        let changes = Changes { links: [((from, to), 0.5)].into(), ..Changes::default() };
        let (from, to) = (found.number(from), found.number(to));
        push(&format!("link:{from}>{to}=2"), replay, &changes, gains);
        if !known.contains(&to) && !gains.stragglers.iter().any(|s| s.rank == to) {
            gains.stragglers.push(StragglerRow {
                rank: to,
                gain_ns: 0.0,
                inherited_from: Some(format!("{from}>{to}")),
                late: 0,
                waited_ns: 0,
            });
        }
    }
    if !gains.stragglers.is_empty() {
        let no_skew = Changes { no_skew: true, ..Changes::default() };
        push("skew=0", replay, &no_skew, gains);
    }
    let faster = Changes { all_links: Some(0.5), ..Changes::default() };
    push("link=2", replay, &faster, gains);
}

fn push(scale: &str, replay: &Replay, changes: &Changes, gains: &mut Gains) {
    let end = replay.end(changes);
    let begin = replay.begin();
    gains.whatif.push(WhatifRow {
        scale: scale.to_owned(),
        predicted_ns: thousandth(end - begin),
        gain_ns: thousandth(replay.measured - end),
    });
}

/// The changes that were asked for.
fn changes(found: &Found<'_>, replay: &Replay, scales: &[Scale], gains: &mut Gains) {
    let index = |number: u32| found.ranks.iter().position(|rank| rank.number == number);
    for scale in scales {
        let mut changes = Changes::default();
        match scale.what {
            What::Links(factor) => changes.all_links = Some(1.0 / factor),
            What::Link(from, to, factor) => {
                if let (Some(from), Some(to)) = (index(from), index(to)) {
                    changes.links.insert((from, to), 1.0 / factor);
                }
            }
            What::Rank(rank, factor) => {
                if let Some(rank) = index(rank) {
                    changes.own_work.insert(rank, factor);
                }
            }
            What::NoSkew => changes.no_skew = true,
            What::Latency(factor) => changes.latency = Some(factor),
        }
        if changes == Changes::default() {
            gains.notes.push(format!("--scale {}: there is no such rank", scale.text));
        } else {
            push(&scale.text, replay, &changes, gains);
        }
    }
}
