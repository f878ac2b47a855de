//! From dependences to a graph with lags, which replays the measured times.

use bigtpu_chip::Engine;
use bigtpu_sim::Error;
use rayon::prelude::*;

use crate::dependence::{DependenceKind, NONE, Node};
use crate::floors::Floors;
use crate::found::{Found, Incoming, Usual};
use crate::graph::{Columns, EventTimes, Graph, Lane, Link, Rare};
use crate::input::{Input, TrackInput};
use crate::releases::forget_early_causes;

/// No dependence besides that on the event before.
const NOTHING: (Node, DependenceKind, i64) = (NONE, DependenceKind::Gather, 0);

/// A wait whose cause is known. In the graph it is the moment of its end; its start follows its engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitStart {
    pub(crate) node: Node,
    pub(crate) before: Node,
    pub(crate) lag: i64,
}

/// The graph of a run, and what is known of its events besides.
pub(crate) struct Assembled {
    pub(crate) graph: Graph,
    pub(crate) waits: Vec<WaitStart>,
    /// What each event waited for longest; [`NONE`] without a cause.
    pub(crate) cause: Vec<Node>,
    /// Why each event waited.
    pub(crate) cause_kind: Vec<DependenceKind>,
    /// Whether the measured times are a run of the graph: what each event waits for lets it start, or end, at the measured time.
    pub(crate) is_measured: bool,
}

/// Gives every dependence its lag: the measured one where it binds, else the smallest of its kind. `columns`: of all events, to be
/// written.
pub(crate) fn assemble(
    input: &Input<'_>,
    found: Found<'_>,
    mut columns: Columns,
) -> Result<Assembled, Error> {
    let lanes = columns.lanes(input.tracks.iter().map(TrackInput::len));
    let of_track = |((number, track), lane)| Rows::of_track(input, &found, number, track, lane);
    let tracks = input.tracks.par_iter().enumerate().zip(lanes);
    let parts: Vec<Rows<'_>> = tracks.map(of_track).collect();
    let (junctions, longest_release_ns) = (found.junctions, found.longest_release_ns);
    let is_measured = parts.iter().all(|part| !part.is_other);
    let (mut rare, mut waits): (Vec<Rare>, Vec<WaitStart>) = Default::default();
    let mut cause = Vec::with_capacity(input.events);
    let mut cause_kind = Vec::with_capacity(input.events);
    for mut part in parts {
        cause.append(&mut part.cause);
        cause_kind.append(&mut part.cause_kind);
        waits.append(&mut part.waits);
        rare.push(part.lane.rare);
    }
    forget_early_causes(input, longest_release_ns, &mut cause, &mut cause_kind);
    rare.into_iter().for_each(|rare| columns.add(rare));
    let graph = Graph::build(columns, &junctions)?;
    Ok(Assembled { graph, waits, cause, cause_kind, is_measured })
}

/// The events of an engine with their dependences.
#[derive(Default)]
pub(crate) struct Rows<'c> {
    pub(crate) lane: Lane<'c>,
    waits: Vec<WaitStart>,
    /// Cause of each event, as in [`Assembled::cause`].
    pub(crate) cause: Vec<Node>,
    /// Why each event waited.
    pub(crate) cause_kind: Vec<DependenceKind>,
    /// Whether an event ends at another time than the measured one by what it waits for.
    is_other: bool,
    /// What the event that is being added waits for.
    incoming: Vec<(Node, DependenceKind, i64)>,
}

impl<'c> Rows<'c> {
    /// Makes room for the events of an engine, none of which is known yet.
    fn new(lane: Lane<'c>, events: usize) -> Self {
        Self {
            lane,
            cause: Vec::with_capacity(events),
            cause_kind: Vec::with_capacity(events),
            ..Self::default()
        }
    }

