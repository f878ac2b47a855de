//! Flows of a device: an arrow from each send to what it released, from each command to the commands of other engines that
//! it kept waiting, and between the critical path and its commands.
//!
//! A trace viewer takes events by time and ignores the end of a flow that did not start before. A wait mostly starts
//! before its send does, so a flow can't end at the wait's slice: it ends at the command that the waiting engine runs
//! next, or, where none follows, at a mark at the wait's end.

use std::sync::OnceLock;

use bigtpu_answers::Analysis;
use bigtpu_measure::Flows as Messages;
use bigtpu_replay::{Cause, DependenceKind, EngineCauses, Segment};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineId, Events, Profile, Track};
use foldhash::HashMap;
use rayon::prelude::*;

use crate::event_flows::{Ends, EndsByPoint, FlowPoint, Part, TrackFlows};

/// Flows by the tracks that they touch.
pub(crate) struct Flows {
    by_track: HashMap<EngineId, TrackFlows>,
    /// Number of the flow of the critical path's first stretch.
    first_of_path: u64,
    /// Number that no flow has, nor any after it.
    pub(crate) next: u64,
}

/// The tracks of a profile: their places by engine and core, and their events.
struct Tracks<'p> {
    places: [Vec<Option<usize>>; 4],
    events: Vec<EventsByStart<'p>>,
    /// Only what runs then is drawn.
    cut: Option<&'p Cut>,
}

impl<'p> Tracks<'p> {
    fn of(profile: &'p Profile<'_>, cut: Option<&'p Cut>) -> Self {
        let mut places: [Vec<Option<usize>>; 4] = Default::default();
        for (place, track) in profile.tracks().enumerate() {
            let of_engine = &mut places[track.engine_id.engine as usize];
            let index = track.engine_id.index as usize;
            of_engine.resize(of_engine.len().max(index + 1), None);
            of_engine[index] = Some(place);
        }
        let events = profile.tracks().map(|track| EventsByStart::of(&track.events)).collect();
        Self { places, events, cut }
    }

    #[inline]
    fn place(&self, engine_id: EngineId) -> Option<usize> {
        *self.places[engine_id.engine as usize].get(engine_id.index as usize)?
    }

    /// Where a flow from an event to one that it kept waiting ends; `None` where no viewer can show it. Tracks by their
    /// places. `is_wait`: that one is a wait, which ends when it is released; others start then.
    #[inline]
    fn end(
        &self,
        from: (usize, usize),
        to: (usize, usize),
        is_wait: bool,
    ) -> Option<(u32, FlowPoint)> {
        let [of_from, of_to] = [self.events.get(from.0)?, self.events.get(to.0)?];
        let start = *of_from.events.start.get(from.1)?;
        let is_drawn = |events, event| self.cut.is_none_or(|cut| is_drawn(events, event, cut));
        if !is_drawn(of_from.events, from.1) || !is_drawn(of_to.events, to.1) {
            return None;
        }
        if !is_wait {
            let is_after = *of_to.events.start.get(to.1)? > start;
            return is_after.then_some((to.1 as u32, FlowPoint::End));
        }
        match of_to.end_of(to.1, start)? {
            (next, FlowPoint::End) if !is_drawn(of_to.events, next as usize) => {
                Some((to.1 as u32, FlowPoint::EndBehind))
            }
            end => Some(end),
        }
    }

    /// Flows of messages, each from a send to its wait.
    fn messages(&self, flows: &Messages) -> Vec<EndsByPoint> {
        let mut ends: Vec<EndsByPoint> =
            self.events.iter().map(|_| EndsByPoint::default()).collect();
        for (number, flow) in (0..).zip(flows.pairs()) {
            let both = self.place(flow.send.0).zip(self.place(flow.wait.0));
            let Some((from, to)) = both else { continue };
            let found = self.end((from, flow.send.1), (to, flow.wait.1), true);
            let Some((event, point)) = found else { continue };
            if let Some(ends) = ends.get_mut(from) {
                ends.starts.push((flow.send.1 as u32, number));
            }
            if let Some(ends) = ends.get_mut(to) {
                ends.push(point, (event, number));
            }
        }
        ends
    }

