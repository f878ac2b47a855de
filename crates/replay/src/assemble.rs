//! From dependences to a graph with lags, which replays the measured times.

use std::mem::take;

use bigtpu_chip::Engine;
use bigtpu_sim::{Columns, Error, Graph, Ordered, TaskId, Times};
use rayon::prelude::*;

use crate::dependence::{DependenceKind, NONE, Node};
use crate::floors::Floors;
use crate::found::{Found, Incoming};
use crate::input::{Input, TrackInput};

/// Class of what is no event.
const NO_CLASS: u32 = u32::MAX;

/// A wait whose cause is known. In the graph it is the moment of its end; its start follows its engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitStart {
    pub(crate) node: Node,
    pub(crate) before: Node,
    pub(crate) lag: i64,
}

/// The graph of a run. Its tasks are numbered in the order in which they run, so that each replay reads memory in sequence.
pub(crate) struct Assembled {
    pub(crate) graph: Graph,
    /// By node its task.
    pub(crate) task: Vec<TaskId>,
    /// By task; [`NO_CLASS`] for those that are no event.
    pub(crate) class: Vec<u32>,
    /// By dependence of the graph.
    pub(crate) kinds: Vec<DependenceKind>,
    pub(crate) waits: Vec<WaitStart>,
    /// By event what it waited for longest; [`NONE`] without a cause.
    pub(crate) cause: Vec<Node>,
    /// By event why.
    pub(crate) cause_kind: Vec<DependenceKind>,
}

/// Gives every dependence its lag: the measured one where it binds, else the smallest of its kind. The classes of the
/// input's events are taken.
pub(crate) fn assemble(input: &mut Input<'_>, found: Found) -> Result<Assembled, Error> {
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
    let Rows { predecessor, kind, lag, duration, cause, cause_kind, .. } = all;
    let mut kinds = Vec::with_capacity(kind.len());
    let columns = Columns { duration, first, predecessor, lag };
    let Ordered { graph, number: task } = Graph::in_running_order(columns, |_, dependences| {
        let own = kind.get(dependences).unwrap_or_default();
        // Few: a loop is faster than copying memory.
        own.iter().for_each(|kind| kinds.push(*kind));
    })?;
    // A graph takes much memory: what is done with is given up at once.
    drop(kind);
    let mut class = vec![NO_CLASS; graph.len()];
    // The events are the first tasks.
    for (task, own) in task.iter().zip(take(&mut input.class)) {
        if let Some(class) = class.get_mut(*task as usize) {
            *class = own;
        }
    }
    Ok(Assembled { graph, task, class, kinds, waits, cause, cause_kind })
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

    /// Adds an event; returns the first of those it waits for that decides when it starts in the graph.
    fn event(
        &mut self,
        track: &TrackInput<'_>,
        least: &Least,
        i: usize,
        incoming: &[Incoming],
    ) -> Option<usize> {
        let (begin, end) = (track.start(i), track.end(i));
        // What ended last of what ends a wait.
        let mut released: Option<i64> = None;
        // What decided when the task could start; of those that ended together the strongest, of these the first.
        let mut binding: Option<((i64, u8), usize)> = None;
        for (at, e) in incoming.iter().enumerate() {
            if e.kind.ends_wait() {
                released = released.max(Some(e.ended));
                continue;
            }
            let key = (e.ended, e.kind.precedence());
            if binding.is_none_or(|(strongest, _)| key > strongest) {
                binding = Some((key, at));
            }
        }
        let bound = binding.map(|(_, at)| at);
        let lag_of = |at: usize, e: &Incoming| {
            let own = begin - e.ended;
            if Some(at) == bound { own } else { own.min(least.lag(e)) }
        };
        self.count.push(incoming.len() as u32);
        let mut decides = None;
        let Some(released) = released else {
            for (at, e) in incoming.iter().enumerate() {
                let lag = lag_of(at, e);
                decides = decides.or((e.ended + lag >= begin).then_some(at));
                self.dependence(e.from, e.kind, lag);
            }
            self.duration.push(end - begin);
            return decides;
        };
        // A wait whose message came after it began ended because of it; else it took its own time.
        let waited = released > begin;
        let own_time = if waited { least.wait.min(end - begin) } else { end - begin };
        for (at, e) in incoming.iter().enumerate() {
            let from_send = end - e.ended;
            let lag = match e.kind {
                kind if kind.ends_wait() && waited && e.ended == released => from_send,
                kind if kind.ends_wait() => from_send.min(least.message),
                _ => lag_of(at, e) + own_time,
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

    /// Of a dependence that did not decide.
    fn lag(&self, of: &Incoming) -> i64 {
        if of.kind.is_launch() { of.gap } else { self.of_kinds[of.kind as usize] }
    }
}
