//! Links are alike: what fits much worse than the others is none.

use std::collections::BTreeSet;

use super::{Ambiguous, Candidate, Link, Pairing, RESOLUTION, ThreadId, thread_of};
use crate::alignment::Alignment;
use crate::rank::Rank;

/// How many times the usual residual of links a link's may be.
const UNUSUAL: f64 = 3.0;
/// Share of the commands of a link that may have no partner.
const MOST_ALONE: f64 = 0.1;
/// Residual in ns that ends have on a link on which some receives combine data and others only store them: a combining one ends some ns
/// later. Where ends are all that is known, a link may have it whatever the others have, if another one leads back...
const COMBINING_NS: f64 = 15.0;
/// ... or if other links do, and the residuals are two groups on both sides of the line: their 95th percentile is at most so many times
/// their median. It is 1.9 times of residuals that are as often small as large, and more of others.
const TWO_GROUPS: f64 = 1.75;

/// The residual that links have, in ns: that of the best quarter. Links are alike, and where the right partners of many
/// are missing, most of what was found may be wrong.
pub(super) fn usual(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let mut scores: Vec<f64> = scores.map(|score| score.max(RESOLUTION)).collect();
    scores.sort_by(f64::total_cmp);
    scores.get(scores.len().saturating_sub(1) / 4).copied()
}

/// Whether an alignment is as good as others are.
pub(super) fn fits(alignment: &Alignment, usual: f64) -> bool {
    alignment.noise <= UNUSUAL * usual && alignment.alone <= MOST_ALONE
}

/// Leaves candidates whose residual is far above that of others for a look at more shifts.
pub(super) fn leave_unusual(found: &mut Vec<Candidate>, links: &[Link]) {
    for has_moments in [false, true] {
        let known = links.iter().filter(|l| l.has_moments == has_moments);
        let known = known.map(|l| l.alignment.noise);
        let new = found.iter().filter(|c| c.has_moments == has_moments).map(|c| c.alignment.noise);
        let Some(usual) = usual(known.chain(new)) else { continue };
        found.retain(|c| c.has_moments != has_moments || c.alignment.noise <= UNUSUAL * usual);
    }
}

/// Refuses links whose residual is far above that of the others, or that leave commands alone which have a record of their
/// partner if there is one: the right partner's dump is missing, and a neighbour's commands fit best.
pub(super) fn refuse_unusual(ranks: &[Rank], pairing: &mut Pairing) {
    for has_moments in [false, true] {
        let of_kind = |l: &&Link| l.has_moments == has_moments;
        let noises = pairing.links.iter().filter(of_kind).map(|l| l.alignment.noise);
        let Some(usual) = usual(noises) else { continue };
        let links = &pairing.links;
        let may_combine = |l: &Link| {
            let leads_back =
                |back: &Link| (back.from.rank, back.to.rank) == (l.to.rank, l.from.rank);
            let has_groups = l.alignment.p95 <= TWO_GROUPS * l.alignment.p50;
            let is_in_ring = || reached(links.iter(), l.to.rank, true).contains(&l.from.rank);
            !has_moments && (links.iter().any(leads_back) || has_groups && is_in_ring())
        };
        let may_combine: BTreeSet<(ThreadId, ThreadId)> =
            links.iter().filter(|l| may_combine(l)).map(|l| (l.from, l.to)).collect();
        let unlike = |l: &Link| {
            let may_combine = may_combine.contains(&(l.from, l.to));
            let usual = if may_combine { usual.max(COMBINING_NS / UNUSUAL) } else { usual };
            of_kind(&l) && !fits(&l.alignment, usual)
        };
        refuse(pairing, unlike, "cluster-fits-worse");
    }
    let links = &pairing.links;
    let doubtful = |link: &&Link| leaves_alone(ranks, link) && is_only_way(links, link);
    let doubtful: Vec<ThreadId> = links.iter().filter(doubtful).map(|link| link.from).collect();
    refuse(pairing, |link| doubtful.contains(&link.from), "cluster-commands-without-partner");
}