    /// Flows between the stretches of the critical path and their commands: their ends at these.
    fn of_path(&self, profile: &Profile<'_>, analysis: &Analysis) -> (Vec<EndsByPoint>, u64) {
        let mut ends: Vec<EndsByPoint> =
            self.events.iter().map(|_| EndsByPoint::default()).collect();
        let origin = origin(profile);
        let mut count = 0;
        for segment in analysis.critical_path.iter().flat_map(|path| path.segments()) {
            let number = count as u32;
            count += 1;
            let Some(track) = self.place(segment.engine_id) else { continue };
            let Some(EventsByStart { events, .. }) = self.events.get(track) else { continue };
            let (from, to) = (segment.start + origin, segment.end + origin);
            let holds = |cut: &Cut| cut.holds(from, to) && is_drawn(events, segment.event, cut);
            if !self.cut.is_none_or(holds) {
                continue;
            }
            let start = events.start.get(segment.event);
            let point = match start.and_then(|&start| PathPoint::of(start - origin, &segment)) {
                Some(PathPoint::ToCommand) => FlowPoint::End,
                Some(PathPoint::FromCommand) => FlowPoint::Start,
                None => continue,
            };
            if let Some(ends) = ends.get_mut(track) {
                ends.push(point, (segment.event as u32, number));
            }
        }
        (ends, count)
    }
}

impl Flows {
    /// The flows, numbered from `first` on: every device of a trace has numbers of its own.
    /// Only flows between events that are drawn, where they are cut.
    pub(crate) fn of(
        profile: &Profile<'_>,
        analysis: &Analysis,
        cut: Option<&Cut>,
        first: u64,
    ) -> Self {
        let tracks = Tracks::of(profile, cut);
        let causes = analysis.event_causes.as_ref();
        let engines: Vec<EngineId> = profile.tracks().map(|track| track.engine_id).collect();
        let kept_waiting = || -> Vec<KeptWaiting> {
            let of_engine = |&engine: &EngineId| {
                let causes = causes.and_then(|causes| causes.of_engine(engine));
                causes.map_or_else(KeptWaiting::default, |c| kept_waiting(c, engine, &tracks))
            };
            engines.par_iter().map(of_engine).collect()
        };
        let others = || {
            rayon::join(|| tracks.messages(&analysis.flows), || tracks.of_path(profile, analysis))
        };
        let (kept_waiting, (messages, (of_path, count))) = rayon::join(kept_waiting, others);
        // Numbers of messages come first, then those of what kept others waiting, then those of the path.
        let mut next = first;
        let mut parts: Vec<Vec<Part<'_>>> =
            messages.iter().map(|ends| ends.parts(next).to_vec()).collect();
        next += analysis.flows.len() as u64;
        for (track, KeptWaiting { sources, ends, count }) in kept_waiting.iter().enumerate() {
            if let Some(parts) = parts.get_mut(track) {
                parts.extend(ends.parts(next));
            }
            for (source, ends) in sources {
                if let Some(parts) = parts.get_mut(*source) {
                    parts.push(Part { point: FlowPoint::Start, first: next, ends });
                }
            }
            next += count;
        }
        let first_of_path = next;
        for (parts, ends) in parts.iter_mut().zip(&of_path) {
            parts.extend(ends.parts(first_of_path));
        }
        next += count;
        let by_track = engines.par_iter().zip(&parts).zip(&tracks.events);
        let by_track = by_track
            .map(|((engine, parts), track)| (*engine, TrackFlows::of(parts, track.events.len())));
        Self { by_track: by_track.collect(), first_of_path, next }
    }

    /// What the flow of a stretch of the critical path does there, and its number; `start`: of its command, in ns from
    /// the first event.
    pub(crate) fn of_segment(
        &self,
        at: usize,
        start: i64,
        segment: &Segment,
    ) -> Option<(PathPoint, u64)> {
        Some((PathPoint::of(start, segment)?, self.first_of_path + at as u64))
    }

    /// The flows of an engine's events.
    pub(crate) fn on(&self, engine_id: EngineId) -> &TrackFlows {
        self.by_track.get(&engine_id).unwrap_or(&NONE)
    }
}

/// Flows of an engine without any.
static NONE: TrackFlows = TrackFlows::NONE;

/// The flows to the events of an engine.
#[derive(Debug, Default)]
struct KeptWaiting {
    /// Where they end.
    ends: EndsByPoint,
    /// Where they start: tracks by their places.
    sources: Vec<(usize, Ends)>,
    /// How many numbers they have; some flows are not shown.
    count: u64,
}

