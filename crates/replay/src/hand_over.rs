//! Observed hand-overs: an engine was idle, a command of another engine of its core ended, and right after that the
//! idle one started. Used where nothing better is known. An engine whose commands name no dependence may also start long after
//! that end: what it waited for is not known, but it came after that end, and not only after the engine's own last command.
//!
//! An engine that takes no part in a sync starts some time after it, together with one that does: both wait for the sync's end.

use bigtpu_chip::Engine;
use bigtpu_timeline::EngineId;

use crate::dependence::{Edge, Node};
use crate::input::{Input, Task, TrackInput};

/// Longest time from the end of a command to the start of one that waited for it, in ns.
pub(crate) const HAND_OVER_NS: i64 = 200;

/// A command that names other work, which had ended long before, started this soon after a command of another engine had ended...
const CLOSE_NS: i64 = 60;
/// ... and its engine was idle for so long: it waited for that command, in a way that it does not name, and not by chance.
const LONG_IDLE_NS: i64 = 500;

/// Hand-overs to a track, by event. `explained` says whether an event's start is explained without one; it is asked
/// for events in their order. `commands_known`: command dependences are in use, so that a TIU or GDMA command names the work that it
/// waited for; what it does not name are waits and other system commands, and work that its program puts before it in another way.
pub(crate) fn hand_overs(
    input: &Input<'_>,
    track: &TrackInput<'_>,
    mut explained: impl FnMut(usize) -> bool,
    commands_known: bool,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    if track.core.is_none() {
        return edges;
    }
    let mut others = Others::new(input, track);
    let by_number = matches!(track.engine_id.engine, Engine::Tiu | Engine::Gdma);
    // The latest start, and since when the engine is idle.
    let (mut now, mut idle) = (i64::MIN, i64::MIN);
    let names = commands_known && by_number;
    for (i, (start, end)) in track.times(0..track.len()).enumerate() {
        let idle_since = idle;
        idle = idle.max(end);
        let names_work = names && track.dependence(i).is_some();
        if names_work && start - HAND_OVER_NS <= idle_since {
            continue;
        }
        now = now.max(start);
        if now <= idle_since {
            // Nothing has ended since then.
            continue;
        }
        // Most starts are explained, which is cheaper to ask.
        if !explained(i)
            && let Some(Ended { end: ended, node: from, other }) =
                others.last(now, start, idle_since)
            && (!names_work
                || !input.is_work(from)
                || start - ended <= CLOSE_NS && start.saturating_sub(idle_since) >= LONG_IDLE_NS)
            && (!commands_known
                || !by_number
                || start - ended <= HAND_OVER_NS
                || others.lets_go(other, input, start, names_work))
        {
            edges.push(Edge { from, to: track.node(i), ended });
        }
    }
    edges
}

/// The engines that an engine may wait for.
struct Others<'t>(Vec<Other<'t>>);

/// A command that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ended {
    /// ns from the first event.
    end: i64,
    node: Node,
    /// Place of its engine among the others.
    other: usize,
}

impl<'t> Others<'t> {
    fn new(input: &'t Input<'_>, track: &TrackInput<'_>) -> Self {
        let of_core =
            |t: &&TrackInput<'_>| t.core == track.core && may_wait(track.engine_id, t.engine_id);
        Self(input.tracks.iter().filter(of_core).map(Other::new).collect())
    }

    /// What ended last by `now` of what began before `start`; `None` if that was before the engine was idle.
    fn last(&mut self, now: i64, start: i64, idle_since: i64) -> Option<Ended> {
        let mut latest = None;
        for (other, own) in self.0.iter_mut().enumerate() {
            if own.next_end <= now {
                own.go_on(now);
            }
            let Some((began, end)) = own.last else { continue };
            // What starts together with the command can't be what it waited for, nor what had ended before the engine was idle.
            if end > idle_since && began < start {
                latest =
                    latest.max(Some(Ended { end, node: own.track.node(own.ended - 1), other }));
            }
        }
        latest
    }

    /// See [`lets_go`].
    fn lets_go(&self, other: usize, input: &Input<'_>, start: i64, or_any_system: bool) -> bool {
        let other = self.0.get(other);
        other.is_some_and(|o| lets_go(input, o.track, o.ended, start, or_any_system))
    }
}

/// Another engine, as far as its commands have ended.
struct Other<'t> {
    track: &'t TrackInput<'t>,
    /// How many have.
    ended: usize,
    /// Start and end of the last of them.
    last: Option<(i64, i64)>,
    /// When the next one ends; never, where there is none.
    next_end: i64,
}

impl<'t> Other<'t> {
    fn new(track: &'t TrackInput<'t>) -> Self {
        let next_end = if track.len() == 0 { i64::MAX } else { track.end(0) };
        Self { track, ended: 0, last: None, next_end }
    }

    /// The next one has ended, and all that follow it and end by then.
    fn go_on(&mut self, by: i64) {
        let last = self.ended + self.track.ended_from(self.ended + 1, by);
        self.last = Some((self.track.start(last), self.track.end(last)));
        self.ended = last + 1;
        let is_done = self.ended == self.track.len();
        self.next_end = if is_done { i64::MAX } else { self.track.end(self.ended) };
    }
}

/// Whether an engine may wait for another one of its core. Ports take from SDMA, and give to it; a core that submits to several ports
/// does so in turn.
fn may_wait(own: EngineId, other: EngineId) -> bool {
    match (own.engine, other.engine) {
        (Engine::Cdma, Engine::Sdma) | (Engine::Sdma, Engine::Cdma) => true,
        (Engine::Cdma, Engine::Cdma) => own.index != other.index,
        (Engine::Cdma, _) | (_, Engine::Cdma) => false,
        (own, other) => own != other,
    }
}

/// Whether the command before `next` on the other engine is a wait, and its end let both `next` and what starts at `start`
/// go: they start together. `or_any_system`: other system commands may follow the wait.
fn lets_go(
    input: &Input<'_>,
    other: &TrackInput<'_>,
    next: usize,
    start: i64,
    or_any_system: bool,
) -> bool {
    let Some(before) = next.checked_sub(1).map(|i| other.node(i)) else { return false };
    let is_wait = input.class_of(before).is_some_and(|class| class.task == Task::Wait);
    (is_wait || or_any_system && !input.is_work(before))
        && next < other.len()
        && (other.start(next) - start).abs() <= input.tolerance
}