    fn of_track(
        input: &Input<'_>,
        found: &Found<'_>,
        number: usize,
        track: &TrackInput<'_>,
        lane: Lane<'c>,
    ) -> Self {
        let events = track.len();
        let mut rows = Self::new(lane, events);
        let mut dependences = found.of_track(number, track);
        let least = Least::new(&found.floors, track.engine_id.engine);
        let origin = input.events as Node;
        let first = Incoming { from: origin, kind: DependenceKind::Origin, ended: 0, gap: 0 };
        let mut incoming = Vec::new();
        let mut next = 0;
        while next < events {
            let plain = dependences.plain_from(next);
            if !plain.is_empty() {
                next = plain.end;
                rows.add_ordered(track, &least, plain, dependences.commands());
                continue;
            }
            let i = next;
            next += 1;
            if let Some(usual) = dependences.usual(i) {
                let (cause, kind) = rows.usual(track, &least, i, &usual);
                rows.cause.push(cause);
                rows.cause_kind.push(kind);
                continue;
            }
            dependences.next(i, &mut incoming);
            if incoming.is_empty() {
                incoming.push(first);
            }
            let bound = rows.event(track, &least, i, &incoming);
            let bound = bound.and_then(|at| incoming.get(at)).map(|e| (e.from, e.kind));
            // What gathers tasks stands for the one of them that ended last.
            let event = bound.and_then(|(from, kind)| match from.checked_sub(origin) {
                None => Some((from, kind)),
                Some(0) => None,
                Some(junction) => {
                    let junction = found.junctions.get(junction as usize - 1)?;
                    Some((junction.last, kind)).filter(|(last, _)| *last < origin)
                }
            });
            let (cause, kind) = event.unwrap_or((NONE, DependenceKind::Origin));
            rows.cause.push(cause);
            rows.cause_kind.push(kind);
        }
        rows
    }

    fn dependence(&mut self, from: Node, kind: DependenceKind, lag: i64) {
        self.incoming.push((from, kind, lag));
    }

    /// Adds an event that takes so long: the lag to the event before, if it follows that one, and what else it waits for.
    #[inline(always)]
    fn row(
        &mut self,
        duration: i64,
        order: Option<i64>,
        (other, kind, lag): (Node, DependenceKind, i64),
    ) {
        let times = EventTimes { order: order.unwrap_or(0), lag, duration };
        self.lane.push(Link::new(kind, order.is_some()), other, times);
    }

    /// Adds a row with [`Rows::incoming`], which is in the order of the event's dependences.
    fn row_of_incoming(&mut self, node: Node, duration: i64) {
        let mut incoming = std::mem::take(&mut self.incoming);
        let is_order = |&(from, kind, _): &(Node, DependenceKind, i64)| {
            kind == DependenceKind::EngineOrder && from.checked_add(1) == Some(node)
        };
        let order = incoming.iter().position(is_order);
        let order_lag = order.map(|at| incoming.remove(at).2);
        // The one next to the event before.
        let other = match order {
            Some(at) => at.saturating_sub(1),
            None => incoming.len().saturating_sub(1),
        };
        let other = if other < incoming.len() { Some(incoming.remove(other)) } else { None };
        self.row(duration, order_lag, other.unwrap_or(NOTHING));
        for (from, kind, lag) in incoming.drain(..) {
            self.lane.push_more(from, kind, lag);
        }
        self.incoming = incoming;
    }

    /// Adds an event as [`Rows::event`] does; returns what decides when it starts.
    #[inline]
    fn usual(
        &mut self,
        track: &TrackInput<'_>,
        least: &Least,
        i: usize,
        usual: &Usual,
    ) -> (Node, DependenceKind) {
        const COMMAND: DependenceKind = DependenceKind::Command;
        const ORDER: DependenceKind = DependenceKind::EngineOrder;
        let (begin, end) = (track.start(i), track.end(i));
        let duration = end - begin;
        let follows =
            usual.order.is_none_or(|(from, _)| from.checked_add(1) == Some(track.node(i)));
        let (command, order) = match (usual.command, usual.order) {
            (Some(command), Some(order)) => (command, order),
            (Some((from, ended)), None) => {
                self.row(duration, None, (from, COMMAND, begin - ended));
                return (from, COMMAND);
            }
            (None, order) => {
                // One of them is known.
                let (from, ended) = order.unwrap_or_default();
                let lag = begin - ended;
                if follows {
                    self.row(duration, Some(lag), NOTHING);
                } else {
                    self.row(duration, None, (from, ORDER, lag));
                }
                return (from, ORDER);
            }
        };
        let (of_command, of_order) = (begin - command.1, begin - order.1);
        // Of two that ended together the command binds.
        let is_command = command.1 >= order.1;
        let least_of = |kind: DependenceKind| least.of_kinds[kind as usize];
        let of_command = if is_command { of_command } else { of_command.min(least_of(COMMAND)) };
        let of_order = if is_command { of_order.min(least_of(ORDER)) } else { of_order };
        if follows {
            self.row(duration, Some(of_order), (command.0, COMMAND, of_command));
        } else {
            self.dependence(command.0, COMMAND, of_command);
            self.dependence(order.0, ORDER, of_order);
            self.row_of_incoming(track.node(i), duration);
        }
        let decides = command.1 + of_command >= begin;
        if decides { (command.0, COMMAND) } else { (order.0, ORDER) }
    }

