//! From dependences to a graph with lags, which replays the measured times.

use std::mem::take;

use bigtpu_chip::Engine;
use bigtpu_sim::{Error, Graph, Times};
use rayon::prelude::*;

use crate::dependence::{DependenceKind, NONE, Node};
use crate::floors::Floors;
use crate::found::{Found, Incoming, Usual};
use crate::input::{Input, TrackInput};

/// A wait whose cause is known. In the graph it is the moment of its end; its start follows its engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitStart {
    pub(crate) node: Node,
    pub(crate) before: Node,
    pub(crate) lag: i64,
}

/// The graph of a run: each node is the task of its number.
pub(crate) struct Assembled {
    pub(crate) graph: Graph,
    /// By dependence of the graph.
    pub(crate) kinds: Vec<DependenceKind>,
    pub(crate) waits: Vec<WaitStart>,
    /// By event what it waited for longest; [`NONE`] without a cause.
    pub(crate) cause: Vec<Node>,
    /// By event why.
    pub(crate) cause_kind: Vec<DependenceKind>,
    /// Whether the measured times are a run of the graph: what each event waits for lets it start, or end, at the measured time.
    pub(crate) is_measured: bool,
}

/// Gives every dependence its lag: the measured one where it binds, else the smallest of its kind.
pub(crate) fn assemble(input: &Input<'_>, found: Found) -> Result<Assembled, Error> {
    let of_track = |(number, track)| Rows::of_track(input, &found, number, track);
    let tracks = input.tracks.par_iter().enumerate();
    let mut parts: Vec<Rows> = tracks.map(of_track).collect();
    parts.push(Rows::of_junctions(&found));
    drop(found);
    let dependences: usize = parts.iter().map(|part| part.predecessor.len()).sum();
    if u32::try_from(dependences).is_err() {
        return Err(Error::TooLarge);
    }
    let tasks: usize = parts.iter().map(|part| part.count.len()).sum();
    let mut first = Vec::with_capacity(tasks + 1);
    let mut until = 0;
    first.push(until);
    first.extend(parts.iter_mut().flat_map(|part| take(&mut part.count)).map(|count| {
        until += count;
        until
    }));
    let waits = parts.iter_mut().flat_map(|part| take(&mut part.waits)).collect();
    let is_measured = parts.iter().all(|part| !part.is_other);
    let mut all = Rows::with_capacity(tasks, dependences, input.events);
    let Rows { predecessor, kind, lag, duration, cause, cause_kind, .. } = &mut all;
    // Two halves of the columns, each part of which is given up when it was copied.
    let halves = parts.into_iter().map(|part| {
        let Rows { predecessor, kind, lag, duration, cause, cause_kind, .. } = part;
        ((predecessor, duration, cause), (kind, lag, cause_kind))
    });
    let (one, other): (Vec<_>, Vec<_>) = halves.unzip();
    rayon::join(
        || {
            for (mut predecessors, mut durations, mut causes) in one {
                predecessor.append(&mut predecessors);
                duration.append(&mut durations);
                cause.append(&mut causes);
            }
        },
        || {
            for (mut kinds, mut lags, mut cause_kinds) in other {
                kind.append(&mut kinds);
                lag.append(&mut lags);
                cause_kind.append(&mut cause_kinds);
            }
        },
    );
    let Rows { predecessor, kind: kinds, lag, duration, cause, cause_kind, .. } = all;
    let graph = Graph::from_columns(duration, Vec::new(), first, predecessor, lag)?;
    Ok(Assembled { graph, kinds, waits, cause, cause_kind, is_measured })
}

/// A part of the graph's tasks with their dependences, in the order of the tasks.
#[derive(Default)]
struct Rows {
    /// Number of dependences, by task.
    count: Vec<u32>,
    /// By task.
    duration: Times,
    /// By dependence.
    predecessor: Vec<Node>,
    /// By dependence.
    kind: Vec<DependenceKind>,
    /// By dependence.
    lag: Times,
    waits: Vec<WaitStart>,
    /// By event.
    cause: Vec<Node>,
    /// By event.
    cause_kind: Vec<DependenceKind>,
    /// Whether an event ends at another time than the measured one by what it waits for.
    is_other: bool,
}

