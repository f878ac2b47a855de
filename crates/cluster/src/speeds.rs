//! How fast links are, compared with each other.
//!
//! Where records have moments of data, the rate of a link is its bytes over the time in which they moved. Where only starts
//! and ends are known, a transfer lasts from the later start to the receive's end: that holds latencies, too, so that only
//! transfers of as many bytes are compared, by their medians, and a link is slow only if its jitter does not explain it.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::clocks::Clocks;
use crate::commands::Moments;
use crate::facts::commands;
use crate::numbers::{lower_median, thousandth};
use crate::pairing::Link;
use crate::rank::Rank;

/// Links below this share of the median rate are slow.
pub(crate) const SLOW: f64 = 0.8;
/// Standard errors by which the transfers of a link, of which only ends are known, are longer than the median link's.
const CERTAIN: f64 = 4.0;

/// How fast a link is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Speed {
    /// Bytes a ns, where the moments of data are known.
    pub(crate) rate: Option<f64>,
    /// Share of the fastest link's rate.
    pub(crate) share_of_best: Option<f64>,
    /// Its jitter alone does not explain that it is slow in an operation.
    pub(crate) may_be_slow: bool,
}

/// Transfers of as many bytes over a link.
#[derive(Debug, Clone, Copy)]
struct Transfers {
    count: f64,
    /// ns; the median, and its standard error.
    median: f64,
    error: f64,
}

/// ns of a pair's transfer.
pub(crate) fn moving(clocks: &Clocks, link: &Link, send: &Moments, receive: &Moments) -> f64 {
    if link.has_moments {
        return (send.last - send.first) as f64;
    }
    let clock = |rank: usize| clocks.ranks.get(rank);
    let Some((from, to)) = clock(link.from.rank).zip(clock(link.to.rank)) else { return 0.0 };
    let begin = from.reference(send.start as f64).max(to.reference(receive.start as f64));
    (to.reference(receive.end as f64) - begin).max(0.0)
}

/// The speeds of all links.
pub(crate) fn speeds(ranks: &[Rank], links: &[Link], clocks: &Clocks) -> Vec<Speed> {
    let rates: Vec<Option<f64>> = links.par_iter().map(|link| rate(ranks, link)).collect();
    let best = rates.iter().flatten().copied().fold(0.0, f64::max);
    let of_ends = |link: &Link| match link.has_moments {
        true => BTreeMap::new(),
        false => transfers(ranks, link, clocks),
    };
    let all: Vec<BTreeMap<u64, Transfers>> = links.par_iter().map(of_ends).collect();
    let mut medians: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (bytes, transfers) in all.iter().flatten() {
        medians.entry(*bytes).or_default().push(transfers.median);
    }
    medians.values_mut().for_each(|all| all.sort_by(f64::total_cmp));
    let speed = |(rate, own): (&Option<f64>, &BTreeMap<u64, Transfers>)| match rate {
        Some(rate) if best > 0.0 => Speed {
            rate: Some(*rate),
            share_of_best: Some(thousandth(rate / best)),
            may_be_slow: true,
        },
        _ => by_ends(own, &medians),
    };
    rates.iter().zip(&all).map(speed).collect()
}

/// Bytes and ns of all pairs of a link whose moments are known.
fn rate(ranks: &[Rank], link: &Link) -> Option<f64> {
    let (mut bytes, mut ns) = (0u64, 0i64);
    for (send, receive) in commands(ranks, link).filter(|_| link.has_moments) {
        bytes += link.bytes(send.bytes, receive.bytes);
        ns += send.last - send.first;
    }
    (bytes > 0 && ns > 0).then(|| bytes as f64 / ns as f64)
}

/// The transfers of a link by their bytes.
fn transfers(ranks: &[Rank], link: &Link, clocks: &Clocks) -> BTreeMap<u64, Transfers> {
    let mut times: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (send, receive) in commands(ranks, link) {
        let bytes = link.bytes(send.bytes, receive.bytes);
        if bytes > 0 {
            times.entry(bytes).or_default().push(moving(
                clocks,
                link,
                &send.moments(),
                &receive.moments(),
            ));
        }
    }
    let of = |(bytes, mut times): (u64, Vec<f64>)| {
        times.sort_by(f64::total_cmp);
        let median = lower_median(&times)?;
        let mut apart: Vec<f64> = times.iter().map(|ns| (ns - median).abs()).collect();
        apart.sort_by(f64::total_cmp);
        let count = times.len() as f64;
        // Of a normal distribution: from the median of the distances to the standard error of the median.
        let error = lower_median(&apart)? * 1.4826 * 1.2533 / count.sqrt();
        (median > 0.0).then_some((bytes, Transfers { count, median, error }))
    };
    times.into_iter().filter_map(of).collect()
}

/// The speed of a link of which only ends are known. `medians`: those of all such links in order, by bytes.
fn by_ends(own: &BTreeMap<u64, Transfers>, medians: &BTreeMap<u64, Vec<f64>>) -> Speed {
    let (mut total, mut best, mut usual, mut variance) = (0.0, 0.0, 0.0, 0.0);
    for (bytes, transfers) in own {
        let all = medians.get(bytes).map(Vec::as_slice).unwrap_or_default();
        let (Some(least), Some(middle)) = (all.first(), lower_median(all)) else { continue };
        total += transfers.count * transfers.median;
        best += transfers.count * least;
        usual += transfers.count * middle;
        variance += (transfers.count * transfers.error).powi(2);
    }
    Speed {
        rate: None,
        share_of_best: (total > 0.0).then(|| thousandth(best / total)),
        may_be_slow: usual < SLOW * total && total - usual > CERTAIN * variance.sqrt(),
    }
}
