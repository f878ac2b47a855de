//! Gains by joint replay: stragglers, links, the critical path, changes that the user asks for.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_measure::NamePattern;
use bigtpu_messages::{Arg, Message, message};

use crate::causes::Causes;
use crate::found::Found;
use crate::numbers::thousandth;
use crate::pairing::{Link, thread_of};
use crate::path_rows::path_rows;
use crate::replay::{Changes, Replay};
use crate::report::{PathPieceRow, PathRow, StragglerRow, WhatifRow};
use crate::scale::{Scale, ScaledPart};
use crate::slow_ranks::{above_median, own_work, slow_ranks};
use crate::tried::{MOST, Tried, Try};
use crate::views::PathView;
use crate::work::Own;

/// What replays found.
#[derive(Debug, Default)]
pub(crate) struct Gains {
    pub(crate) stragglers: Vec<StragglerRow>,
    pub(crate) critical_path: Option<PathRow>,
    pub(crate) path: Vec<PathView>,
    pub(crate) whatif: Vec<WhatifRow>,
    /// ns; what the run gains at most if work hides the transfers: of the island where this is the most.
    pub(crate) hiding: f64,
    pub(crate) notes: Vec<Message>,
}

/// Share of the run that a gain must be.
const GAIN: f64 = 0.005;
/// Pieces of the critical path that are listed.
const PIECES: usize = 32;

