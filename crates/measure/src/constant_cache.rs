//! Loads that a cache of constants would serve: data that no command of the run writes, loaded from DDR before.

use std::collections::{BTreeMap, HashMap};

use bigtpu_chip::{Engine, Memory, Slot};
use bigtpu_timeline::{EngineId, Profile};
use foldhash::fast::RandomState;

use crate::reuse::load_from_ddr;
use crate::{Addresses, CommandTable, TrackCommand};

/// What a cache of constants serves (commands with full bits only).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConstantCache {
    /// Loads from DDR.
    pub loads: u64,
    /// Bytes that they read.
    pub bytes: u64,
    /// Different constants: address and bytes of a load that no command writes to.
    pub constants: u64,
    /// Bytes of the constants, each counted once.
    pub constant_bytes: u64,
    /// Loads that the cache serves: engine, index among its events, bytes.
    pub hits: Vec<(EngineId, usize, u64)>,
}

/// Address and bytes of a load.
type Place = (u64, u64);

/// A load from DDR.
struct Load {
    start: i64,
    engine: EngineId,
    event: usize,
    place: Place,
}

impl ConstantCache {
    /// What a cache of `capacity` bytes for all cores serves. It keeps whole loads and gives up the one whose last use is
    /// longest ago; a load that begins while the same data is being loaded for the first time is served too.
    #[must_use]
    pub fn compute(profile: &Profile<'_>, table: &CommandTable, capacity: u64) -> Self {
        let (mut loads, mut stores) = (Vec::new(), Vec::new());
        for commands in table.all_commands(profile) {
            let engine = commands.track.engine_id;
            if engine.engine == Engine::Tiu {
                continue;
            }
            for event in 0..commands.len() {
                let Some(command) = commands.get(event) else { continue };
                if let Some(place) = load_from_ddr(&command) {
                    loads.push(Load { start: command.start(), engine, event, place });
                }
                stores.extend(store_to_ddr(&command));
            }
        }
        loads.sort_by_key(|load| load.start);
        Self::simulated(&loads, &Written::new(stores), capacity)
    }

    fn simulated(loads: &[Load], written: &Written, capacity: u64) -> Self {
        let mut cache = Self::default();
        let mut kept = Kept::new(capacity);
        let mut seen: HashMap<Place, (), RandomState> = HashMap::default();
        for load in loads {
            let (_, bytes) = load.place;
            cache.loads += 1;
            cache.bytes += bytes;
            if written.overlaps(load.place) {
                continue;
            }
            if seen.insert(load.place, ()).is_none() {
                cache.constants += 1;
                cache.constant_bytes += bytes;
            }
            if kept.uses(load.place) {
                cache.hits.push((load.engine, load.event, bytes));
            }
        }
        cache
    }

    /// Bytes that come from the cache.
    #[must_use]
    pub fn hit_bytes(&self) -> u64 {
        self.hits.iter().map(|(.., bytes)| bytes).sum()
    }
}

/// Address and bytes that a command with full bits writes to DDR.
fn store_to_ddr(command: &TrackCommand<'_, '_>) -> Option<Place> {
    let bytes = command.bytes();
    if command.kind.direction()?.to != Memory::Ddr || bytes == 0 {
        return None;
    }
    let bits = command.bits().filter(|bits| bits.register.has(Slot::DstL32))?;
    Some((Addresses::read(command.all.profile.chip.family, &bits).destination, bytes))
}

/// What the run writes: ranges of addresses in order, apart.
struct Written(Vec<(u64, u64)>);

impl Written {
    fn new(mut stores: Vec<Place>) -> Self {
        stores.sort_unstable();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (address, bytes) in stores {
            let end = address.saturating_add(bytes);
            match ranges.last_mut() {
                Some((_, last)) if *last >= address => *last = end.max(*last),
                _ => ranges.push((address, end)),
            }
        }
        Self(ranges)
    }

    fn overlaps(&self, (address, bytes): Place) -> bool {
        let next = self.0.partition_point(|&(_, end)| end <= address);
        self.0.get(next).is_some_and(|&(start, _)| start < address.saturating_add(bytes))
    }
}

/// The content of the cache.
struct Kept {
    capacity: u64,
    used: u64,
    /// Number of the last use of each place.
    last: HashMap<Place, u64, RandomState>,
    /// Places by the number of their last use.
    by_use: BTreeMap<u64, Place>,
    uses: u64,
}

impl Kept {
    fn new(capacity: u64) -> Self {
        let (last, by_use) = (HashMap::default(), BTreeMap::new());
        Self { capacity, used: 0, last, by_use, uses: 0 }
    }

    /// Uses a place; whether it was there. It is from now on, if it fits.
    fn uses(&mut self, place: Place) -> bool {
        let (_, bytes) = place;
        if bytes > self.capacity {
            return false;
        }
        self.uses += 1;
        let before = self.last.insert(place, self.uses);
        match before {
            Some(before) => {
                self.by_use.remove(&before);
            }
            None => self.used += bytes,
        }
        self.by_use.insert(self.uses, place);
        while self.used > self.capacity
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.last.remove(&oldest);
            self.used -= oldest.1;
        }
        before.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loads of these places, one after the other.
    fn simulated(places: &[Place], stores: &[Place], capacity: u64) -> (Vec<usize>, u64, u64) {
        let engine = EngineId { index: 0, engine: Engine::Gdma };
        let loads: Vec<Load> = (0..)
            .zip(places)
            .map(|(at, &place)| Load { start: at as i64, engine, event: at, place })
            .collect();
        let found = ConstantCache::simulated(&loads, &Written::new(stores.to_vec()), capacity);
        let hits = found.hits.iter().map(|(_, event, _)| *event).collect();
        (hits, found.constants, found.constant_bytes)
    }

    const A: Place = (0, 100);
    const B: Place = (1000, 100);
    const C: Place = (2000, 100);

    #[test]
    fn what_was_loaded_before_and_fits_is_served() {
        assert_eq!(simulated(&[A, B, A, B, A], &[], 200), (vec![2, 3, 4], 2, 200));
        // The one whose last use is longest ago makes room.
        assert_eq!(simulated(&[A, B, A, C, A, B], &[], 200).0, [2, 4]);
        assert_eq!(simulated(&[A, B, A, B], &[], 100).0, Vec::<usize>::new());
        assert_eq!(simulated(&[A, A], &[], 99).0, Vec::<usize>::new());
        // The same address with other bytes is another load.
        assert_eq!(simulated(&[A, (0, 50)], &[], 1000).0, Vec::<usize>::new());
    }

    #[test]
    fn what_the_run_writes_is_no_constant() {
        assert_eq!(simulated(&[A, A, B, B], &[(99, 1)], 1000), (vec![3], 1, 100));
        assert_eq!(simulated(&[A, A], &[(100, 900)], 1000).0, [1]);
        assert_eq!(simulated(&[B, B], &[(900, 50), (940, 61)], 1000).0, Vec::<usize>::new());
    }

    #[test]
    fn a_larger_cache_serves_no_less() {
        let places: Vec<Place> = (0..400u64).map(|n| (n * n % 37 * 1000, 100)).collect();
        let hits = |capacity| simulated(&places, &[], capacity).0.len();
        let all: Vec<usize> = (0..40).map(|n| hits(n * 100)).collect();
        assert!(all.is_sorted() && all[0] == 0 && all[39] == 400 - 19, "{all:?}");
    }
}
