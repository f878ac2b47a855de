//! What stays in a memory, and for how long: from the write that puts it there to the last read before it is written again.
//!
//! The bytes of all residencies at a time are the [live bytes](crate::LiveBytes) of all lanes together: accesses count in the
//! order of their ends, of those that end at the same time reads first.

use std::collections::BTreeMap;

use crate::by_end::by_end;
use crate::local_memory::Access;

/// An access to a range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// Whether it writes.
    pub writes: bool,
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
    /// End in ns.
    pub end: i64,
}

impl Touch {
    /// An access to local memory that ends at a time, in ns; lanes are left out.
    #[must_use]
    pub fn from_access(access: &Access, end: i64) -> Self {
        Self { writes: access.writes, address: access.address, bytes: access.bytes, end }
    }
}

/// Addresses that hold data from a write to the last read of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Residency {
    /// Index of the access that writes it.
    pub write: u32,
    /// Index of the last access that reads it.
    pub last_read: u32,
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Data that is in memory.
#[derive(Debug, Clone, Copy)]
struct Held {
    past: u64,
    write: u32,
    last_read: Option<u32>,
}

/// Data that is in memory, by its first address; stretches do not overlap.
#[derive(Default)]
struct Memory {
    held: BTreeMap<u64, Held>,
    found: Vec<Residency>,
}

impl Memory {
    /// The stretch of exactly these addresses: most accesses are to what another one wrote.
    fn whole(&mut self, from: u64, past: u64) -> Option<&mut Held> {
        self.held.get_mut(&from).filter(|held| held.past == past)
    }

    /// Reads what is held at these addresses, and cuts it there from what is not read. Returns its bytes.
    fn read(&mut self, from: u64, past: u64, access: u32) -> u64 {
        if let Some(held) = self.whole(from, past) {
            held.last_read = Some(access);
            return past - from;
        }
        let (mut bytes, mut cut) = (0, Vec::new());
        for (&start, held) in self.held.range_mut(..past).rev() {
            if held.past <= from {
                break;
            }
            let old = *held;
            let read = Held { past: old.past.min(past), last_read: Some(access), ..old };
            bytes += read.past - start.max(from);
            if start < from {
                held.past = from;
                cut.push((from, read));
            } else {
                *held = read;
            }
            if past < old.past {
                cut.push((past, old));
            }
        }
        self.held.extend(cut);
        bytes
    }

    /// Writes: what was held at these addresses is found, if it was read.
    fn write(&mut self, from: u64, past: u64, access: u32) {
        let Self { held: all, found } = self;
        let new = Held { past, write: access, last_read: None };
        let (mut is_placed, mut covered, mut behind) = (false, Vec::new(), None);
        for (&start, held) in all.range_mut(..past).rev() {
            if held.past <= from {
                break;
            }
            let old = *held;
            found.extend(Held { past: old.past.min(past), ..old }.residency(start.max(from)));
            if past < old.past {
                behind = Some((past, old));
            }
            if start < from {
                held.past = from;
            } else if start == from {
                *held = new;
                is_placed = true;
            } else {
                covered.push(start);
            }
        }
        for start in covered {
            all.remove(&start);
        }
        all.extend(behind);
        if !is_placed {
            all.insert(from, new);
        }
    }

    /// What was read at all, with what is still held.
    fn all(self) -> Vec<Residency> {
        let Self { held, mut found } = self;
        found.extend(held.into_iter().filter_map(|(start, held)| held.residency(start)));
        found
    }
}

impl Held {
    /// What was read at all.
    fn residency(self, start: u64) -> Option<Residency> {
        let Self { past, write, last_read } = self;
        Some(Residency { write, last_read: last_read?, address: start, bytes: past - start })
    }
}

/// The accesses in the order in which they count: index and access.
fn in_order(touches: &[Touch]) -> impl Iterator<Item = (u32, &Touch)> {
    let order = by_end(touches.iter().map(|touch| (touch.end, touch.writes)));
    let touches = order.filter_map(|at| Some((at, touches.get(at as usize)?)));
    touches.filter(|(_, touch)| touch.bytes > 0)
}

