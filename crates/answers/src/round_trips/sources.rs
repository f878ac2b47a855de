//! Where the data of each transfer comes from, and which transfers go out and come back.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::area::Area;
use super::memory::Written;
use super::transfers::Transfer;

/// In which lane the first channel of what a transfer writes was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstLane {
    /// A constant: in any.
    Any,
    Lane(u32),
    /// Its lanes are not those of its channels in order.
    Unknown,
}

/// Where the data of each transfer comes from.
pub(super) struct Sources {
    /// Transfers that wrote what each transfer reads, and how many bytes of it, by reading transfer.
    writers: Vec<Vec<(u32, u64)>>,
    /// Transfers that read what each transfer wrote, by writing transfer.
    readers: Vec<Vec<u32>>,
    /// Lane in which the first channel of what a transfer writes was, by transfer.
    lanes: Vec<FirstLane>,
    /// Whether each lane reads what it had, all of it stored by the same core in the same launch, by transfer.
    returns: Vec<bool>,
}

impl Sources {
    pub(super) fn find(all: &[Transfer], lanes: u32) -> Self {
        let count = all.len();
        let mut found = Self {
            writers: vec![Vec::new(); count],
            readers: vec![Vec::new(); count],
            lanes: vec![FirstLane::Unknown; count],
            returns: vec![false; count],
        };
        let mut written = Written::default();
        for (at, transfer) in all.iter().enumerate() {
            let from = match &transfer.reads {
                Some(area) => found.read(all, at, area, &written, lanes),
                None if transfer.is_store() && transfer.is_tensor => {
                    FirstLane::Lane(transfer.local.map_or(0, |local| local.lane))
                }
                None if transfer.local.is_none() && transfer.is_tensor => FirstLane::Any,
                None => FirstLane::Unknown,
            };
            if let Some(own) = found.lanes.get_mut(at) {
                *own = from;
            }
            let stretches = transfer.writes.iter().flat_map(|area| area.stretches());
            stretches.for_each(|stretch| written.write(stretch, at as u32));
        }
        found
    }

    /// Notes who wrote what a transfer reads. Returns in which lane the first channel of it was.
    fn read(
        &mut self,
        all: &[Transfer],
        at: usize,
        area: &Area,
        written: &Written,
        lanes: u32,
    ) -> FirstLane {
        let mut bytes_of: BTreeMap<u32, u64> = BTreeMap::new();
        for stretch in area.stretches() {
            written.read(&stretch, |by, bytes| *bytes_of.entry(by).or_default() += bytes);
        }
        for by in bytes_of.keys() {
            self.readers.get_mut(*by as usize).into_iter().for_each(|r| r.push(at as u32));
        }
        let Some(transfer) = all.get(at) else { return FirstLane::Unknown };
        let is_whole = bytes_of.values().sum::<u64>() == area.bytes();
        let mut first = FirstLane::Any;
        for by in bytes_of.keys() {
            let lane = all.get(*by as usize).map_or(FirstLane::Unknown, |writer| {
                let is_own = writer.engine_id.index == transfer.engine_id.index
                    && writer.launch == transfer.launch;
                let of_writer = self.lanes.get(*by as usize).copied();
                let channel = writer.writes.and_then(|written| area.first_channel(&written));
                match (of_writer.filter(|_| is_own), channel) {
                    (Some(FirstLane::Any), _) => FirstLane::Any,
                    (Some(FirstLane::Lane(lane)), Some(channel)) => {
                        let lane = (i64::from(lane) + channel).rem_euclid(i64::from(lanes.max(1)));
                        FirstLane::Lane(lane as u32)
                    }
                    _ => FirstLane::Unknown,
                }
            });
            first = match (first, lane) {
                (known, FirstLane::Any) => known,
                (FirstLane::Any, lane) => lane,
                (known, lane) if known == lane => known,
                _ => FirstLane::Unknown,
            };
        }
        let is_same_lane = match (first, transfer.local) {
            (FirstLane::Lane(lane), Some(local)) => local.lane == lane,
            _ => false,
        };
        if let Some(returns) = self.returns.get_mut(at) {
            *returns = is_whole && transfer.is_load() && is_same_lane;
        }
        if let Some(writers) = self.writers.get_mut(at) {
            *writers = bytes_of.into_iter().collect();
        }
        if is_whole && transfer.is_tensor { first } else { FirstLane::Unknown }
    }

