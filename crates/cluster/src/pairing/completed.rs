//! Threads that data alone leave open, between ranks whose clocks other links prove: what one sends, the other gets a
//! latency later.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::assign::assign;
use super::looks::{bursts, times};
use super::usual::{fits, usual};
use super::{Candidate, Link, Of, Pairing, RESOLUTION, all_threads};
use crate::alignment::{Alignment, MOST_NS};
use crate::clocks::{Clocks, LinkKind, Method, RankClock};
use crate::rank::Rank;

/// Fewest bursts: nothing is fitted, so few tell apart.
const LEAST_BURSTS: usize = 2;
/// ns; how far from where it is expected a command may be, times the usual residual, times sigma of the clocks.
const NEAR_NS: f64 = 100.0;
const NEAR_USUAL: f64 = 6.0;
const NEAR_SIGMA: f64 = 3.0;
/// Commands of a sender that are looked at first, and how many of them must have something near.
const SAMPLE: usize = 32;
const SAMPLE_NEAR: f64 = 0.4;

/// The pairing with the links that the clocks show; `None`: they show none.
pub(crate) fn complete(ranks: &[Rank], pairing: &Pairing, clocks: &Clocks) -> Option<Pairing> {
    let taken: BTreeSet<_> = pairing.links.iter().flat_map(|link| [link.from, link.to]).collect();
    let is_known = |rank: usize| {
        let clock = clocks.ranks.get(rank);
        clock.is_some_and(|own| own.links > 0 && is_closed(clocks, own.island))
    };
    let open = |receives: bool| -> Vec<Of<'_>> {
        let threads = all_threads(ranks);
        let own = threads.filter(|(id, thread)| {
            thread.receives == receives
                && thread.is_anchored
                && !taken.contains(id)
                && is_known(id.rank)
        });
        own.collect()
    };
    let (sends, receives) = (open(false), open(true));
    let all: Vec<(&Of<'_>, &Of<'_>)> =
        sends.iter().flat_map(|send| receives.iter().map(move |receive| (send, receive))).collect();
    let of_links = [false, true].map(|has_moments| {
        let own = pairing.links.iter().filter(|link| link.has_moments == has_moments);
        usual(own.map(|link| link.alignment.noise))
    });
    let candidate = |(send, receive): (&Of<'_>, &Of<'_>)| {
        let has_moments = send.1.has_moments && receive.1.has_moments;
        let usual = *of_links.get(usize::from(has_moments))?;
        candidate(ranks, clocks, send, receive, usual?)
    };
    let candidates: Vec<Candidate> = all.into_par_iter().filter_map(candidate).collect();
    let found = assign(candidates, LEAST_BURSTS, None);
    let links: Vec<Link> = found.into_iter().filter_map(|one| one.link(ranks)).collect();
    if links.is_empty() {
        return None;
    }
    let mut completed = pairing.clone();
    completed
        .ambiguous
        .retain(|a| links.iter().all(|link| link.from != a.thread && link.to != a.thread));
    completed.links.extend(links);
    completed.links.sort_by_key(|l| (l.from, l.to));
    Some(completed)
}

/// Whether an island's offsets are known, not only bounded.
fn is_closed(clocks: &Clocks, island: usize) -> bool {
    let known = [Method::Reference, Method::Data, Method::Ends];
    clocks.ranks.iter().filter(|c| c.island == island).all(|c| known.contains(&c.method))
}

/// The latency of a kind of link, in ns: that of the nearest kind whose links are known.
fn latency(clocks: &Clocks, kind: LinkKind) -> Option<f64> {
    let other = LinkKind { crosses_hosts: !kind.crosses_hosts, ..kind };
    clocks.latency.get(&kind).or_else(|| clocks.latency.get(&other)).copied()
}

fn candidate(
    ranks: &[Rank],
    clocks: &Clocks,
    (from, send): &Of<'_>,
    (to, receive): &Of<'_>,
    usual: f64,
) -> Option<Candidate> {
    let (a, b): (&RankClock, &RankClock) =
        (clocks.ranks.get(from.rank)?, clocks.ranks.get(to.rank)?);
    if from.rank == to.rank || a.island != b.island {
        return None;
    }
    let has_moments = send.has_moments && receive.has_moments;
    let host = |rank: usize| ranks.get(rank).map(|rank| &rank.part.identity.host);
    let crosses_hosts = host(from.rank) != host(to.rank);
    let latency = latency(clocks, LinkKind { island: a.island, crosses_hosts, has_moments })?;
    let expected = |sent: f64| b.own(a.reference(sent) + latency);
    let near = NEAR_NS + NEAR_USUAL * usual + NEAR_SIGMA * (a.sigma + b.sigma);
    let near = near.min(MOST_NS);
    let (s, r) = (times(send, has_moments), times(receive, has_moments));
    let shorter = s.len().min(r.len());
    let is_near = |sent: i64| {
        let time = expected(sent as f64);
        let at = r.partition_point(|r| (*r as f64) < time - near);
        r.get(at).is_some_and(|r| *r as f64 <= time + near)
    };
    // Captures may begin and end at different moments: only commands in both are looked at.
    let (first, last) = (*r.first()? as f64 - near, *r.last()? as f64 + near);
    let both: Vec<i64> =
        s.iter().copied().filter(|s| (first..=last).contains(&expected(*s as f64))).collect();
    let step = both.len() / SAMPLE + 1;
    let sample = both.iter().step_by(step);
    let count = sample.clone().count() as f64;
    if (sample.filter(|sent| is_near(**sent)).count() as f64) < SAMPLE_NEAR * count {
        return None;
    }
    let alignment = Alignment::by_clocks(&s, &r, expected, near)?;
    if !alignment.covers(shorter) || !fits(&alignment, usual) {
        return None;
    }
    let (score, bursts) = (alignment.score.max(RESOLUTION), bursts(send));
    Some(Candidate { from: *from, to: *to, score, shorter, bursts, alignment, has_moments })
}
