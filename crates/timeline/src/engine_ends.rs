//! The first start and the last end of an engine, which have a neighbour on one side only: the other engines of the core say
//! whether they can be.
//!
//! ```text
//!   TIU    ├─┤├──┤  ├┤ ├──┤
//!   GDMA  ├──┤  ├─┤  ├────┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ┤  a bit of this end is wrong
//! ```

use bigtpu_chip::Chip;
use bigtpu_messages::{Arg, Message, message};

use crate::core_engines::CORE_ENGINES;
use crate::monitor::{Clean, RecordFault};
use crate::quality::{Quality, mark};
use crate::wide_events::WideEvents;

/// Fewer records say too little of how long one takes.
const FEWEST_RECORDS: usize = 16;
/// A record that goes on for so many times the longest other one, while no other engine works, has a wrong time if one bit
/// explains it.
const TIMES_LONGER: i64 = 64;
/// Factor for a record that may be a wait, which lasts as long as what it waits for.
const TIMES_LONGER_WAIT: i64 = 1024;
/// A time that is put right is at most so many times as long as the longest other record.
const TIMES_POSSIBLE: i64 = 6;
/// Engines whose second records start so many ns apart do not count from one moment.
const MOST_APART_NS: i64 = 10_000_000;

/// What is known of an engine from its other records, in ns.
#[derive(Debug, Clone, Copy)]
struct Inside {
    first: i64,
    last: i64,
    longest: i64,
}

impl Inside {
    fn measure(events: &WideEvents) -> Option<Self> {
        let n = events.len();
        let inside = 1..n.checked_sub(1)?;
        let longest = inside.clone().map(|i| events.duration(i)).max()?;
        let (first, last) = (*events.start.get(1)?, inside.map(|i| events.end[i]).max()?);
        (n >= FEWEST_RECORDS && longest > 0).then_some(Self { first, last, longest })
    }
}

/// Puts right the first start and the last end of each engine.
pub(crate) fn settle_ends(chip: &Chip, monitors: &mut [Clean<'_>; 3]) {
    let inside = monitors.each_ref().map(|clean| Inside::measure(&clean.events));
    for (engine, clean) in monitors.iter_mut().enumerate() {
        let Some(own) = inside[engine] else { continue };
        let others = inside.iter().enumerate().filter(|(other, _)| *other != engine);
        let others = others.filter_map(|(_, other)| *other);
        let near = others.filter(|other| (other.first - own.first).abs() < MOST_APART_NS);
        let span = near.map(|other| (other.first, other.last));
        let Some((first, last)) = span.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            continue;
        };
        let possible = TIMES_POSSIBLE * own.longest;
        let longest = |clean: &Clean<'_>, i: usize| {
            let is_work = clean.monitor.shows_work(chip, clean.events.record[i]);
            own.longest * if is_work { TIMES_LONGER } else { TIMES_LONGER_WAIT }
        };
        let events = &clean.events;
        let (end, begin) = (events.len() - 1, 0);
        let latest = last.max(events.start[end]);
        if events.end[end] > latest + longest(clean, end) {
            let range = (events.start[end], latest + possible);
            mend(clean, CORE_ENGINES[engine].name(), end, range);
        }
        let events = &clean.events;
        let earliest = first.min(events.end[begin]);
        if events.start[begin] < earliest - longest(clean, begin) {
            let range = (earliest - possible, events.end[begin]);
            mend(clean, CORE_ENGINES[engine].name(), begin, range);
        }
    }
}

/// Changes the bit of a record's start (the first's) or end (the last's) that brings it into a range.
fn mend(clean: &mut Clean<'_>, engine: &str, i: usize, range: (i64, i64)) {
    let events = &mut clean.events;
    let was = (events.start[i], events.end[i]);
    let ns = |cycles: i64| crate::clock::to_ns(cycles, events.mhz);
    let time = if i == 0 { was.0 } else { was.1 };
    let sign = if i == 0 { 1 } else { -1 };
    let mut by_bit = (0..32)
        .map(|bit| sign * (1_i64 << bit))
        .filter(|cycles| (range.0..=range.1).contains(&(time + ns(*cycles))));
    let (Some(change), other) = (by_bit.next(), by_bit.next()) else { return };
    let is_certain = other.is_none();
    let moved = ns(change);
    if i == 0 {
        events.start[i] += moved
    } else {
        events.end[i] += moved
    }
    events.cycles[i] -= change.abs();
    let record = events.record[i];
    mark(&mut events.marks, record, if is_certain { Quality::Repaired } else { Quality::Doubtful });
    let cycles = |ns: i64| Arg::Name(((ns as f64) * events.mhz / 1000.0).round().to_string());
    let (start, end) = (cycles(was.0), cycles(was.1));
    let message: Message = match is_certain {
        true => message!("note-wrong-bit", engine = engine, start = start, end = end),
        false => message!("note-wrong-time", engine = engine, start = start, end = end),
    };
    let at = clean.places.byte(record);
    clean.faults.push(RecordFault { record, at, message });
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;

    fn clean(engine: Engine, late: i64) -> Clean<'static> {
        let start: Vec<i64> = (0..40).map(|i| 1000 + late + 300 * i).collect();
        let end = start.iter().map(|start| start + 200).collect();
        let mut events = WideEvents::new(start, end, (0..40).collect(), (0..40).collect());
        events.mhz = 1000.0;
        Clean { events, ..Clean::empty(engine) }
    }

    fn aks() -> &'static Chip {
        bigtpu_chip::chips().iter().find(|chip| chip.name == "AKS").unwrap()
    }

    fn core() -> [Clean<'static>; 3] {
        [clean(Engine::Tiu, 0), clean(Engine::Gdma, 50), Clean::empty(Engine::Sdma)]
    }

    #[test]
    fn ends_that_can_be_stay() {
        let mut all = core();
        all[0].events.end[39] += 6000;
        settle_ends(aks(), &mut all);
        assert_eq!(all[0].events.end[39], 12_900 + 6000);
        assert!(all.iter().all(|clean| clean.faults.is_empty()));
    }

    #[test]
    fn a_wrong_bit_at_an_end_is_put_right() {
        // Records without counters may be waits.
        for bit in 18..31 {
            let mut all = core();
            all[1].events.end[39] += 1 << bit;
            all[1].events.cycles[39] += 1 << bit;
            all[0].events.start[0] -= 1 << bit;
            all[0].events.cycles[0] += 1 << bit;
            settle_ends(aks(), &mut all);
            for (clean, right) in all.iter().zip(core()) {
                let is_near = |(a, b): (&i64, &i64)| (a - b).abs() <= 1200;
                assert!(clean.events.end.iter().zip(&right.events.end).all(is_near), "bit {bit}");
                assert!(clean.events.start.iter().zip(&right.events.start).all(is_near));
            }
            assert!(all[0].faults.len() == 1 && all[1].faults.len() == 1, "bit {bit}");
        }
    }
}