    /// Adds an event; returns the first of those it waits for that decides when it starts in the graph.
    #[inline]
    fn event(
        &mut self,
        track: &TrackInput<'_>,
        least: &Least,
        i: usize,
        incoming: &[Incoming],
    ) -> Option<usize> {
        let (begin, end) = (track.start(i), track.end(i));
        // What ended last of what ends a wait.
        let released = incoming.iter().filter(|e| e.kind.ends_wait()).map(|e| e.ended).max();
        let (decides, at, duration) = match released {
            None => (self.work(least, begin, incoming), begin, end - begin),
            // It is the moment of its end.
            Some(released) => (self.wait(track, least, i, incoming, released), end, 0),
        };
        self.row_of_incoming(track.node(i), duration);
        // No task starts before 0.
        self.is_other |= decides.is_none() && at != 0;
        decides
    }

    /// Adds the dependences of an event that is no wait with a known end.
    #[inline]
    fn work(&mut self, least: &Least, begin: i64, incoming: &[Incoming]) -> Option<usize> {
        // Most events wait for the one before them only.
        if let [e] = incoming {
            self.dependence(e.from, e.kind, begin - e.ended);
            return Some(0);
        }
        let bound = binding(incoming);
        let mut decides = None;
        for (at, e) in incoming.iter().enumerate() {
            let lag = least.lag_of(e, begin, Some(at) == bound);
            decides = decides.or((e.ended + lag >= begin).then_some(at));
            self.dependence(e.from, e.kind, lag);
        }
        decides
    }

    /// Adds the dependences of a wait, the last of whose messages came at `released`.
    fn wait(
        &mut self,
        track: &TrackInput<'_>,
        least: &Least,
        i: usize,
        incoming: &[Incoming],
        released: i64,
    ) -> Option<usize> {
        let (begin, end) = (track.start(i), track.end(i));
        let bound = binding(incoming);
        // A wait whose message came after it began ended because of it; else it took its own time.
        let waited = released > begin;
        let own_time = if waited { least.wait.min(end - begin) } else { end - begin };
        let mut decides = None;
        for (at, e) in incoming.iter().enumerate() {
            let from_send = end - e.ended;
            let lag = match e.kind {
                kind if kind.ends_wait() && waited && e.ended == released => from_send,
                kind if kind.ends_wait() => from_send.min(least.message),
                _ => least.lag_of(e, begin, Some(at) == bound) + own_time,
            };
            decides = decides.or((e.ended + lag >= end).then_some(at));
            self.dependence(e.from, e.kind, lag);
        }
        if let Some(before) = bound.and_then(|at| incoming.get(at)) {
            let (node, lag) = (track.node(i), begin - before.ended);
            self.waits.push(WaitStart { node, before: before.from, lag });
        }
        decides
    }
}

/// What decided when a task could start; of those that ended together the strongest, of these the first.
fn binding(incoming: &[Incoming]) -> Option<usize> {
    let mut binding: Option<((i64, u8), usize)> = None;
    for (at, e) in incoming.iter().enumerate().filter(|(_, e)| !e.kind.ends_wait()) {
        let key = (e.ended, e.kind.precedence());
        if binding.is_none_or(|(strongest, _)| key > strongest) {
            binding = Some((key, at));
        }
    }
    binding.map(|(_, at)| at)
}

/// The smallest lags in ns on an engine.
pub(crate) struct Least {
    /// Smallest lag of each kind, by number of the kind.
    pub(crate) of_kinds: [i64; DependenceKind::Gather as usize + 1],
    message: i64,
    /// Smallest lag of a wait whose message is already there.
    wait: i64,
}

impl Least {
    fn new(floors: &Floors, engine: Engine) -> Self {
        let mut of_kinds = [0; DependenceKind::Gather as usize + 1];
        for kind in DependenceKind::ALL {
            of_kinds[kind as usize] = floors.of_kind(kind, engine);
        }
        Self { of_kinds, message: floors.message(), wait: floors.wait(engine) }
    }

    /// Returns the lag of a dependence, in ns. `begin`: when the event that depends began; `is_bound`: whether the
    /// dependence decided when.
    fn lag_of(&self, of: &Incoming, begin: i64, is_bound: bool) -> i64 {
        let own = begin - of.ended;
        if is_bound { own } else { own.min(self.lag(of)) }
    }

    /// Returns the lag of a dependence that did not decide.
    fn lag(&self, of: &Incoming) -> i64 {
        if of.kind.is_launch() { of.gap } else { self.of_kinds[of.kind as usize] }
    }
}