/// Whether commands between pairs have no partner although neither side lost a record: words say which there are.
fn leaves_alone(ranks: &[Rank], link: &Link) -> bool {
    let is_whole = |id| thread_of(ranks, id).is_some_and(|thread| thread.is_whole);
    link.alignment.alone_inside() != [0; 2] && is_whole(link.from) && is_whole(link.to)
}

/// Whether no other links join the two ranks of a link: then none can contradict it.
fn is_only_way(links: &[Link], of: &Link) -> bool {
    let others = links.iter().filter(|link| (link.from, link.to) != (of.from, of.to));
    !reached(others, of.from.rank, false).contains(&of.to.rank)
}

/// Ranks to which links lead from a rank; `one_way`: along the links only.
fn reached<'l>(
    links: impl Iterator<Item = &'l Link> + Clone,
    from: usize,
    one_way: bool,
) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(rank) = open.pop() {
        for link in links.clone() {
            let (a, b) = (link.from.rank, link.to.rank);
            let next = if a == rank { b } else { a };
            if (a == rank || b == rank && !one_way) && reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// Refuses some links, and says why.
fn refuse(pairing: &mut Pairing, is_refused: impl Fn(&Link) -> bool, why: &'static str) {
    let (refused, kept): (Vec<Link>, Vec<Link>) =
        std::mem::take(&mut pairing.links).into_iter().partition(is_refused);
    pairing.links = kept;
    for link in refused {
        for (thread, partner) in [(link.from, link.to), (link.to, link.from)] {
            let candidates = vec![(partner, link.alignment.score)];
            pairing.ambiguous.push(Ambiguous { thread, why, candidates });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::How;

    fn link(from: usize, to: usize, noise: f64, has_moments: bool) -> Link {
        let thread = |rank, thread| ThreadId { rank, thread };
        Link {
            from: thread(from, to),
            to: thread(to, 10 + from),
            alignment: Alignment {
                count: 32,
                score: noise,
                noise,
                p50: noise,
                p95: 2.5 * noise,
                ..Alignment::default()
            },
            has_moments,
            how: How::Data,
            other_bytes: 0,
            has_shapes: false,
        }
    }

    /// Ends of receives that combine come some ns later than others. A link in one direction alone may have a wrong partner.
    #[test]
    fn links_whose_receives_combine_may_fit_worse_by_their_ends() {
        let kept = |noise: f64, has_moments: bool| -> Vec<(usize, usize)> {
            let of = |from, to, noise| link(from, to, noise, has_moments);
            let mut links = vec![of(0, 2, 2.0), of(2, 0, 2.0), of(1, 3, 2.0), of(3, 1, 2.0)];
            links.extend([of(0, 1, noise), of(1, 0, noise), of(2, 3, noise)]);
            let mut pairing = Pairing { links, ..Pairing::default() };
            refuse_unusual(&[], &mut pairing);
            pairing.links.iter().skip(4).map(|l| (l.from.rank, l.to.rank)).collect()
        };
        assert_eq!(kept(9.0, false), [(0, 1), (1, 0)]);
        assert_eq!(kept(5.0, false), [(0, 1), (1, 0), (2, 3)]);
        assert_eq!([kept(16.0, false), kept(9.0, true)], [const { Vec::new() }; 2]);
    }

    /// In a ring no link leads back; residuals in two groups say that receives combine, and not that the partner is another one.
    #[test]
    fn links_of_a_ring_fit_worse_in_two_groups() {
        let kept = |p95: f64| {
            let mut links: Vec<Link> = (0..3).map(|n| link(n, n + 3, 2.0, false)).collect();
            for n in 0..3 {
                let mut one = link(n, (n + 1) % 3, 9.0, false);
                one.alignment.p95 = p95;
                links.push(one);
            }
            let mut pairing = Pairing { links, ..Pairing::default() };
            refuse_unusual(&[], &mut pairing);
            pairing.links.len()
        };
        assert_eq!([kept(13.0), kept(17.5)], [6, 3]);
    }
}
