//! What the messages between CDMA ports and cores say about the distance of their clocks (section 7).
//!
//! A send is over before the wait that takes its message. Where a port sends what a core waits for, and the other way
//! round, each pair bounds the distance from one side.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bigtpu_chip::{Chip, Engine, SyncMessage};

use crate::cdma::Port;
use crate::core_engines::CORE_ENGINES;
use crate::join::Cores;
use crate::wide_events::WideEvents;

/// Bytes with the commands of each core.
pub(crate) type Files<'a> = HashMap<u32, &'a [u8]>;

/// A send or wait whose message is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sync {
    /// ns.
    end: i64,
    message: SyncMessage,
}

/// The least and the greatest distance that can be, in ns: what is added to a port's times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: Option<i64>,
    pub(crate) high: Option<i64>,
    /// Pairs that give them.
    pub(crate) pairs: usize,
}

/// Sends and waits of all cores.
pub(crate) fn of_cores(chip: &Chip, cores: &Cores<'_>, files: &Files<'_>) -> Vec<Sync> {
    let mut all = Vec::new();
    for (index, core) in cores {
        let file = files.get(index).copied().unwrap_or_default();
        for (clean, engine) in core.monitors.iter().zip(CORE_ENGINES) {
            all.extend(syncs(chip, engine, &clean.events, |_| file));
        }
    }
    all
}

/// Sends and waits of a port.
pub(crate) fn of_port(chip: &Chip, port: &Port<'_>, files: &Files<'_>) -> Vec<Sync> {
    let file = |i: usize| {
        let owner = port.owner.get(i).copied().flatten();
        owner.and_then(|owner| files.get(&owner.core).copied()).unwrap_or_default()
    };
    syncs(chip, Engine::Cdma, &port.clean.events, file).collect()
}

fn syncs<'a>(
    chip: &'a Chip,
    engine: Engine,
    events: &'a WideEvents,
    file: impl Fn(usize) -> &'a [u8] + 'a,
) -> impl Iterator<Item = Sync> + 'a {
    let known = (0..events.len()).filter(|&i| events.binding[i].has_bits());
    known.filter_map(move |i| {
        let bits = file(i).get(usize::try_from(events.bits[i]).ok()?..)?;
        let command = chip.ops(engine).command(events.code[i], bits)?;
        let message = SyncMessage::decode(chip, engine, &command)?;
        Some(Sync { end: events.end[i], message })
    })
}

/// Messages in a list.
pub(crate) fn ids(syncs: &[Sync]) -> impl Iterator<Item = u16> + '_ {
    syncs.iter().map(|sync| sync.message.id)
}

/// What the messages between a port and the cores allow. Only messages are used that have one sender and one receiver: no
/// one else's (`others`), as many sends as waits, and each of them for one partner.
pub(crate) fn bounds(cores: &[Sync], port: &[Sync], others: &BTreeSet<u16>) -> Bounds {
    let sides = |syncs: &[Sync]| {
        let mut sides: BTreeMap<u16, [Vec<Sync>; 2]> = BTreeMap::new();
        for sync in syncs.iter().filter(|sync| !others.contains(&sync.message.id)) {
            sides.entry(sync.message.id).or_default()[usize::from(sync.message.is_wait)]
                .push(*sync);
        }
        sides.values_mut().flatten().for_each(|side| side.sort_by_key(|sync| sync.end));
        sides
    };
    let cores = sides(cores);
    let mut bounds = Bounds::default();
    for (id, own) in sides(port) {
        let Some(theirs) = cores.get(&id) else { continue };
        let (port, core, port_waits) = match (&own, theirs) {
            ([sends, waits], [none, core_waits]) if waits.is_empty() && none.is_empty() => {
                (sends, core_waits, false)
            }
            ([none, waits], [core_sends, others]) if none.is_empty() && others.is_empty() => {
                (waits, core_sends, true)
            }
            _ => continue,
        };
        let is_single = |sync: &Sync| sync.message.partners == 1;
        if port.len() != core.len() || !port.iter().chain(core).all(is_single) {
            continue;
        }
        let distances = port.iter().zip(core).map(|(port, core)| core.end - port.end);
        if port_waits {
            bounds.low = bounds.low.max(distances.max());
        } else {
            bounds.high = [bounds.high, distances.min()].into_iter().flatten().min();
        }
        bounds.pairs += port.len();
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sync(end: i64, id: u16, is_wait: bool) -> Sync {
        Sync { end, message: SyncMessage { is_wait, id, partners: 1 } }
    }

    /// Message 1 goes from a core to the port, message 2 back; the port's clock is 1000 ns behind.
    #[test]
    fn sends_and_waits_bound_a_ports_clock_from_both_sides() {
        let cores = [sync(1100, 1, false), sync(1250, 2, true), sync(1500, 1, false)];
        let cores = [&cores[..], &[sync(1640, 2, true)]].concat();
        let port =
            [sync(104, 1, true), sync(240, 2, false), sync(530, 1, true), sync(639, 2, false)];
        let of = |others: &[u16]| bounds(&cores, &port, &others.iter().copied().collect());
        assert_eq!(of(&[]), Bounds { low: Some(996), high: Some(1001), pairs: 4 });
        assert_eq!(of(&[1]), Bounds { low: None, high: Some(1001), pairs: 2 });
        assert_eq!(of(&[1, 2]), Bounds::default());
    }

    #[test]
    fn messages_that_are_not_certain_say_nothing() {
        let port = [sync(104, 1, true)];
        let of = |cores: &[Sync]| bounds(cores, &port, &BTreeSet::new());
        assert_eq!(of(&[sync(1100, 1, false), sync(1200, 1, false)]), Bounds::default());
        assert_eq!(of(&[sync(1100, 1, false), sync(1200, 1, true)]), Bounds::default());
        assert_eq!(of(&[sync(1100, 2, false)]), Bounds::default());
        let mut to_two = sync(1100, 1, false);
        to_two.message.partners = 2;
        assert_eq!(of(&[to_two]), Bounds::default());
    }
}