/// What kept events waiting, where no message says it and it is of another engine: see [`bigtpu_replay::Cause`].
fn kept_waiting(causes: EngineCauses<'_>, engine: EngineId, tracks: &Tracks<'_>) -> KeptWaiting {
    let mut found = KeptWaiting::default();
    // Half of all events wait for another engine, or fewer.
    found.ends.ends.reserve(causes.events() / 2);
    let Some(own) = tracks.place(engine) else { return found };
    let mut number: u32 = 0;
    // The engine that kept the last one waiting, and where its list is.
    let mut last: Option<(EngineId, usize)> = None;
    causes.foreign_causes(0..causes.events(), |event, cause| {
        let Cause { engine_id, event: from, kind } = cause;
        if kind == DependenceKind::Message {
            return;
        }
        let list = match last {
            Some((known, list)) if known == engine_id => Some(list),
            _ => tracks.place(engine_id).map(|place| found.list(place)),
        };
        last = list.map(|list| (engine_id, list));
        let is_wait = kind == DependenceKind::Barrier;
        if let Some((source, starts)) = list.and_then(|list| found.sources.get_mut(list))
            && let Some((event, point)) = tracks.end((*source, from), (own, event), is_wait)
        {
            starts.push((from as u32, number));
            found.ends.push(point, (event, number));
        }
        number += 1;
    });
    found.count = number.into();
    found
}

impl KeptWaiting {
    /// Which of the lists is that of a track.
    #[cold]
    fn list(&mut self, source: usize) -> usize {
        let known = self.sources.iter().position(|(known, _)| *known == source);
        known.unwrap_or_else(|| {
            self.sources.push((source, Ends::new()));
            self.sources.len() - 1
        })
    }
}

/// Whether an event is drawn.
fn is_drawn(events: &Events, event: usize, cut: &Cut) -> bool {
    let time = events.start.get(event).zip(events.end.get(event));
    time.is_some_and(|(&start, &end)| cut.holds(start, end))
}

/// The first start of all events, in ns: the critical path counts from it.
pub(crate) fn origin(profile: &Profile<'_>) -> i64 {
    profile.tracks().flat_map(|track| &track.events.start).min().copied().unwrap_or(0)
}

/// The track of an engine.
pub(crate) fn track_of<'p, 'd>(
    profile: &'p Profile<'d>,
    engine_id: EngineId,
) -> Option<&'p Track<'d>> {
    let of_core = profile.cores.get(engine_id.index as usize);
    let of_core = of_core.and_then(|core| core.tracks.iter().find(|t| t.engine_id == engine_id));
    of_core.or_else(|| profile.ports.iter().find(|port| port.engine_id == engine_id))
}

/// Which way a flow goes between a stretch of the critical path and its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathPoint {
    /// The stretch is before the command.
    ToCommand,
    /// The stretch is a part of the command.
    FromCommand,
}

impl PathPoint {
    /// `start`: of the command, in ns from the first event. `None` where no viewer can show it.
    fn of(start: i64, segment: &Segment) -> Option<Self> {
        if segment.start < start {
            return Some(Self::ToCommand);
        }
        (segment.end > start).then_some(Self::FromCommand)
    }
}

/// A track's events by their start: finds what runs next.
struct EventsByStart<'p> {
    events: &'p Events,
    /// Events by start, found when it is first asked for: a track without waits never is. `None`: they already are so.
    order: OnceLock<Option<Vec<u32>>>,
}

impl<'p> EventsByStart<'p> {
    fn of(events: &'p Events) -> Self {
        Self { events, order: OnceLock::new() }
    }

    fn order(&self) -> Option<&[u32]> {
        let starts = &self.events.start;
        let order = self.order.get_or_init(|| {
            (!starts.is_sorted()).then(|| {
                let mut order: Vec<u32> = (0..self.events.len() as u32).collect();
                order.sort_by_key(|&i| starts[i as usize]);
                order
            })
        });
        order.as_deref()
    }

    /// Where the flow to a wait, from a send that starts at `start`, ends; `None` where no viewer can show it: send and
    /// release are at one moment.
    fn end_of(&self, wait: usize, start: i64) -> Option<(u32, FlowPoint)> {
        let end = *self.events.end.get(wait)?;
        match self.after(wait, end) {
            Some(next) if self.events.start[next] > start => Some((next as u32, FlowPoint::End)),
            _ if end > start => Some((wait as u32, FlowPoint::EndBehind)),
            _ => None,
        }
    }

    /// The first event that starts at `time` or later; mostly it is the one behind `event`.
    fn after(&self, event: usize, time: i64) -> Option<usize> {
        let starts = &self.events.start;
        match self.order() {
            Some(order) => {
                let at = order.partition_point(|&i| starts[i as usize] < time);
                order.get(at).map(|&i| i as usize)
            }
            None => match starts.get(event..) {
                Some([own, next, ..]) if *own < time && *next >= time => Some(event + 1),
                _ => Some(starts.partition_point(|&start| start < time))
                    .filter(|&i| i < starts.len()),
            },
        }
    }
}
