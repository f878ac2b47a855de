//! Links agree: around a closed chain of links the offsets of clocks cancel, so what a link says of two clocks must be what
//! all others say of them. One that fits by chance says something else.

use rayon::prelude::*;

use crate::alignment::quantile;
use crate::clocks::{Clocks, NEAR_NS, clocks};
use crate::facts::moments;
use crate::pairing::{Link, Pairing, bursts_of, usual_residual};
use crate::rank::Rank;

/// Bursts from which a link does not fit by chance; what it says of the clocks is a fact then.
const SURE_BURSTS: usize = 16;
/// Links that are compared with all others at once.
const TRIED: usize = 48;
const WHY: &str = "cluster-clocks-contradict";

/// A link that contradicts all others.
struct Contradiction {
    link: usize,
    /// ns; how far its delay is from the latency of links.
    off: f64,
    /// ns; what the clocks without it leave on the other links, in total.
    left: f64,
}

/// Refuses links of few bursts that contradict the clocks which the others prove. `most`: links that may be refused.
pub(crate) fn agreeing(
    ranks: &[Rank],
    mut pairing: Pairing,
    mut found: Clocks,
    sync: Option<f64>,
    most: usize,
) -> (Pairing, Clocks) {
    let mut refused = 0;
    while refused < most {
        let all: Vec<Contradiction> = suspects(ranks, &pairing, &found)
            .into_par_iter()
            .filter_map(|link| contradiction(ranks, &pairing, link, sync))
            .collect();
        let Some(least) = all.iter().map(|one| one.left).min_by(f64::total_cmp) else { break };
        // Where the rest agrees without any of some links, which of them is wrong is not known.
        let mut wrong: Vec<usize> =
            all.iter().filter(|one| one.left - least < one.off / 2.0).map(|one| one.link).collect();
        refused += wrong.len();
        wrong.sort_unstable();
        for link in wrong.into_iter().rev() {
            pairing.refuse(link, WHY);
        }
        found = clocks(ranks, &pairing.links, sync);
    }
    (pairing, found)
}

/// Links that may fit by chance, those on which the clocks leave most; none, where the clocks leave too little on all
/// links for any to contradict the others.
fn suspects(ranks: &[Rank], pairing: &Pairing, found: &Clocks) -> Vec<usize> {
    let left: f64 = found.closure.iter().sum();
    if left < NEAR_NS {
        return Vec::new();
    }
    let few = |(at, link): (usize, &Link)| (bursts_of(ranks, link) < SURE_BURSTS).then_some(at);
    let mut all: Vec<usize> = pairing.links.iter().enumerate().filter_map(few).collect();
    let closure = |at: &usize| found.closure.get(*at).copied().unwrap_or(0.0);
    all.sort_by(|a, b| closure(b).total_cmp(&closure(a)).then(a.cmp(b)));
    all.truncate(TRIED);
    all
}

/// Whether the clocks that all other links prove contradict a link.
fn contradiction(
    ranks: &[Rank],
    pairing: &Pairing,
    at: usize,
    sync: Option<f64>,
) -> Option<Contradiction> {
    let link = pairing.links.get(at)?;
    let mut others = pairing.links.clone();
    others.remove(at);
    let found = clocks(ranks, &others, sync);
    let (from, to) = (link.from.rank, link.to.rank);
    if !(found.is_known(from) && found.is_known(to)) {
        return None;
    }
    let usual = usual_residual(&others, link.has_moments)?;
    let expected = found.expected(ranks, (from, to), link.has_moments, usual)?;
    let pairs = moments(ranks, link).map(|(send, receive)| link.last_moments(&send, &receive));
    let mut late: Vec<f64> =
        pairs.map(|(sent, seen)| seen as f64 - expected.arrival(sent as f64)).collect();
    let middle = late.len() / 2;
    let off = quantile(&mut late, middle)?.abs();
    (off > expected.near).then(|| Contradiction { link: at, off, left: found.closure.iter().sum() })
}

#[cfg(test)]
mod tests {
    use crate::commands::DataCommand;
    use crate::part::{DumpPart, ThreadCommands};
    use crate::rank::Rank;
    use crate::settle::settle;

    /// ns; what the clocks of the ranks are off.
    const OFFSETS: [i64; 4] = [0, 7_000, -3_000, 90_000];

    /// Commands that one rank sends to another, by what they are off the latency of all others.
    struct Of {
        from: usize,
        to: usize,
        off: i64,
    }

    /// Ranks with these links, each of twelve bursts of one command, and a port for each.
    fn ranks(links: &[Of]) -> Vec<Rank> {
        let mut seed = 77u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
            ((seed >> 33) % most) as i64
        };
        let mut ranks: Vec<Rank> = (0..4)
            .map(|number| Rank {
                number,
                part: DumpPart { window: (0, 1_500_000), ..DumpPart::default() },
            })
            .collect();
        for (port, link) in (0..).zip(links) {
            let (mut sends, mut receives) = (Vec::new(), Vec::new());
            let mut time = 100_000;
            for _ in 0..12 {
                time += 90_000 + random(20_000);
                let command = |shift: i64| DataCommand {
                    start: time + shift - 9_000,
                    first: time + shift,
                    last: time + shift + 4_000,
                    end: time + shift + 4_500,
                    bytes: 4096,
                    ..DataCommand::default()
                };
                sends.push(command(OFFSETS[link.from]));
                receives.push(command(OFFSETS[link.to] + 300 + random(9) + link.off));
            }
            for (rank, receives, commands) in [(link.from, false, sends), (link.to, true, receives)]
            {
                ranks[rank].part.threads.push(ThreadCommands {
                    port,
                    receives,
                    is_anchored: true,
                    has_moments: true,
                    commands: commands.into_iter().collect(),
                    ..ThreadCommands::default()
                });
            }
        }
        ranks
    }

    /// Each rank with the next, both ways, and one more link from rank 0 to rank 2 that is `off` ns longer.
    fn links(off: i64) -> (usize, usize) {
        let ring = (0..4).flat_map(|rank| [(rank, (rank + 1) % 4), ((rank + 1) % 4, rank)]);
        let mut all: Vec<Of> = ring.map(|(from, to)| Of { from, to, off: 0 }).collect();
        all.push(Of { from: 0, to: 2, off });
        let (pairing, _) = settle(&ranks(&all), &[], None);
        let across = pairing.links.iter().filter(|link| (link.from.rank, link.to.rank) == (0, 2));
        (pairing.links.len(), across.count())
    }

    #[test]
    fn a_link_that_contradicts_the_clocks_of_all_others_is_refused() {
        assert_eq!(links(0), (9, 1));
        assert_eq!(links(2_500), (8, 0));
    }

    /// A chain that closes once: one of its links is wrong, and nothing tells which.
    #[test]
    fn where_nothing_tells_which_link_is_wrong_none_is_used() {
        let all: Vec<Of> = [(0, 1), (1, 0), (1, 2), (2, 3), (0, 3)]
            .map(|(from, to)| Of { from, to, off: if (from, to) == (0, 3) { 4_000 } else { 0 } })
            .into();
        let (pairing, _) = settle(&ranks(&all), &[], None);
        let left: Vec<_> = pairing.links.iter().map(|l| (l.from.rank, l.to.rank)).collect();
        assert_eq!(left, [(0, 1), (1, 0)], "{:?}", pairing.ambiguous);
    }
}
