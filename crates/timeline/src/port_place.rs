//! CDMA ports without a sync pair on the time line (section 7): placed by the kernel launches whose commands they ran, and
//! by the messages between them and the cores.
//!
//! The clock of a port starts on its own. What a port did for a launch lies within that launch on the core which
//! submitted it, and each launch so bounds the distance of the two clocks from both sides. Messages bound it more closely, and
//! hand-overs between the port and an SDMA closer still.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_messages::{Arg, Message, message};

use crate::cdma::Port;
use crate::dump::Dump;
use crate::join::Cores;
use crate::port_hand_overs::{self, Launch, Span};
use crate::port_messages::{self, Bounds, Files};

/// Where the distance is as close as this, in ns, hand-overs say nothing more.
const CLOSE_NS: i64 = 200;

/// Places the ports that no sync pair places. Those that nothing binds to a core stay where their own counters put
/// them, and are marked as not placed.
pub(crate) fn place_ports(dump: &Dump, cores: &Cores<'_>, ports: &mut [Port<'_>]) {
    let has_cores =
        cores.iter().any(|(_, core)| core.monitors.iter().any(|m| !m.events.is_empty()));
    let is_open = |port: &&mut Port<'_>| port.anchor.is_none() && !port.clean.events.is_empty();
    if !has_cores || !ports.iter_mut().any(|port| is_open(&port)) {
        return;
    }
    let files: Files<'_> =
        dump.cores.iter().map(|file| (file.index, file.command_bytes())).collect();
    let launches = launches_of_cores(cores);
    let syncs = port_messages::of_cores(dump.chip, cores, &files);
    let of_ports: Vec<_> =
        ports.iter().map(|port| port_messages::of_port(dump.chip, port, &files)).collect();
    let mut placed = BTreeMap::new();
    for (number, port) in ports.iter_mut().enumerate().filter(|(_, port)| is_open(port)) {
        let others = of_ports.iter().enumerate().filter(|(other, _)| *other != number);
        let others: BTreeSet<u16> =
            others.flat_map(|(_, syncs)| port_messages::ids(syncs)).collect();
        let own = of_ports.get(number).map(Vec::as_slice).unwrap_or_default();
        let messages = port_messages::bounds(&syncs, own, &others);
        match distance(&launches, &launches_of_port(cores, port), messages) {
            Some(found) => {
                port.clean.events.shift(found.ns);
                placed.insert(number, found);
            }
            None => {
                port.is_placed = false;
                let id = match dump.global.is_static {
                    true => "note-port-of-model-not-placed",
                    false => "note-port-not-placed",
                };
                port.notes.note(Message::new(id));
            }
        }
    }
    place_by_hand_overs(cores, ports, &mut placed);
    for (number, placed) in placed {
        ports.get_mut(number).into_iter().for_each(|port| port.notes.note(placed.message()));
    }
}

/// Places ports more closely by hand-overs between them and the SDMA of their core, where they show the distance. A port that is placed
/// helps to place the others.
fn place_by_hand_overs(
    cores: &Cores<'_>,
    ports: &mut [Port<'_>],
    placed: &mut BTreeMap<usize, Placed>,
) {
    let is_close = |placed: &Placed| placed.doubt_ns.is_some_and(|ns| ns <= CLOSE_NS);
    let is_loose = |placed: &Placed| placed.doubt_ns.is_some_and(|ns| ns > CLOSE_NS);
    loop {
        let of_port = |number: usize| {
            let (port, own) = (ports.get(number)?, placed.get(&number)?);
            let doubt_ns = own.doubt_ns.filter(|_| is_loose(own))?;
            let others = ports.iter().enumerate().filter(|(other, port)| {
                let is_known = port.anchor.is_some() || placed.get(other).is_some_and(is_close);
                *other != number && is_known
            });
            let others: Vec<&Port<'_>> = others.map(|(_, other)| other).collect();
            Some((number, port_hand_overs::met(cores, port, &others, (-doubt_ns, doubt_ns))?))
        };
        let Some((number, met)) = (0..ports.len()).find_map(of_port) else { return };
        ports.get_mut(number).into_iter().for_each(|port| port.clean.events.shift(met.ns));
        if let Some(placed) = placed.get_mut(&number) {
            placed.ns += met.ns;
            placed.doubt_ns = Some(met.doubt_ns);
            placed.hand_overs = met.count;
        }
    }
}

fn widen(spans: &mut BTreeMap<Launch, Span>, launch: Launch, span: Span) {
    let known = spans.entry(launch).or_insert(span);
    *known = (known.0.min(span.0), known.1.max(span.1));
}

fn launches_of_cores(cores: &Cores<'_>) -> BTreeMap<Launch, Span> {
    let mut spans = BTreeMap::new();
    for (index, core) in cores {
        for events in core.monitors.iter().map(|clean| &clean.events) {
            for ((&start, &end), &tag) in events.start.iter().zip(&events.end).zip(&events.tag) {
                if let Some(scope) = core.tags.scope(tag) {
                    widen(&mut spans, (*index, scope), (start, end));
                }
            }
        }
    }
    spans
}

fn launches_of_port(cores: &Cores<'_>, port: &Port<'_>) -> BTreeMap<Launch, Span> {
    let mut spans = BTreeMap::new();
    let events = &port.clean.events;
    for ((&start, &end), launched) in events.start.iter().zip(&events.end).zip(&port.launched_by) {
        let Some((index, tag)) = *launched else { continue };
        let core = cores.iter().find(|(core, _)| *core == index);
        if let Some(scope) = core.and_then(|(_, core)| core.tags.scope(tag)) {
            widen(&mut spans, (index, scope), (start, end));
        }
    }
    spans
}

/// How far a port's clock is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Placed {
    /// To add to the port's times.
    ns: i64,
    /// The true distance differs by no more than this; `None` where it is known from one side only.
    doubt_ns: Option<i64>,
    launches: usize,
    messages: usize,
    hand_overs: usize,
}