    /// Which transfers a round trip consists of: loads that return, and what only they read.
    fn removed(&self, all: &[Transfer]) -> Vec<bool> {
        let mut removed = vec![false; all.len()];
        let mut read_bytes = vec![0u64; all.len()];
        for writers in &self.writers {
            for (by, bytes) in writers {
                read_bytes.get_mut(*by as usize).into_iter().for_each(|sum| *sum += bytes);
            }
        }
        for (at, transfer) in all.iter().enumerate().rev() {
            let is_removed = |reader: &u32| removed.get(*reader as usize).copied().unwrap_or(false);
            let readers = self.readers.get(at).map_or(&[][..], Vec::as_slice);
            let is_read = transfer
                .writes
                .is_some_and(|area| read_bytes.get(at).is_some_and(|bytes| *bytes >= area.bytes()));
            let is_for_them = is_read && !readers.is_empty() && readers.iter().all(is_removed);
            // A constant that is filled in has to be filled in at home.
            let is_moved = transfer.is_store() || transfer.reads.is_some();
            let returns = self.returns.get(at).copied().unwrap_or(false);
            if let Some(own) = removed.get_mut(at) {
                *own = returns || is_for_them && is_moved && !transfer.is_load();
            }
        }
        removed
    }

    /// The stores that wrote what a transfer reads, by way of copies.
    fn stores(&self, all: &[Transfer], at: usize) -> BTreeSet<usize> {
        let (mut stores, mut seen, mut next) = (BTreeSet::new(), BTreeSet::new(), vec![at]);
        while let Some(at) = next.pop() {
            for (by, _) in self.writers.get(at).into_iter().flatten() {
                let by = *by as usize;
                match all.get(by) {
                    Some(writer) if writer.is_store() => {
                        stores.insert(by);
                    }
                    Some(_) if seen.insert(by) => next.push(by),
                    _ => {}
                }
            }
        }
        stores
    }

    /// Round trips that share a store, the longest ones first.
    pub(super) fn groups(&self, all: &[Transfer]) -> Vec<Group> {
        let removed = self.removed(all);
        // By store when the last load of it starts.
        let mut until: BTreeMap<usize, i64> = BTreeMap::new();
        let mut joined = Joined::alone(all.len());
        for (at, transfer) in all.iter().enumerate() {
            if !removed.get(at).copied().unwrap_or(false) {
                continue;
            }
            for store in self.stores(all, at) {
                joined.join(at, store);
                if transfer.is_load() {
                    let last = until.entry(store).or_insert(i64::MIN);
                    *last = (*last).max(transfer.start);
                }
            }
        }
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for (at, transfer) in all.iter().enumerate() {
            let is_removed = removed.get(at).copied().unwrap_or(false);
            let kept = until.get(&at).zip(transfer.local);
            if !is_removed && kept.is_none() {
                continue;
            }
            let group = groups
                .entry(joined.first(at))
                .or_insert_with(|| Group { core: transfer.engine_id.index, ..Group::default() });
            if is_removed {
                group.transfers.push(at);
                group.ns += transfer.ns();
            }
            if let Some((until, local)) = kept {
                group.kept.push((transfer.end..*until, local.bytes));
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.ns));
        groups
    }
}

/// Round trips that share a store.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) core: u32,
    /// Indices of the transfers that are no longer needed.
    pub(super) transfers: Vec<usize>,
    /// What stays in local memory from when to when, in bytes of a lane.
    pub(super) kept: Vec<(Range<i64>, u64)>,
    /// ns that its transfers take.
    ns: i64,
}

/// Sets of transfers, each known by its first one.
struct Joined(Vec<usize>);

impl Joined {
    fn alone(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn first(&mut self, at: usize) -> usize {
        let mut first = at;
        while let Some(next) = self.0.get(first).copied().filter(|next| *next != first) {
            first = next;
        }
        if let Some(own) = self.0.get_mut(at) {
            *own = first;
        }
        first
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        let (first, other) = (a.min(b), a.max(b));
        if let Some(own) = self.0.get_mut(other) {
            *own = first;
        }
    }
}
