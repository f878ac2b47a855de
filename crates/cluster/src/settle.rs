//! Links and clocks prove each other: a link whose orders contradict all others is none, and of threads that data alone
//! leave open, the clocks of their ranks say which belong together.

use rayon::prelude::*;

use crate::agreement::agreeing;
use crate::clocks::{Clocks, clocks};
use crate::pairing::{Pairing, ThreadId, complete, pair};
use crate::rank::Rank;

/// Links whose removal is tried at once, those with most conflicts.
const TRIED: usize = 48;
/// With more links than this the one with most conflicts goes untried.
const MOST_TRIED: usize = 256;
/// Links that may be dropped, and the share of all.
const DROPPED: usize = 6;
const DROPPED_SHARE: usize = 20;

/// The links of the ranks and their clocks.
pub(crate) fn settle(
    ranks: &[Rank],
    given: &[(ThreadId, ThreadId)],
    sync: Option<f64>,
) -> (Pairing, Clocks) {
    let pairing = pair(ranks, given);
    let found = clocks(ranks, &pairing.links, sync);
    let most = DROPPED.max(pairing.links.len() / DROPPED_SHARE);
    let (pairing, found) = without_conflicts(ranks, pairing, found, sync, most);
    let (pairing, found) = agreeing(ranks, pairing, found, sync, most);
    let completed = complete(ranks, &pairing, &found).map(|completed| {
        let again = clocks(ranks, &completed.links, sync);
        (completed, again)
    });
    let better = completed.filter(|(_, again)| again.conflicts() <= found.conflicts());
    let (mut pairing, found) = better.unwrap_or((pairing, found));
    pairing.name_the_rest(ranks);
    (pairing, found)
}

/// Drops links until no order is violated; nothing, where few links do not do.
fn without_conflicts(
    ranks: &[Rank],
    pairing: Pairing,
    found: Clocks,
    sync: Option<f64>,
    most: usize,
) -> (Pairing, Clocks) {
    if found.conflicts() == 0 {
        return (pairing, found);
    }
    let (mut now, mut its) = (pairing.clone(), found.clone());
    for _ in 0..most {
        let mut worst: Vec<(u64, usize)> =
            its.of_links.iter().copied().zip(0..).filter(|(count, _)| *count > 0).collect();
        worst.sort_by_key(|(count, at)| (std::cmp::Reverse(*count), *at));
        worst.truncate(if now.links.len() > MOST_TRIED { 1 } else { TRIED });
        let tried = worst.into_par_iter().map(|(_, at)| {
            let mut less = now.clone();
            less.refuse(at, "cluster-orders-contradict");
            let clocks = clocks(ranks, &less.links, sync);
            (clocks.conflicts(), at, less, clocks)
        });
        let Some((left, _, less, clocks)) = tried.min_by_key(|(left, at, ..)| (*left, *at)) else {
            break;
        };
        if left == 0 {
            return (less, clocks);
        }
        (now, its) = (less, clocks);
    }
    (pairing, found)
}
