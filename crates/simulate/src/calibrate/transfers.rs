//! Constants of transfers.

use std::collections::BTreeMap;

use bigtpu_chip::{Engine, Memory, TransferTiming};
use bigtpu_command_cost::{CostModel, MemoryRoute, TransferShape, Windows};

use super::{CommandSample, measured};

/// Least number of transfers of a kind.
const FEW: usize = 8;
/// Transfers of a kind that are looked at.
const MOST: usize = 4096;

/// A transfer of a kind: what it moves and its cycles.
type Moved = (TransferShape, f64);

/// Fits the kinds that have enough samples. Returns their names.
pub(super) fn fit(model: &mut CostModel, samples: &[CommandSample<'_>]) -> Vec<String> {
    let mut by_kind: BTreeMap<String, (MemoryRoute, Vec<(Moved, bool)>)> = BTreeMap::new();
    let mut windows = Windows::of_records();
    for sample in samples.iter().filter(|sample| sample.engine == Engine::Gdma) {
        let cost = model.cost(sample.engine, &sample.command, &mut windows);
        let Some(transfer) = cost.transfer else { continue };
        let l2m = |memory| if memory == Memory::L2 { Memory::L2m } else { memory };
        let kind = MemoryRoute { from: transfer.kind.from.map(l2m), to: l2m(transfer.kind.to) };
        let known = by_kind.entry(kind.name()).or_insert_with(|| (kind, Vec::new()));
        known.1.push(((transfer, sample.cycles), sample.is_alone));
    }
    let mut names = Vec::new();
    for (name, (kind, all)) in by_kind {
        let alone: Vec<Moved> = all.iter().filter(|(_, alone)| *alone).map(|(m, _)| *m).collect();
        let any: Vec<Moved> = all.iter().map(|(m, _)| *m).collect();
        // Where all are shared, sharing can't be told from the memory's own speed.
        let moved = if alone.len() >= FEW { alone } else { any };
        if moved.len() < FEW {
            continue;
        }
        let step = moved.len().div_ceil(MOST);
        let moved: Vec<Moved> = moved.into_iter().step_by(step).collect();
        let first = start_of(model, kind);
        let [start, rate, run, least] = descend(first, &moved);
        let timing = TransferTiming {
            from: kind.from,
            to: kind.to,
            start: measured(start),
            rate_milli: measured(rate.max(1)),
            run_milli: measured(run),
            least_run_milli: measured(least),
        };
        match model.transfers.0.iter_mut().find(|t| t.from == kind.from && t.to == kind.to) {
            Some(known) => *known = timing,
            None => model.transfers.0.push(timing),
        }
        names.push(name);
    }
    names
}

/// Constants that a search begins with: those that are known, or those of a plain read.
fn start_of(model: &CostModel, kind: MemoryRoute) -> [u64; 4] {
    let load = MemoryRoute { from: Some(Memory::Ddr), to: Memory::Lmem };
    let known = model.transfers.get(kind).or_else(|| model.transfers.get(load));
    known.map_or([100, 32_000, 0, 0], |known| {
        [
            known.start.value,
            known.rate_milli.value,
            known.run_milli.value,
            known.least_run_milli.value,
        ]
    })
}

fn cycles(constants: [u64; 4], transfer: &TransferShape) -> f64 {
    let [start, rate, run, least] = constants.map(|constant| constant as f64);
    let pieces = transfer.pieces as f64 / 1000.0;
    let bus = transfer.bus_bytes as f64 * 1000.0 / rate.max(1.0);
    start + bus.max(least * pieces) + run * pieces
}

/// Sum of the relative errors.
fn loss(constants: [u64; 4], moved: &[Moved]) -> f64 {
    moved.iter().map(|(t, measured)| (cycles(constants, t) - measured).abs() / measured).sum()
}

/// Moves one constant after another while that lowers the loss, in ever smaller steps.
fn descend(first: [u64; 4], moved: &[Moved]) -> [u64; 4] {
    let mut best = (loss(first, moved), first);
    // Constants that are 0 can't grow by a share of themselves.
    let floor = [4.0, 100.0, 200.0, 200.0];
    let mut share = 0.5;
    for _ in 0..200 {
        let before = best.0;
        for (place, floor) in floor.iter().enumerate() {
            for sign in [-1.0, 1.0] {
                let mut next = best.1;
                let Some(own) = next.get_mut(place) else { continue };
                let step = ((*own as f64).max(*floor) * share).max(1.0);
                *own = (*own as f64 + sign * step).round().max(0.0) as u64;
                let loss = loss(next, moved);
                if loss < best.0 {
                    best = (loss, next);
                }
            }
        }
        if best.0 >= before {
            share *= 0.6;
            if share < 1e-4 {
                break;
            }
        }
    }
    best.1
}
