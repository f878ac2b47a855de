//! The heat table: what each rank did in each of many equal stretches of time.

use std::io::Write as _;

use bigtpu_cluster::{Joined, RankView, States};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rayon::prelude::*;
use serde::Serialize;

/// Bytes of the table at most, before it is deflated.
const MOST_BYTES: usize = 8 << 20;
/// Stretches at most, and at least.
const MOST_BINS: usize = 4096;
const LEAST_BINS: usize = 256;
/// Number of the state of time outside of a rank's records.
const NOT_CAPTURED: usize = 10;

/// What the numbers of the table mean.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Heat {
    /// Stretches of time of each rank.
    bins: usize,
    /// Ranks, in the order of the table.
    ranks: Vec<u32>,
    /// Number of each rank's island.
    islands: Vec<usize>,
    /// Window of each island: ns of the reference where the first stretch begins and the last ends.
    windows: Vec<(f64, f64)>,
}

/// The table: for each rank, each stretch and each state a byte, the state's share of the stretch in 255ths; deflated.
pub(super) fn heat(joined: &Joined) -> (Heat, Vec<u8>) {
    let states = States::NAMES.len();
    let ranks = joined.ranks().len().max(1);
    let most = (MOST_BYTES / (ranks * states)).clamp(LEAST_BINS, MOST_BINS);
    // Levels of the page's zoom are halves of each other.
    let bins = 1 << most.ilog2();
    let islands = joined.ranks().map(|r| r.clock.island + 1).max().unwrap_or(0);
    let mut windows = vec![(f64::INFINITY, f64::NEG_INFINITY); islands];
    for rank in joined.ranks() {
        let (start, end) = rank.rank.part.window;
        if let Some(window) = windows.get_mut(rank.clock.island) {
            window.0 = window.0.min(rank.clock.reference(start));
            window.1 = window.1.max(rank.clock.reference(end));
        }
    }
    let all = joined.states();
    let row = |(place, rank): (usize, RankView<'_>)| {
        let (from, to) = windows.get(rank.clock.island).copied().unwrap_or((0.0, 1.0));
        let length = ((to - from) / bins as f64).max(1e-9);
        let mut ns = vec![0.0f64; bins * states];
        let mut own = rank.rank.part.window.0;
        for run in all.runs_of(place) {
            let end = own.saturating_add(i64::try_from(run.ns).unwrap_or(i64::MAX));
            let start = (rank.clock.reference(own) - from) / length;
            let stop = ((rank.clock.reference(end) - from) / length).min(bins as f64);
            let mut at = start.max(0.0);
            while at < stop {
                let next = (at.floor() + 1.0).min(stop);
                if let Some(sum) = ns.get_mut(at as usize * states + usize::from(run.state)) {
                    *sum += next - at;
                }
                at = next;
            }
            own = end;
        }
        let mut row = vec![0u8; bins * states];
        for (shares, sums) in row.chunks_mut(states).zip(ns.chunks(states)) {
            let known: f64 = sums.iter().sum();
            for (state, (share, sum)) in shares.iter_mut().zip(sums).enumerate() {
                let rest = if state == NOT_CAPTURED { (1.0 - known).max(0.0) } else { 0.0 };
                *share = ((sum + rest) * 255.0).round().clamp(0.0, 255.0) as u8;
            }
        }
        row
    };
    let ranks: Vec<(usize, RankView<'_>)> = joined.ranks().enumerate().collect();
    let rows: Vec<Vec<u8>> = ranks.into_par_iter().map(row).collect();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    for row in rows {
        // Writing into a vector cannot fail.
        let _ = encoder.write_all(&row);
    }
    let heat = Heat {
        bins,
        ranks: joined.ranks().map(|r| r.rank.number).collect(),
        islands: joined.ranks().map(|r| r.clock.island).collect(),
        windows,
    };
    (heat, encoder.finish().unwrap_or_default())
}