/// What stays in memory, by the order of the writes; stretches that were written and last read together are one.
#[must_use]
pub fn residencies(touches: &[Touch]) -> Vec<Residency> {
    let mut memory = Memory::default();
    for (at, Touch { writes, address, bytes, .. }) in in_order(touches) {
        let past = address.saturating_add(*bytes);
        if *writes {
            memory.write(*address, past, at);
        } else {
            memory.read(*address, past, at);
        }
    }
    let mut found = memory.all();
    found.sort_unstable();
    let mut joined: Vec<Residency> = Vec::with_capacity(found.len());
    for next in found {
        match joined.last_mut() {
            Some(last)
                if (last.write, last.last_read) == (next.write, next.last_read)
                    && last.address + last.bytes == next.address =>
            {
                last.bytes += next.bytes;
            }
            _ => joined.push(next),
        }
    }
    joined
}

/// Data that left a core's memory and came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spilled {
    /// Bytes that were stored, and loaded again afterwards; each store counts once.
    pub stored_bytes: u64,
    /// Bytes of the loads of them.
    pub loaded_bytes: u64,
}

impl Spilled {
    /// Adds up what a core stored to a memory outside (writes) and loaded from there again (reads).
    #[must_use]
    pub fn compute(touches: &[Touch]) -> Self {
        let mut memory = Memory::default();
        let mut loaded_bytes = 0;
        for (at, Touch { writes, address, bytes, .. }) in in_order(touches) {
            let past = address.saturating_add(*bytes);
            match writes {
                true => memory.write(*address, past, at),
                false => loaded_bytes += memory.read(*address, past, at),
            }
        }
        let stored_bytes = memory.all().iter().map(|of| of.bytes).sum();
        Self { stored_bytes, loaded_bytes }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{LiveBytes, TimedAccess};

    fn touch(writes: bool, address: u64, bytes: u64, end: i64) -> Touch {
        Touch { writes, address, bytes, end }
    }

    #[test]
    fn data_stays_from_its_write_to_its_last_read() {
        let all = [
            touch(true, 0, 100, 10),
            touch(false, 0, 50, 20),
            touch(false, 0, 100, 30),
            touch(true, 40, 20, 40),
            touch(false, 40, 20, 50),
            // Never read.
            touch(true, 500, 20, 60),
        ];
        let expected = [
            Residency { write: 0, last_read: 2, address: 0, bytes: 100 },
            Residency { write: 3, last_read: 4, address: 40, bytes: 20 },
        ];
        assert_eq!(residencies(&all), expected);
    }

    #[test]
    fn what_was_stored_and_loaded_again_is_spilled() {
        let all = [
            touch(false, 0, 10, 5),
            touch(true, 0, 100, 10),
            touch(false, 50, 100, 20),
            touch(false, 0, 10, 30),
            touch(false, 0, 10, 40),
        ];
        assert_eq!(Spilled::compute(&all), Spilled { stored_bytes: 60, loaded_bytes: 70 });
    }

    proptest! {
        #[test]
        fn their_bytes_are_the_live_bytes(
            all in prop::collection::vec((any::<bool>(), 0u64..60, 1u64..20, 0i64..40), 0..60)
        ) {
            let touches: Vec<Touch> = all.iter().map(|&(w, a, b, e)| touch(w, a, b, e)).collect();
            let timed = |t: &Touch, lane| TimedAccess {
                access: Access { writes: t.writes, operand: "", address: t.address, bytes: t.bytes, lane, lanes: 1 },
                end: t.end,
            };
            // An access to another lane, so that the first one's bytes are counted by themselves.
            let other = timed(&touch(true, 0, 1, 0), 1);
            let all: Vec<TimedAccess> =
                touches.iter().map(|touch| timed(touch, 0)).chain([other]).collect();
            let live = LiveBytes::compute(&all, 2, &[]);
            let of_lane = &live.totals[live.of_lanes[0].1];
            let mut changes: BTreeMap<i64, i64> = BTreeMap::new();
            for Residency { write, last_read, bytes, .. } in residencies(&touches) {
                *changes.entry(touches[write as usize].end).or_default() += bytes as i64;
                *changes.entry(touches[last_read as usize].end).or_default() -= bytes as i64;
            }
            let (mut now, mut most) = (0, 0);
            for change in changes.values() {
                now += change;
                most = most.max(now);
            }
            prop_assert_eq!(most as u64, of_lane.most);
        }
    }
}
