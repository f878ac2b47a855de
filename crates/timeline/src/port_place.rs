//! CDMA ports without a sync pair on the time line (section 7): placed by the kernel launches whose commands they ran.
//!
//! The clock of a port starts on its own. What a port did for a launch lies within that launch on the core which
//! submitted it, and each launch so bounds the distance of the two clocks from both sides.

use std::collections::BTreeMap;

use crate::cdma::Port;
use crate::join::JoinedCore;
use crate::profile::Cores;

/// First start and last end, in ns.
type Span = (i64, i64);

/// A core's kernel launch: the core's number and the scope.
type Launch = (u32, u32);

/// Places the ports that no sync pair places. Those that nothing binds to a core stay where their own counters put
/// them, and are marked as not placed.
pub(crate) fn place_ports(cores: &Cores<'_>, ports: &mut [Port<'_>]) {
    let has_cores =
        cores.iter().any(|(_, core)| core.monitors.iter().any(|m| !m.events.is_empty()));
    let is_open = |port: &&mut Port<'_>| port.anchor.is_none() && !port.clean.events.is_empty();
    if !has_cores || !ports.iter_mut().any(|port| is_open(&port)) {
        return;
    }
    let launches = launches_of_cores(cores);
    for port in ports.iter_mut().filter(is_open) {
        match distance(&launches, &launches_of_port(cores, port)) {
            Some(placed) => {
                port.clean.events.shift(placed.ns);
                port.notes.note(format!(
                    "no sync pair binds the port to a core: its times are placed by {} kernel launches, to within {:.3} us",
                    placed.launches,
                    placed.doubt_ns as f64 / 1000.0
                ));
            }
            None => {
                port.is_placed = false;
                port.notes.note(
                    "no sync pair and no kernel launch bind the port to a core: its times count from an origin of its own, and it is left out of the wall time and of the critical path; profile all cores of the chip in capture mode 1 or 2",
                );
            }
        }
    }
}

fn widen(spans: &mut BTreeMap<Launch, Span>, launch: Launch, span: Span) {
    let known = spans.entry(launch).or_insert(span);
    *known = (known.0.min(span.0), known.1.max(span.1));
}

fn scope(core: &JoinedCore<'_>, tag: u32) -> Option<u32> {
    core.tags.tags.get(tag as usize)?.scope
}

fn launches_of_cores(cores: &Cores<'_>) -> BTreeMap<Launch, Span> {
    let mut spans = BTreeMap::new();
    for (index, core) in cores {
        for events in core.monitors.iter().map(|clean| &clean.events) {
            for ((&start, &end), &tag) in events.start.iter().zip(&events.end).zip(&events.tag) {
                if let Some(scope) = scope(core, tag) {
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
        if let Some(scope) = core.and_then(|(_, core)| scope(core, tag)) {
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
    /// The true distance differs by no more than this.
    doubt_ns: i64,
    launches: usize,
}

/// The distance that fits all launches; `None` without any, or where they contradict each other by more than the
/// shortest of them lasts.
fn distance(cores: &BTreeMap<Launch, Span>, port: &BTreeMap<Launch, Span>) -> Option<Placed> {
    let both = || port.iter().filter_map(|(launch, own)| Some((*cores.get(launch)?, *own)));
    let low = both().map(|(core, own)| core.0 - own.0).max()?;
    let high = both().map(|(core, own)| core.1 - own.1).min()?;
    let shortest = both().map(|(core, _)| core.1 - core.0).min()?;
    let launches = both().count();
    let doubt_ns = (high - low).abs() / 2 + 1;
    (low - high <= shortest).then_some(Placed { ns: low + (high - low) / 2, doubt_ns, launches })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(spans: &[Span]) -> BTreeMap<Launch, Span> {
        (0..).zip(spans).map(|(scope, span)| ((3, scope), *span)).collect()
    }

    #[test]
    fn launches_bound_a_ports_clock_from_both_sides() {
        let cores = spans(&[(1000, 1100), (1200, 1290), (1500, 1700)]);
        let port = spans(&[(10, 80), (220, 290), (520, 600)]);
        let placed = distance(&cores, &port).unwrap();
        assert_eq!((placed.ns, placed.launches), (995, 3));
        assert!(placed.doubt_ns <= 6, "{placed:?}");
    }

    #[test]
    fn contradictions_place_nothing() {
        let cores = spans(&[(1000, 1100), (1200, 1300)]);
        assert_eq!(distance(&cores, &spans(&[(10, 80), (710, 780)])), None);
        assert_eq!(distance(&cores, &BTreeMap::new()), None);
    }
}
