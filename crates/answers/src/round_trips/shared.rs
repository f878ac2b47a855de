//! Data that several cores load from the same place in the same launch, and that no command of the run writes: weights, or the input.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_timeline::EngineId;

use super::area::Area;
use super::stretches::Stretches;
use super::transfers::Transfer;

/// A load of what another core loads, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedLoad {
    pub(crate) engine_id: EngineId,
    /// Index in its track.
    pub(crate) event: usize,
    /// ns that it takes.
    pub(crate) ns: i64,
    /// Cores that load the place in this launch.
    pub(crate) cores: u32,
}

/// What several cores load.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SharedLoads {
    pub(crate) loads: Vec<SharedLoad>,
    /// Places in DDR: each an address and a shape.
    pub(crate) places: u64,
    /// Bytes of these places, each counted once.
    pub(crate) bytes: u64,
    /// Cores that load any of them.
    pub(crate) cores: u64,
}

impl SharedLoads {
    /// Among the transfers of a run, by start.
    pub(super) fn from_transfers(all: &[Transfer]) -> Self {
        let core = |load: &&Transfer| load.engine_id.index;
        let mut of_place: BTreeMap<(Area, usize), Vec<&Transfer>> = BTreeMap::new();
        for load in loads_of_several_cores(all) {
            let Some(area) = load.reads else { continue };
            of_place.entry((area, load.launch)).or_default().push(load);
        }
        of_place.retain(|_, loads| {
            loads.iter().any(|load| Some(core(load)) != loads.first().map(core))
        });
        if of_place.is_empty() {
            return Self::default();
        }
        let written = Stretches::written(all.iter());
        let (mut found, mut places, mut cores) =
            (Self::default(), BTreeSet::new(), BTreeSet::new());
        for ((area, _), loads) in of_place {
            if written.meet(&area.bounds()) {
                continue;
            }
            let own: BTreeSet<u32> = loads.iter().map(core).collect();
            found.loads.extend(loads.iter().map(|load| SharedLoad {
                engine_id: load.engine_id,
                event: load.event,
                ns: load.ns(),
                cores: own.len() as u32,
            }));
            cores.extend(own);
            places.insert(area);
        }
        (found.places, found.cores) = (places.len() as u64, cores.len() as u64);
        found.bytes = places.iter().map(Area::bytes).sum();
        found
    }
}

/// Loads from DDR that begin at an address from which several cores load in their launch, in the order of `all`. Most loads of most runs are
/// not of these, and an address is sooner compared than an area.
fn loads_of_several_cores(all: &[Transfer]) -> Vec<&Transfer> {
    let loads = all.iter().enumerate().filter(|(_, of)| of.is_load() && of.reads_ddr);
    let mut by_address: Vec<(u64, usize, usize)> =
        loads.filter_map(|(at, load)| Some((load.reads?.address(), load.launch, at))).collect();
    by_address.sort_unstable();
    let core = |at: usize| all.get(at).map(|load| load.engine_id.index);
    let mut found: Vec<usize> = Vec::new();
    for same in by_address.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let mut cores = same.iter().map(|(.., at)| core(*at));
        let first = cores.next();
        if cores.any(|other| Some(other) != first) {
            found.extend(same.iter().map(|(.., at)| *at));
        }
    }
    found.sort_unstable();
    found.into_iter().filter_map(|at| all.get(at)).collect()
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;

    fn transfer(core: u32, start: i64, reads: Option<u64>, writes: Option<u64>) -> Transfer {
        let area = |address| Area::of_bytes(address, 100);
        Transfer {
            engine_id: EngineId { index: core, engine: Engine::Gdma },
            event: start as usize,
            start,
            end: start + 10,
            launch: 0,
            reads: reads.map(area),
            reads_ddr: true,
            writes: writes.map(area),
            is_tensor: false,
            is_fill: false,
            local: None,
        }
    }

    #[test]
    fn what_several_cores_load_and_nobody_writes_is_shared() {
        let load = |core, start, place| transfer(core, start, Some(place), None);
        let all = [
            load(0, 0, 1000),
            load(1, 5, 1000),
            // One core alone, twice.
            load(0, 10, 2000),
            load(0, 20, 2000),
            // Stored by a core of the run: results, no weights.
            transfer(0, 30, None, Some(3050)),
            load(0, 40, 3000),
            load(1, 40, 3000),
        ];
        let found = SharedLoads::from_transfers(&all);
        assert_eq!((found.places, found.bytes, found.cores), (1, 100, 2));
        assert_eq!(found.loads.iter().map(|load| load.event).collect::<Vec<_>>(), [0, 5]);
        // In another launch of the second core it is another round.
        let apart = [load(0, 0, 1000), Transfer { launch: 1, ..load(1, 5, 1000) }];
        assert_eq!(SharedLoads::from_transfers(&apart), SharedLoads::default());
    }
}
