//! The work of a core's TIU and GDMA in a launch: times, and what it reads and writes.

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::{Accesses, TrackCommands, TrackWaits};

/// Bytes from an address on, in each lane of local memory or in off-chip memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) address: u64,
    pub(super) bytes: u64,
}

impl Extent {
    /// Meets none.
    const NONE: Self = Self { address: u64::MAX, bytes: 0 };

    fn meets(&self, other: &Self) -> bool {
        self.address < other.address.saturating_add(other.bytes)
            && other.address < self.address.saturating_add(self.bytes)
    }
}

/// A command that works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) is_tiu: bool,
    /// ns.
    pub(super) start: i64,
    /// ns.
    pub(super) end: i64,
    /// Whether it moves data into local memory.
    pub(super) is_load: bool,
    /// Local memory that it reads: two operands at most.
    reads: [Extent; 2],
    /// Local memory that it writes.
    writes: Extent,
    /// Its event, and that of the other engine's command that it says it waits for.
    event: (usize, Option<usize>),
    /// Off-chip memory that it reads or writes.
    outside: Option<(bool, Extent)>,
    /// The last command of the other engine that wrote what this one reads.
    pub(super) needs: Option<usize>,
    /// The last command of the other engine that used what this one overwrites.
    pub(super) follows: Option<usize>,
}

/// The commands of TIU and GDMA that work within a span, by start; `None` where one is not known in full, or there are too many.
pub(super) fn operations(
    accesses: &mut Accesses,
    tracks: [TrackCommands<'_, '_>; 2],
    waits: [&TrackWaits; 2],
    (start, end): (i64, i64),
    most: usize,
) -> Option<Vec<Operation>> {
    let mut all = Vec::new();
    for (commands, waits) in tracks.into_iter().zip(waits) {
        let starts = &commands.track.events.start;
        let from = starts.partition_point(|own| *own < start);
        let until = starts.partition_point(|own| *own < end);
        let count = until.saturating_sub(from);
        if all.len() + count > most {
            return None;
        }
        all.reserve(count);
        for (index, command) in (from..until).filter_map(|at| Some((at, commands.get(at)?))) {
            if !command.kind.activity.is_work() {
                continue;
            }
            command.bits()?;
            let (mut reads, mut writes) = ([Extent::NONE; 2], Extent::NONE);
            let mut operands = reads.iter_mut();
            for access in accesses.of_command(&command) {
                let place = if access.writes { Some(&mut writes) } else { operands.next() };
                let extent = Extent { address: access.address, bytes: access.bytes };
                place.into_iter().for_each(|place| *place = extent);
            }
            let is_tiu = command.kind.engine == Engine::Tiu;
            let direction = command.kind.direction();
            let is_load = direction.is_some_and(|direction| direction.to == Memory::Lmem);
            let addresses = direction.map(|_| command.addresses());
            let address = addresses.map(|a| if is_load { a.source } else { a.destination });
            let bytes = command.bytes();
            all.push(Operation {
                is_tiu,
                start: command.start(),
                end: command.end(),
                is_load,
                reads,
                writes,
                event: (index, awaited(waits, index)),
                outside: address.map(|address| (is_load, Extent { address, bytes })),
                needs: None,
                follows: None,
            });
        }
    }
    all.sort_by_key(|one| (one.start, one.end, one.is_tiu));
    connect(&mut all);
    Some(all)
}

/// The other engine's command that an event waits for.
fn awaited(waits: &TrackWaits, event: usize) -> Option<usize> {
    waits.ended().get(event).filter(|at| **at != u32::MAX).map(|at| *at as usize)
}

/// How many commands back a buffer's last use is looked for.
const BACK: usize = 64;

