//! Threads that data alone leave open, between ranks whose clocks other links prove: what one sends, the other gets a
//! latency later.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::assign::assign;
use super::looks::{bursts, times};
use super::usual::fits;
use super::{Candidate, Link, Of, Pairing, RESOLUTION, all_threads, usual_residual};
use crate::alignment::{Alignment, MOST_NS};
use crate::clocks::Clocks;
use crate::rank::Rank;

/// Fewest bursts: nothing is fitted, so few tell apart.
const LEAST_BURSTS: usize = 2;
/// Commands of a sender that are looked at first, and how many of them must have something near.
const SAMPLE: usize = 32;
const SAMPLE_NEAR: f64 = 0.4;

/// The pairing with the links that the clocks show; `None`: they show none.
pub(crate) fn complete(ranks: &[Rank], pairing: &Pairing, clocks: &Clocks) -> Option<Pairing> {
    let taken: BTreeSet<_> = pairing.links.iter().flat_map(|link| [link.from, link.to]).collect();
    let known: Vec<bool> = (0..ranks.len()).map(|rank| clocks.is_known(rank)).collect();
    let is_known = |rank: usize| known.get(rank).copied().unwrap_or(false);
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
    let of_links = [false, true].map(|has_moments| usual_residual(&pairing.links, has_moments));
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

fn candidate(
    ranks: &[Rank],
    clocks: &Clocks,
    (from, send): &Of<'_>,
    (to, receive): &Of<'_>,
    usual: f64,
) -> Option<Candidate> {
    let has_moments = send.has_moments && receive.has_moments;
    let expected = clocks.expected(ranks, (from.rank, to.rank), has_moments, usual)?;
    let near = expected.near.min(MOST_NS);
    let expected = |sent: f64| expected.arrival(sent);
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
