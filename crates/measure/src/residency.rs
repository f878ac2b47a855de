//! What stays in a memory, and for how long: from the write that puts it there to the last read before it is written again.
//!
//! The bytes of all residencies at a time are the [live bytes](crate::LiveBytes) of all lanes together: accesses count in the
//! order of their ends, of those that end at the same time reads first.

use std::collections::BTreeMap;

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
    pub fn of(access: &Access, end: i64) -> Self {
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
    /// Cuts what is held at an address, so that a stretch starts there.
    fn cut(&mut self, at: u64) {
        let Some((&start, held)) = self.held.range_mut(..at).next_back() else { return };
        if start < at && at < held.past {
            let rest = *held;
            held.past = at;
            self.held.insert(at, rest);
        }
    }

    fn read(&mut self, from: u64, past: u64, access: u32) {
        self.cut(from);
        self.cut(past);
        for (_, held) in self.held.range_mut(from..past) {
            held.last_read = Some(access);
        }
    }

    fn write(&mut self, from: u64, past: u64, access: u32) {
        self.cut(from);
        self.cut(past);
        while let Some((&start, _)) = self.held.range(from..past).next() {
            if let Some(held) = self.held.remove(&start) {
                self.found.extend(held.residency(start));
            }
        }
        self.held.insert(from, Held { past, write: access, last_read: None });
    }
}

impl Held {
    /// What was read at all.
    fn residency(self, start: u64) -> Option<Residency> {
        let Self { past, write, last_read } = self;
        Some(Residency { write, last_read: last_read?, address: start, bytes: past - start })
    }
}

/// What stays in memory, by the order of the writes; stretches that were written and last read together are one.
#[must_use]
pub fn residencies(touches: &[Touch]) -> Vec<Residency> {
    let mut order: Vec<u32> = (0..touches.len() as u32).collect();
    let touch = |at: u32| touches.get(at as usize);
    order.sort_by_key(|at| touch(*at).map(|touch| (touch.end, touch.writes)));
    let mut memory = Memory::default();
    for at in order {
        let Some(Touch { writes, address, bytes, .. }) = touch(at).filter(|t| t.bytes > 0) else {
            continue;
        };
        let past = address.saturating_add(*bytes);
        if *writes {
            memory.write(*address, past, at);
        } else {
            memory.read(*address, past, at);
        }
    }
    let Memory { held, mut found } = memory;
    found.extend(held.into_iter().filter_map(|(start, held)| held.residency(start)));
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
    /// Of a core's stores to a memory outside (writes) and loads from there (reads).
    #[must_use]
    pub fn of(touches: &[Touch]) -> Self {
        let stored_bytes = residencies(touches).iter().map(|of| of.bytes).sum();
        let mut order: Vec<&Touch> = touches.iter().collect();
        order.sort_by_key(|touch| (touch.end, touch.writes));
        let mut memory = Memory::default();
        let mut loaded_bytes = 0;
        for Touch { writes, address, bytes, .. } in order.into_iter().filter(|t| t.bytes > 0) {
            let past = address.saturating_add(*bytes);
            if *writes {
                memory.write(*address, past, 0);
            } else {
                memory.cut(*address);
                memory.cut(past);
                let known = memory.held.range(*address..past);
                loaded_bytes += known.map(|(start, held)| held.past - start).sum::<u64>();
            }
        }
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
        assert_eq!(Spilled::of(&all), Spilled { stored_bytes: 60, loaded_bytes: 70 });
    }

    proptest! {
        #[test]
        fn their_bytes_are_the_live_bytes(
            all in prop::collection::vec((any::<bool>(), 0u64..60, 1u64..20, 0i64..40), 0..60)
        ) {
            let touches: Vec<Touch> = all.iter().map(|&(w, a, b, e)| touch(w, a, b, e)).collect();
            let timed: Vec<TimedAccess> = touches
                .iter()
                .map(|t| TimedAccess {
                    access: Access { writes: t.writes, operand: "", address: t.address, bytes: t.bytes, lane: 0, lanes: 1 },
                    end: t.end,
                })
                .collect();
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
            prop_assert_eq!(most as u64, LiveBytes::of(&timed, 1).totals[0].most);
        }
    }
}