/// Replays each island.
pub(crate) fn gains(found: &Found, scales: &[Scale]) -> Gains {
    let mut gains = Gains::default();
    let mut pieces: Vec<PathPieceRow> = Vec::new();
    let mut is_complete = true;
    for island in 0..found.clocks.reference.len() {
        if found.clocks.members(island).count() < 2 {
            continue;
        }
        let unplaced = unplaced_ranks(found, island);
        if !unplaced.is_empty() {
            let before = gains.stragglers.len();
            name_late(found, island, &mut gains);
            name_causes(found, island, gains.stragglers.iter_mut().skip(before));
            if !scales.is_empty() {
                let ranks = Arg::numbers(unplaced);
                gains.notes.push(message!("cluster-nothing-predicted", ranks = ranks));
            }
            continue;
        }
        let replay = Replay::new(found, island);
        is_complete &= replay.is_complete();
        let mut tried = slow_ranks(found, island, &replay.own_time());
        tried.extend(bad_links(found, island));
        tried.push(Try { what: Tried::NoSkew, changes: no_skew() });
        let faster = Changes { all_links: Some(0.5), ..Changes::default() };
        tried.push(Try { what: Tried::Faster, changes: faster });
        tried.extend(apart());
        tried.extend(asked(found, scales, &mut gains.notes));
        let changes: Vec<Changes> = tried.iter().map(|tried| tried.changes.clone()).collect();
        match replay.ends(&changes) {
            Ok(ends) => {
                let before = gains.stragglers.len();
                rows(found, (island, &replay), &tried, &ends, &mut gains);
                name_causes(found, island, gains.stragglers.iter_mut().skip(before));
                // Where a gain is not known, only a cause says that a rank is late.
                let least = GAIN * (replay.measured - replay.begin());
                let has_cause =
                    |s: &StragglerRow| s.cause.as_ref().is_some_and(|cause| cause.ns > least);
                let own = gains.stragglers.split_off(before);
                let is_late = |s: &StragglerRow| {
                    s.gain_ns > 0.0 || s.inherited_from.is_some() || has_cause(s)
                };
                gains.stragglers.extend(own.into_iter().filter(is_late));
            }
            Err(why) => {
                gains.notes.push(why);
                continue;
            }
        }
        let steps = replay.critical_path();
        gains.path.extend(steps.iter().map(|step| PathView::new(island, step)));
        pieces.extend(path_rows(found, &steps));
    }
    let open = found.pairing.ambiguous.len();
    let is_of_links = |scale: &Scale| {
        matches!(scale.what, ScaledPart::Links(_) | ScaledPart::Link(..) | ScaledPart::Latency(_))
    };
    let keeps = match (open > 0, is_complete) {
        (true, false) if !scales.is_empty() => Some(message!("cluster-keep-commands")),
        (true, true) if scales.iter().any(is_of_links) => Some(message!("cluster-keep-transfers")),
        _ => None,
    };
    if let Some(keeps) = keeps {
        gains.notes.push(message!("cluster-open-threads", count = open, keeps = keeps));
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

/// Ranks of an island with ports that are not on their device's clock: what these wait for on their device is not known, so
/// that nothing is replayed.
fn unplaced_ranks(found: &Found, island: usize) -> BTreeSet<u32> {
    let is_unplaced = |rank: &usize| {
        let threads = found.ranks.get(*rank).into_iter().flat_map(|rank| &rank.part.threads);
        threads.into_iter().any(|thread| !thread.is_anchored && !thread.commands.is_empty())
    };
    found.clocks.members(island).filter(is_unplaced).map(|rank| found.number(rank)).collect()
}

/// Names ranks that work longer than the others and are mostly late, without a gain.
fn name_late(found: &Found, island: usize, gains: &mut Gains) {
    for (rank, _) in above_median(&own_work(found, island)) {
        if is_often_late(found, rank) {
            gains.straggler(found.number(rank), 0.0, None);
        }
    }
}

/// Says what the stragglers of an island do longer than its other ranks.
fn name_causes<'r>(
    found: &Found,
    island: usize,
    stragglers: impl Iterator<Item = &'r mut StragglerRow>,
) {
    let mut own = stragglers.filter(|s| s.inherited_from.is_none()).peekable();
    if own.peek().is_none() {
        return;
    }
    let causes = Causes::find(found, island);
    for straggler in own {
        let rank = found.ranks.iter().position(|rank| rank.number == straggler.rank);
        straggler.cause = rank.and_then(|rank| causes.of_rank(rank));
    }
}

fn no_skew() -> Changes {
    Changes { no_skew: true, ..Changes::default() }
}

/// The run without transfers, and without work: neither can be hidden in less than the longer of the two.
fn apart() -> [Try; 2] {
    let links = Changes { all_links: Some(0.0), latency: Some(0.0), ..Changes::default() };
    let work = Changes { all_own: Some((Own::Work, 0.0)), ..Changes::default() };
    [links, work].map(|changes| Try { what: Tried::Apart, changes })
}

/// How many times as fast a link is at the rate of the fastest link, of which it has this share; twice where this is not known.
pub(crate) fn speed_up(share_of_best: Option<f64>) -> f64 {
    let known = share_of_best.filter(|share| *share > 0.0);
    known.map_or(2.0, |share| ((100.0 / share).round() / 100.0).max(1.0))
}

/// Slow links and links that send packets again, at the rate of the fastest link.
fn bad_links(found: &Found, island: usize) -> Vec<Try> {
    let mut slow: BTreeMap<usize, usize> = BTreeMap::new();
    for operation in found.operations.iter().filter(|o| o.island == island) {
        if let Some(link) = operation.slow_link {
            *slow.entry(link).or_default() += 1;
        }
    }
    let links = || found.pairing.links.iter().enumerate();
    let of_island = |link: &Link| {
        found.clocks.ranks.get(link.from.rank).is_some_and(|clock| clock.island == island)
    };
    let retrying = links().filter(|(_, link)| of_island(link) && replays(found, link) > 0);
    let mut ranked: Vec<(usize, usize)> = slow.iter().map(|(&l, &n)| (n, l)).collect();
    ranked.sort_by(|a, b| b.cmp(a));
    ranked.truncate(MOST);
    let retrying = retrying.map(|(number, _)| (0, number)).filter(|(_, l)| !slow.contains_key(l));
    ranked.extend(retrying.take(MOST));
    if ranked.is_empty() {
        return Vec::new();
    }
    let of = |(count, number): (usize, usize)| {
        let link = found.pairing.links.get(number)?;
        let ends = (link.from.rank, link.to.rank);
        let factor = speed_up(found.speeds.get(number)?.share_of_best);
        let changes = Changes { links: [(ends, 1.0 / factor)].into(), ..Changes::default() };
        let what = Tried::Link { from: ends.0, to: ends.1, factor, is_slow: count > 0 };
        (factor > 1.0).then_some(Try { what, changes })
    };
    ranked.into_iter().filter_map(of).collect()
}

/// Packets that a link sent again.
fn replays(found: &Found, link: &Link) -> u64 {
    thread_of(&found.ranks, link.from).map_or(0, |thread| thread.commands.replays().sum())
}

/// The changes that were asked for.
fn asked(found: &Found, scales: &[Scale], notes: &mut Vec<Message>) -> Vec<Try> {
    let index = |number: u32| found.ranks.iter().position(|rank| rank.number == number);
    let mut tried = Vec::new();
    for scale in scales {
        let mut changes = Changes::default();
        match &scale.what {
            ScaledPart::Links(factor) => changes.all_links = Some(1.0 / factor),
            ScaledPart::Link(from, to, factor) => {
                if let (Some(from), Some(to)) = (index(*from), index(*to)) {
                    changes.links.insert((from, to), 1.0 / factor);
                }
            }
            ScaledPart::Rank(rank, factor) => {
                if let Some(rank) = index(*rank) {
                    changes.own_work.insert(rank, *factor);
                }
            }
            ScaledPart::NoSkew => changes = no_skew(),
            ScaledPart::Latency(factor) => changes.latency = Some(*factor),
            ScaledPart::Tiu(factor) => changes.all_own = Some((Own::Compute, 1.0 / factor)),
            ScaledPart::Ddr(factor) => changes.all_own = Some((Own::Memory, 1.0 / factor)),
            ScaledPart::Kernel(name, factor) => {
                let mut kernels = found.ranks.iter().flat_map(|rank| &rank.part.kernels);
                let pattern = NamePattern::new(name);
                if kernels.any(|kernel| pattern.matches(kernel)) {
                    changes.all_own = Some((Own::Kernel(name.clone()), *factor));
                }
            }
        }
        if changes == Changes::default() {
            let scale_text = &scale.text;
            notes.push(match scale.what {
                ScaledPart::Kernel(..) => message!("cluster-no-kernel", scale = scale_text),
                _ => message!("cluster-no-rank-or-link", scale = scale_text),
            });
        } else {
            tried.push(Try { what: Tried::Scale(scale.text.clone()), changes });
        }
    }
    tried
}

/// Whether a rank is the late one of most operations in which it takes part.
fn is_often_late(found: &Found, rank: usize) -> bool {
    let own = found.operations.iter().filter(|o| o.members.iter().any(|m| m.rank == rank));
    let (late, all) =
        own.fold((0, 0), |(late, all), o| (late + usize::from(o.late == rank), all + 1));
    2 * late > all
}

/// Rows of what was replayed. The ranks that slow links make late are listed without a gain of their own.
fn rows(
    found: &Found,
    (island, replay): (usize, &Replay<'_>),
    tried: &[Try],
    ends: &[f64],
    gains: &mut Gains,
) {
    let begin = replay.begin();
    let least = GAIN * (replay.measured - begin);
    let has_unpaired = !replay.is_complete();
    let mut apart = f64::NEG_INFINITY;
    for (tried, end) in tried.iter().zip(ends) {
        let gain = replay.measured - end;
        let scale = match &tried.what {
            Tried::Rank(rank) => {
                if gain > least {
                    gains.straggler(found.number(*rank), thousandth(gain), None);
                } else if has_unpaired && is_often_late(found, *rank) {
                    // Commands without partner keep the time for which they waited: the replay cannot tell.
                    gains.straggler(found.number(*rank), 0.0, None);
                }
                continue;
            }
            Tried::Apart => {
                apart = apart.max(*end);
                continue;
            }
            Tried::NoSkew if gains.stragglers.is_empty() => continue,
            // What was not asked for is listed where it gains something.
            Tried::NoSkew | Tried::Faster if gain <= least => continue,
            Tried::NoSkew => "skew=0".to_owned(),
            Tried::Faster => "link=2".to_owned(),
            Tried::Link { from, to, factor, is_slow } => {
                let (from, to) = (found.number(*from), found.number(*to));
                if *is_slow && !gains.stragglers.iter().any(|s| s.rank == to) {
                    gains.straggler(to, 0.0, Some(format!("{from}>{to}")));
                }
                // What waited for this link may be among the commands without partner.
                if has_unpaired {
                    continue;
                }
                format!("link:{from}>{to}={factor}")
            }
            Tried::Scale(text) => text.clone(),
        };
        let (predicted_ns, gain_ns) = (thousandth(end - begin), thousandth(gain));
        let is_known = |row: &WhatifRow| row.island == island && row.scale == scale;
        if !gains.whatif.iter().any(is_known) {
            gains.whatif.push(WhatifRow { scale, predicted_ns, gain_ns, island });
        }
    }
    // Commands without partner keep their time: what their transfers cost is not known.
    if !has_unpaired {
        gains.hiding = gains.hiding.max(replay.measured - apart);
    }
}

impl Gains {
    /// A straggler; of several gains of a rank the greatest counts.
    fn straggler(&mut self, rank: u32, gain_ns: f64, inherited_from: Option<String>) {
        if let Some(known) = self.stragglers.iter_mut().find(|s| s.rank == rank) {
            known.gain_ns = known.gain_ns.max(gain_ns);
            return;
        }
        let cause = None;
        let row = StragglerRow { rank, gain_ns, inherited_from, late: 0, waited_ns: 0, cause };
        self.stragglers.push(row);
    }
}
