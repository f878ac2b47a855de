//! The critical path by rank, kernel and link.

use std::collections::BTreeMap;

use crate::found::Found;
use crate::kernel_times::KernelTimes;
use crate::numbers::thousandth;
use crate::replay::{PathPiece, PathStep};
use crate::report::PathPieceRow;

/// The path's time by rank and kernel, and by link.
pub(crate) fn path_rows(found: &Found, steps: &[PathStep]) -> Vec<PathPieceRow> {
    let mut path: BTreeMap<(PathPiece, Option<u32>), f64> = BTreeMap::new();
    let mut kernels: BTreeMap<usize, KernelTimes> = BTreeMap::new();
    for step in steps {
        let ns = step.to - step.from;
        let PathPiece::Own(rank) = step.piece else {
            *path.entry((step.piece, None)).or_default() += ns;
            continue;
        };
        let known = found.ranks.get(rank).zip(found.clocks.ranks.get(rank));
        let Some((of, clock)) = known else { continue };
        let times = kernels.entry(rank).or_insert_with(|| KernelTimes::add_up(&of.part));
        let [from, to] = [step.from, step.to].map(|time| clock.own(time).round() as i64);
        let split = times.split(from, to);
        // Own ns and those of the reference differ by drift and rounding.
        let own: i64 = split.iter().map(|(_, ns)| ns).sum();
        for (kernel, part) in split.into_iter().filter(|(_, part)| *part > 0) {
            *path.entry((step.piece, kernel)).or_default() += ns * part as f64 / own as f64;
        }
    }
    let row = |((piece, kernel), ns): ((PathPiece, Option<u32>), f64)| {
        let (rank, reason, to) = match piece {
            PathPiece::Own(rank) => (rank, "own time", None),
            PathPiece::Link(from, to) => (from, "link", Some(found.number(to))),
        };
        let names = found.ranks.get(rank).map(|rank| &rank.part.kernels);
        let kernel = kernel.and_then(|kernel| names?.get(kernel as usize).cloned());
        PathPieceRow { rank: found.number(rank), reason, to, kernel, ns: thousandth(ns) }
    };
    path.into_iter().map(row).collect()
}