/// Finds for each command the last one of the other engine whose result it reads, and whose buffer it uses again.
fn connect(all: &mut [Operation]) {
    // Places of the commands so far: of the GDMA, of the TIU.
    let mut places: [Vec<usize>; 2] = Default::default();
    for at in 0..all.len() {
        let (before, rest) = all.split_at_mut(at);
        let Some(own) = rest.first_mut() else { continue };
        places[usize::from(own.is_tiu)].push(at);
        let others = places[usize::from(!own.is_tiu)].iter().rev();
        let others = others.take_while(|place| **place + BACK >= at);
        let (mut needs, mut follows) = (None, None);
        // Loads read no local memory, stores write none.
        let (mut seeks_result, mut seeks_use) =
            (own.reads.iter().any(|read| read.bytes > 0), own.writes.bytes > 0);
        for &place in others {
            let Some(other) = before.get(place).filter(|other| other.end <= own.start) else {
                continue;
            };
            if seeks_result && own.reads.iter().any(|read| read.meets(&other.writes)) {
                (needs, seeks_result) = (Some(place), false);
            }
            let uses = |extent: &Extent| own.writes.meets(extent);
            if seeks_use && (uses(&other.writes) || other.reads.iter().any(uses)) {
                (follows, seeks_use) = (Some(place), false);
            }
            if !seeks_result && !seeks_use {
                break;
            }
        }
        // Whose operands are nowhere written needs what it says: such a result is what it reads.
        if let (None, false, Some(named)) = (needs, own.is_load, own.event.1) {
            let found = places[usize::from(!own.is_tiu)].iter().rev().take(BACK);
            needs =
                found.copied().find(|at| before.get(*at).is_some_and(|one| one.event.0 == named));
            let result = needs.and_then(|at| before.get(at)).filter(|one| one.is_load);
            own.reads[0] = result.map_or(own.reads[0], |load| load.writes);
        }
        (own.needs, own.follows) = (needs, follows);
    }
}

/// Dependences on results, and those on buffers that are used again only.
pub(super) fn dependences(all: &[Operation]) -> (u64, u64) {
    let results = all.iter().filter(|one| one.needs.is_some()).count() as u64;
    let buffers = all.iter().filter(|one| one.follows > one.needs).count() as u64;
    (results, buffers)
}

/// Whether a load reads what a store writes to off-chip memory.
pub(super) fn reads_result(load: &Operation, store: &Operation) -> bool {
    match (&load.outside, &store.outside) {
        (Some((true, from)), Some((false, to))) => from.meets(to),
        _ => false,
    }
}

/// The highest address in use, in bytes of a lane.
pub(super) fn highest(all: &[Operation]) -> u64 {
    let used = all.iter().flat_map(|one| one.reads.iter().chain([&one.writes]));
    let used = used.filter(|extent| extent.bytes > 0);
    used.map(|extent| extent.address.saturating_add(extent.bytes)).max().unwrap_or(0)
}

/// Bytes of a lane that loads overwrite in this order while commands before them still need these: they want a second buffer. The
/// most that the loads between two stores take.
pub(super) fn reused_bytes(all: &[Operation], order: &[usize]) -> u64 {
    let (mut most, mut sum) = (0, 0);
    for one in order.iter().filter_map(|at| all.get(*at)) {
        if one.is_load {
            sum += if one.follows.is_some() { one.writes.bytes } else { 0 };
        } else {
            sum = 0;
        }
        most = most.max(sum);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::testing::{computed, loaded};
    use super::*;

    /// Where no address shows what a computation reads, it reads what the command loads that it names: the next load into this place
    /// needs a second buffer.
    #[test]
    fn a_named_command_tells_where_addresses_do_not() {
        let place = Extent { address: 64, bytes: 32 };
        let load =
            |time, event| Operation { event: (event, None), writes: place, ..loaded(time, None) };
        let compute = Operation { event: (0, Some(0)), needs: None, ..computed((110, 190), 0) };
        let mut all = vec![load((0, 100), 0), compute, load((200, 300), 1)];
        connect(&mut all);
        assert_eq!(all[1].needs, Some(0));
        assert_eq!((all[2].needs, all[2].follows), (None, Some(1)));
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    fn operation((start, end): (i64, i64), is_tiu: bool, needs: Option<usize>) -> Operation {
        let (reads, writes, outside) = ([Extent::NONE; 2], Extent::NONE, None);
        let event = (0, None);
        Operation {
            is_tiu,
            start,
            end,
            is_load: false,
            reads,
            writes,
            event,
            outside,
            needs,
            follows: None,
        }
    }

    /// A load into a buffer that another command used before.
    pub(crate) fn loaded(time: (i64, i64), follows: Option<usize>) -> Operation {
        Operation { is_load: true, follows, ..operation(time, false, None) }
    }

    pub(crate) fn computed(time: (i64, i64), needs: usize) -> Operation {
        operation(time, true, Some(needs))
    }

    pub(crate) fn stored(time: (i64, i64), needs: usize) -> Operation {
        operation(time, false, Some(needs))
    }
}