impl Placed {
    /// What the ledger says of it.
    fn message(&self) -> Message {
        let Self { doubt_ns, launches, messages, hand_overs, .. } = *self;
        let by = match (launches, messages) {
            _ if hand_overs > 0 => message!("note-by-hand-overs", hand_overs = hand_overs),
            (_, 0) => message!("note-by-launches", launches = launches),
            (0, _) => message!("note-by-messages", messages = messages),
            _ => {
                message!("note-by-launches-and-messages", launches = launches, messages = messages,)
            }
        };
        match doubt_ns {
            Some(ns) => message!("note-port-placed", by = by, doubt = Arg::TimeNs(ns)),
            None => message!("note-port-placed-one-sided", by = by),
        }
    }
}

/// The distance that fits all launches and messages; `None` without any, or where they contradict each other by more than
/// the shortest launch lasts (messages: at all).
fn distance(
    cores: &BTreeMap<Launch, Span>,
    port: &BTreeMap<Launch, Span>,
    messages: Bounds,
) -> Option<Placed> {
    let both = || port.iter().filter_map(|(launch, own)| Some((*cores.get(launch)?, *own)));
    let low = both().map(|(core, own)| core.0 - own.0).max();
    let high = both().map(|(core, own)| core.1 - own.1).min();
    let shortest = both().map(|(core, _)| core.1 - core.0).min().unwrap_or(0);
    let launches = both().count();
    let of_launches = low.zip(high).filter(|(low, high)| low - high <= shortest);
    let middle = |low: i64, high: i64| (low + (high - low) / 2, Some((high - low).abs() / 2 + 1));
    let placed = |(ns, doubt_ns), launches, messages| {
        let hand_overs = 0;
        Placed { ns, doubt_ns, launches, messages, hand_overs }
    };
    let pairs = messages.pairs;
    match (messages.low, messages.high, of_launches) {
        (Some(low), Some(high), _) if low > high => None,
        // A message is closer than a launch: it decides where both can't be.
        (Some(low), Some(high), _) => Some(placed(middle(low, high), 0, pairs)),
        (Some(low), None, Some((first, last))) if low <= last => {
            Some(placed(middle(low.max(first), last), launches, pairs))
        }
        (None, Some(high), Some((first, last))) if first <= high => {
            Some(placed(middle(first, high.min(last)), launches, pairs))
        }
        (None, None, Some((first, last))) => Some(placed(middle(first, last), launches, 0)),
        (_, _, Some(_)) => None,
        (Some(ns), None, None) | (None, Some(ns), None) => Some(placed((ns, None), 0, pairs)),
        (None, None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    fn english(placed: &Placed) -> String {
        placed.message().text(Language::English)
    }

    fn spans(spans: &[Span]) -> BTreeMap<Launch, Span> {
        (0..).zip(spans).map(|(scope, span)| ((3, scope), *span)).collect()
    }

    #[test]
    fn launches_bound_a_ports_clock_from_both_sides() {
        let cores = spans(&[(1000, 1100), (1200, 1290), (1500, 1700)]);
        let port = spans(&[(10, 80), (220, 290), (520, 600)]);
        let placed = distance(&cores, &port, Bounds::default()).unwrap();
        assert_eq!((placed.ns, placed.launches, placed.messages), (995, 3, 0));
        assert!(placed.doubt_ns.unwrap() <= 6, "{placed:?}");
    }

    #[test]
    fn contradictions_place_nothing() {
        let cores = spans(&[(1000, 1100), (1200, 1300)]);
        let none = Bounds::default();
        assert_eq!(distance(&cores, &spans(&[(10, 80), (710, 780)]), none), None);
        assert_eq!(distance(&cores, &BTreeMap::new(), none), None);
        let wrong = Bounds { low: Some(20), high: Some(10), pairs: 2 };
        assert_eq!(distance(&cores, &spans(&[(10, 80)]), wrong), None);
    }

    #[test]
    fn messages_place_where_there_are_no_launches_and_more_closely_than_they() {
        let none = BTreeMap::new();
        let both = Bounds { low: Some(996), high: Some(1002), pairs: 4 };
        let placed = distance(&none, &none, both).unwrap();
        assert_eq!((placed.ns, placed.doubt_ns, placed.messages), (999, Some(4), 4));
        let launches = (spans(&[(1000, 1900)]), spans(&[(100, 300)]));
        let one = Bounds { low: Some(1200), high: None, pairs: 1 };
        let placed = distance(&launches.0, &launches.1, one).unwrap();
        assert_eq!((placed.ns, placed.doubt_ns), (1400, Some(201)));
        assert!(english(&placed).ends_with("1 kernel launches and 1 messages, to within 0.201 us"));
        let placed = distance(&none, &none, one).unwrap();
        assert_eq!((placed.ns, placed.doubt_ns), (1200, None));
        assert!(english(&placed).contains("all of one direction"));
    }
}
