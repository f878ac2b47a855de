//! Flows of a device: an arrow from each send to what it released, from each command to the commands of other engines that
//! it kept waiting, and between the critical path and its commands.
//!
//! A trace viewer takes events by time and ignores the end of a flow that did not start before. A wait mostly starts
//! before its send does, so a flow can't end at the wait's slice: it ends at the command that the waiting engine runs
//! next, or, where none follows, at a mark at the wait's end.

use std::sync::OnceLock;

use bigtpu_answers::Analysis;
use bigtpu_replay::{DependenceKind, Segment};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineId, Events, Profile, Track};
use foldhash::HashMap;
use rayon::prelude::*;

/// What a flow does at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FlowPoint {
    /// It starts at the event's slice.
    Start,
    /// It ends at the event's slice.
    End,
    /// It ends at the event's end: of a command at a mark there, of a host slice with the slice.
    EndBehind,
}

/// Flows that touch a track's events: (event, what the flow does there, flow), by event.
pub(crate) type TrackFlows = Vec<(u32, FlowPoint, u64)>;

/// Flows by the tracks that they touch.
pub(crate) struct Flows {
    by_track: HashMap<EngineId, TrackFlows>,
    /// Number of the flow of the critical path's first stretch.
    first_of_path: u64,
    /// Number that no flow has, nor any after it.
    pub(crate) next: u64,
}

/// The tracks' places by engine and core.
struct Places([Vec<Option<usize>>; 4]);

impl Places {
    fn of(engines: &[EngineId]) -> Self {
        let mut places: [Vec<Option<usize>>; 4] = Default::default();
        for (place, engine_id) in engines.iter().enumerate() {
            let of_engine = &mut places[engine_id.engine as usize];
            let index = engine_id.index as usize;
            of_engine.resize(of_engine.len().max(index + 1), None);
            of_engine[index] = Some(place);
        }
        Self(places)
    }

    #[inline]
    fn get(&self, engine_id: EngineId) -> Option<usize> {
        *self.0[engine_id.engine as usize].get(engine_id.index as usize)?
    }
}

/// From an event to one that it kept waiting.
#[derive(Debug, Clone, Copy)]
struct Arrow {
    from: (EngineId, usize),
    to: (EngineId, usize),
    /// The event is a wait, which ends when it is released; others start then.
    is_wait: bool,
}

/// Flows that are looked at side by side before they are sorted into the lists of their tracks: fewer would leave
/// threads without work, more would take memory twice.
const AT_A_TIME: usize = 1 << 16;

impl Flows {
    /// The flows, numbered from `first` on: every device of a trace has numbers of its own.
    /// Only flows between events that are drawn, where they are cut.
    pub(crate) fn of(
        profile: &Profile<'_>,
        analysis: &Analysis,
        cut: Option<&Cut>,
        first: u64,
    ) -> Self {
        let tracks: Vec<EventsByStart<'_>> =
            profile.tracks().map(|track| EventsByStart::of(&track.events)).collect();
        let engines: Vec<EngineId> = profile.tracks().map(|track| track.engine_id).collect();
        let places = Places::of(&engines);
        let mut lists: Vec<TrackFlows> = engines.iter().map(|_| TrackFlows::new()).collect();
        let ends = |number: u64, arrow: Arrow| {
            let Arrow { from: (from, cause), to: (to, event), is_wait } = arrow;
            let (from, to) = (places.get(from)?, places.get(to)?);
            if !is_drawn(tracks.get(from)?.events, cause, cut)
                || !is_drawn(tracks.get(to)?.events, event, cut)
            {
                return None;
            }
            let start = *tracks.get(from)?.events.start.get(cause)?;
            let (event, point) = match is_wait {
                true => match tracks.get(to)?.end_of(event, start)? {
                    (next, FlowPoint::End)
                        if !is_drawn(tracks.get(to)?.events, next as usize, cut) =>
                    {
                        (event as u32, FlowPoint::EndBehind)
                    }
                    end => end,
                },
                false if *tracks.get(to)?.events.start.get(event)? > start => {
                    (event as u32, FlowPoint::End)
                }
                false => return None,
            };
            Some([(from, (cause as u32, FlowPoint::Start, number)), (to, (event, point, number))])
        };
        let sync = analysis.flows.iter();
        let sync = sync.map(|flow| Arrow { from: flow.send, to: flow.wait, is_wait: true });
        let arrows: Vec<Arrow> = sync.chain(kept_waiting(profile, analysis)).collect();
        for (first, arrows) in (first..).step_by(AT_A_TIME).zip(arrows.chunks(AT_A_TIME)) {
            let numbered = arrows.par_iter().enumerate();
            let ends = numbered.filter_map(|(at, arrow)| ends(first + at as u64, *arrow));
            for (track, end) in ends.collect::<Vec<_>>().into_iter().flatten() {
                lists[track].push(end);
            }
        }
        let first_of_path = first + arrows.len() as u64;
        let mut next = first_of_path;
        let origin = origin(profile);
        for segment in analysis.critical_path.iter().flat_map(|path| path.segments()) {
            let number = next;
            next += 1;
            let Some(track) = places.get(segment.engine_id) else { continue };
            let (from, to) = (segment.start + origin, segment.end + origin);
            let is_path_drawn = cut.is_none_or(|cut| cut.holds(from, to));
            if !is_path_drawn || !is_drawn(tracks[track].events, segment.event, cut) {
                continue;
            }
            let start = tracks[track].events.start.get(segment.event);
            let point = match start.and_then(|&start| PathPoint::of(start - origin, &segment)) {
                Some(PathPoint::ToCommand) => FlowPoint::End,
                Some(PathPoint::FromCommand) => FlowPoint::Start,
                None => continue,
            };
            lists[track].push((segment.event as u32, point, number));
        }
        lists
            .par_iter_mut()
            .zip(&tracks)
            .for_each(|(list, track)| by_event(list, track.events.len()));
        let lists = engines.into_iter().zip(lists).filter(|(_, list)| !list.is_empty());
        Self { by_track: lists.collect(), first_of_path, next }
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

    pub(crate) fn on(&self, engine_id: EngineId) -> EventFlows<'_> {
        EventFlows { flows: self.by_track.get(&engine_id).map_or(&[], Vec::as_slice), first: 0 }
    }
}

