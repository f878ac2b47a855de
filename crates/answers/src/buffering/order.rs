//! The GDMA's commands in the measured order and with loads first; how long a launch takes in each.

use super::commands::{Operation, reads_result};

/// From a command's end to the start of one that waited for it, in ns.
const HAND_OVER_NS: i64 = 9;

/// The transfers in the order in which they ran.
pub(super) fn measured_order(all: &[Operation]) -> Vec<usize> {
    (0..all.len()).filter(|at| all.get(*at).is_some_and(|one| !one.is_tiu)).collect()
}

/// The operations at these places.
fn operations<'o>(all: &'o [Operation], at: &[usize]) -> impl Iterator<Item = &'o Operation> {
    at.iter().filter_map(|at| all.get(*at))
}

/// The transfers with the loads of each tile before the stores of the tile before; `None` if most loads ran ahead already, or there
/// is little to move.
pub(super) fn pipelined_order(all: &[Operation]) -> Option<Vec<usize>> {
    let is_load = |at: &usize| all.get(*at).is_some_and(|one| one.is_load);
    let measured = measured_order(all);
    let runs: Vec<&[usize]> = measured.chunk_by(|a, b| is_load(a) == is_load(b)).collect();
    let (mut moved, mut ahead) = (0, 0);
    let mut order = Vec::with_capacity(measured.len());
    let mut at = 0;
    while let Some(run) = runs.get(at).copied() {
        let next = runs.get(at + 1).copied().unwrap_or_default();
        let is_store_run = run.first().is_some_and(|first| !is_load(first));
        let is_free = || {
            !operations(all, next)
                .any(|load| operations(all, run).any(|store| reads_result(load, store)))
        };
        if is_store_run && at > 0 && !next.is_empty() && is_free() {
            // What was computed before these stores had ended when the loads began, unless they ran ahead.
            let computed = operations(all, run).filter_map(|store| all.get(store.needs?));
            let computed = computed.map(|computed| computed.end);
            let began = operations(all, next).map(|load| load.start).min();
            ahead += usize::from(computed.max() > began);
            moved += 1;
            order.extend_from_slice(next);
            order.extend_from_slice(run);
            at += 2;
            continue;
        }
        order.extend_from_slice(run);
        at += 1;
    }
    // One move tells little: in a launch of three tiles the loads of two may be first, and so ahead already.
    (moved > 1 && ahead * 2 < moved).then_some(order)
}

/// How long the commands take with the transfers in an order, in ns. `reuses`: a command also waits for those that use what it
/// overwrites. Commands keep their durations, and engines the pauses that nothing else explains.
pub(super) fn run(all: &[Operation], transfers: &[usize], reuses: bool) -> i64 {
    let tiu: Vec<usize> =
        (0..all.len()).filter(|at| all.get(*at).is_some_and(|one| one.is_tiu)).collect();
    let mut end: Vec<Option<i64>> = vec![None; all.len()];
    let mut free = [0i64; 2];
    let mut next = [0usize; 2];
    let queues = [transfers, &tiu];
    let mut last = 0;
    loop {
        let mut has_moved = false;
        for ((queue, next), free) in queues.iter().zip(&mut next).zip(&mut free) {
            while let Some(at) = queue.get(*next).copied() {
                let Some(one) = all.get(at) else { break };
                let follows = one.follows.filter(|_| reuses);
                let ready =
                    [one.needs, follows].into_iter().flatten().try_fold(0, |ready, other| {
                        let ended = end.get(other).copied().flatten()?;
                        Some(i64::max(ready, ended + HAND_OVER_NS))
                    });
                let Some(ready) = ready else { break };
                let ended = ready.max(*free) + (one.end - one.start);
                if let Some(slot) = end.get_mut(at) {
                    *slot = Some(ended);
                }
                *free = ended + 1;
                last = last.max(ended);
                *next += 1;
                has_moved = true;
            }
        }
        if !has_moved {
            break;
        }
    }
    // A cycle of dependences: the order is not possible.
    if queues.iter().zip(next).any(|(queue, next)| next < queue.len()) { i64::MAX } else { last }
}

/// ns that the commands take at least, in whatever order and with buffers without a limit: those of an engine run one after another, and a
/// command runs after those whose results it needs in local memory.
pub(super) fn least(all: &[Operation]) -> i64 {
    let ns = |one: &Operation| one.end - one.start;
    let of_engine = |is_tiu| all.iter().filter(|one| one.is_tiu == is_tiu).map(ns).sum::<i64>();
    let mut chains = vec![0i64; all.len()];
    for (at, one) in all.iter().enumerate() {
        let needed = one.needs.and_then(|other| chains.get(other).copied()).unwrap_or(0);
        if let Some(chain) = chains.get_mut(at) {
            *chain = needed + ns(one);
        }
    }
    let longest = chains.into_iter().max().unwrap_or(0);
    longest.max(of_engine(true)).max(of_engine(false))
}

#[cfg(test)]
mod tests {
    use super::super::commands::testing::{computed, loaded, stored};
    use super::*;

    /// Tiles of a load of 100, a computation of 80 and a store of 20, one after another.
    fn tiles(count: i64) -> Vec<Operation> {
        let tile = |n: i64| {
            let (start, first) = (n * 220, (n * 3) as usize);
            [
                loaded((start, start + 100), first.checked_sub(2)),
                computed((start + 110, start + 190), first),
                stored((start + 200, start + 220), first + 1),
            ]
        };
        (0..count).flat_map(tile).collect()
    }

    #[test]
    fn loads_go_before_the_stores_of_the_tile_before() {
        let all = tiles(3);
        assert_eq!(measured_order(&all), [0, 2, 3, 5, 6, 8]);
        assert_eq!(pipelined_order(&all).unwrap(), [0, 3, 2, 6, 5, 8]);
    }

    #[test]
    fn a_second_buffer_hides_the_computation() {
        let all = tiles(10);
        let now = run(&all, &measured_order(&all), true);
        assert!((2180..2230).contains(&now), "{now}");
        // The engine is busy to the end of the last load (10 loads, 8 stores, 17 pauses of 1 ns); then come the last
        // computation with its two hand-overs and the last store.
        let then = run(&all, &pipelined_order(&all).unwrap(), false);
        let busy_ns = 10 * 100 + 8 * 20 + 17;
        assert_eq!(then, busy_ns + HAND_OVER_NS + 80 + HAND_OVER_NS + 20);
        // No order is shorter than the transfers of all tiles; one tile is a chain.
        assert_eq!(least(&all), 10 * (100 + 20));
        assert!(least(&all) <= then);
        assert_eq!(least(&tiles(1)), 100 + 80 + 20);
    }
}