impl Rows {
    /// Empty columns, all but [`Rows::count`] with memory for so many tasks, dependences and events.
    fn with_capacity(tasks: usize, dependences: usize, events: usize) -> Self {
        Self {
            duration: Times::with_capacity(tasks),
            predecessor: Vec::with_capacity(dependences),
            kind: Vec::with_capacity(dependences),
            lag: Times::with_capacity(dependences),
            cause: Vec::with_capacity(events),
            cause_kind: Vec::with_capacity(events),
            ..Self::default()
        }
    }

    fn of_track(input: &Input<'_>, found: &Found, number: usize, track: &TrackInput<'_>) -> Self {
        let events = track.len();
        let mut rows = Self::with_capacity(events, events * 2, events);
        rows.count.reserve_exact(events);
        let mut dependences = found.of_track(input, number, track);
        let least = Least::of(&found.floors, track.engine_id.engine);
        let origin = input.events as Node;
        let first = Incoming { from: origin, kind: DependenceKind::Origin, ended: 0, gap: 0 };
        let mut incoming = Vec::new();
        for i in 0..events {
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

    /// The origin, and the junctions.
    fn of_junctions(found: &Found) -> Self {
        let mut rows = Self::default();
        rows.count.push(0);
        rows.duration.push(0);
        for junction in &found.junctions {
            rows.count.push(junction.members.len() as u32);
            rows.duration.push(0);
            for member in &junction.members {
                rows.dependence(*member, DependenceKind::Gather, 0);
            }
        }
        rows
    }

    fn dependence(&mut self, from: Node, kind: DependenceKind, lag: i64) {
        self.predecessor.push(from);
        self.kind.push(kind);
        self.lag.push(lag);
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
        self.duration.push(end - begin);
        let (command, order) = match (usual.command, usual.order) {
            (Some(command), Some(order)) => (command, order),
            (Some((from, ended)), None) => {
                self.count.push(1);
                self.dependence(from, COMMAND, begin - ended);
                return (from, COMMAND);
            }
            (None, order) => {
                // One of them is known.
                let (from, ended) = order.unwrap_or_default();
                self.count.push(1);
                self.dependence(from, ORDER, begin - ended);
                return (from, ORDER);
            }
        };
        let (of_command, of_order) = (begin - command.1, begin - order.1);
        // Of two that ended together the command binds.
        let is_command = command.1 >= order.1;
        let least_of = |kind: DependenceKind| least.of_kinds[kind as usize];
        let of_command = if is_command { of_command } else { of_command.min(least_of(COMMAND)) };
        let of_order = if is_command { of_order.min(least_of(ORDER)) } else { of_order };
        self.count.push(2);
        self.predecessor.extend_from_slice(&[command.0, order.0]);
        self.kind.extend_from_slice(&[COMMAND, ORDER]);
        self.lag.push(of_command);
        self.lag.push(of_order);
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
        self.count.push(incoming.len() as u32);
        // What ended last of what ends a wait.
        let released = incoming.iter().filter(|e| e.kind.ends_wait()).map(|e| e.ended).max();
        let (decides, at) = match released {
            None => (self.work(least, (begin, end), incoming), begin),
            Some(released) => (self.wait(track, least, i, incoming, released), end),
        };
        // No task starts before 0.
        self.is_other |= decides.is_none() && at != 0;
        decides
    }

    /// Adds the dependences and the duration of an event that is no wait with a known end.
    #[inline]
    fn work(
        &mut self,
        least: &Least,
        (begin, end): (i64, i64),
        incoming: &[Incoming],
    ) -> Option<usize> {
        self.duration.push(end - begin);
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
        self.duration.push(0);
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
struct Least {
    /// By number of the kind.
    of_kinds: [i64; DependenceKind::Gather as usize + 1],
    message: i64,
    /// Of a wait whose message is already there.
    wait: i64,
}

impl Least {
    fn of(floors: &Floors, engine: Engine) -> Self {
        let mut of_kinds = [0; DependenceKind::Gather as usize + 1];
        for kind in DependenceKind::ALL {
            of_kinds[kind as usize] = floors.of_kind(kind, engine);
        }
        Self { of_kinds, message: floors.message(), wait: floors.wait(engine) }
    }

    /// Of a dependence of an event that began then.
    fn lag_of(&self, of: &Incoming, begin: i64, is_bound: bool) -> i64 {
        let own = begin - of.ended;
        if is_bound { own } else { own.min(self.lag(of)) }
    }

    /// Of a dependence that did not decide.
    fn lag(&self, of: &Incoming) -> i64 {
        if of.kind.is_launch() { of.gap } else { self.of_kinds[of.kind as usize] }
    }
}