/// Sorts the flows of a track with so many events: by event, then by what they do there, then by number, which they are
/// sorted by already. There are about as many flows as events, and few at each.
fn by_event(flows: &mut TrackFlows, events: usize) {
    let mut next = vec![0_u32; events + 1];
    for (event, ..) in flows.iter() {
        if let Some(count) = next.get_mut(*event as usize + 1) {
            *count += 1;
        }
    }
    let mut until = 0;
    for place in &mut next {
        until += *place;
        *place = until;
    }
    let mut sorted = vec![(0, FlowPoint::Start, 0); flows.len()];
    for flow in flows.iter() {
        if let Some(place) = next.get_mut(flow.0 as usize)
            && let Some(slot) = sorted.get_mut(*place as usize)
        {
            *slot = *flow;
            *place += 1;
        }
    }
    for of_event in sorted.chunk_by_mut(|one, other| one.0 == other.0) {
        if of_event.len() > 1 {
            of_event.sort_by_key(|(_, point, _)| *point);
        }
    }
    *flows = sorted;
}

/// Whether an event is drawn.
fn is_drawn(events: &Events, event: usize, cut: Option<&Cut>) -> bool {
    let Some(cut) = cut else { return true };
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

/// What kept a command of another engine waiting, where no message says it: see [`bigtpu_replay::Cause`].
fn kept_waiting(profile: &Profile<'_>, analysis: &Analysis) -> Vec<Arrow> {
    let Some(causes) = &analysis.event_causes else { return Vec::new() };
    let tracks: Vec<EngineId> = profile.tracks().map(|track| track.engine_id).collect();
    let of_track = |&engine: &EngineId| {
        let own = causes.of_engine(engine);
        let events = own.map_or(0, |own| own.events());
        (0..events).filter_map(move |event| {
            let cause = own?.cause(event)?;
            let is_drawn = cause.engine_id != engine && cause.kind != DependenceKind::Message;
            is_drawn.then_some(Arrow {
                from: (cause.engine_id, cause.event),
                to: (engine, event),
                is_wait: cause.kind == DependenceKind::Barrier,
            })
        })
    };
    tracks.iter().flat_map(of_track).collect()
}

/// A track's flows, asked for event after event.
#[derive(Debug, Clone)]
pub(crate) struct EventFlows<'p> {
    flows: &'p [(u32, FlowPoint, u64)],
    /// The first flow of the last event that was asked for, or of one after it.
    first: usize,
}

impl<'p> EventFlows<'p> {
    /// What flows do at an event. Events in order take a step each; an earlier one starts anew.
    pub(crate) fn of_event(&mut self, event: usize) -> &'p [(u32, FlowPoint, u64)] {
        let flows = self.flows;
        let at = |flow: usize| flows.get(flow).map(|&(event, ..)| event as usize);
        if self.first.checked_sub(1).and_then(at).is_some_and(|before| before >= event) {
            self.first = 0;
        }
        while at(self.first).is_some_and(|before| before < event) {
            self.first += 1;
        }
        let mut end = self.first;
        while at(end) == Some(event) {
            end += 1;
        }
        flows.get(self.first..end).unwrap_or_default()
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
        match self.after(end) {
            Some(next) if self.events.start[next] > start => Some((next as u32, FlowPoint::End)),
            _ if end > start => Some((wait as u32, FlowPoint::EndBehind)),
            _ => None,
        }
    }

    /// The first event that starts at `time` or later.
    fn after(&self, time: i64) -> Option<usize> {
        let starts = &self.events.start;
        match self.order() {
            Some(order) => {
                let at = order.partition_point(|&i| starts[i as usize] < time);
                order.get(at).map(|&i| i as usize)
            }
            None => {
                Some(starts.partition_point(|&start| start < time)).filter(|&i| i < starts.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_sorted_as_by_comparison() {
        let mut random: u64 = 7;
        for events in [1, 3, 200] {
            let flows = (0..300).map(|number| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let point = [FlowPoint::Start, FlowPoint::End, FlowPoint::EndBehind];
                ((random >> 40) as u32 % events, point[(random >> 33) as usize % 3], number)
            });
            let mut ours: TrackFlows = flows.collect();
            let mut theirs = ours.clone();
            by_event(&mut ours, events as usize);
            theirs.sort_unstable();
            assert_eq!(ours, theirs);
        }
    }
}
