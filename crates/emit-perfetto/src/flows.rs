//! Flows of a device: an arrow from each send to what it released, from each command to the commands of other engines that
//! it kept waiting, and between the critical path and its commands.
//!
//! A trace viewer takes events by time and ignores the end of a flow that did not start before. A wait mostly starts
//! before its send does, so a flow can't end at the wait's slice: it ends at the command that the waiting engine runs
//! next, or, where none follows, at a mark at the wait's end.

use std::sync::OnceLock;

use bigtpu_answers::Analysis;
use bigtpu_perfetto_protos::field::track_event;
use bigtpu_replay::{Cause, DependenceKind, EngineCauses, Segment};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineId, Events, Profile, Track};
use foldhash::HashMap;
use rayon::prelude::*;

use crate::short::append;

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

/// A flow at an event: its number, and what it does there in the highest two bits, so that flows are sorted by both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventFlow(u64);

impl EventFlow {
    const POINT: u32 = 62;

    pub(crate) fn new(point: FlowPoint, number: u64) -> Self {
        Self((point as u64) << Self::POINT | number)
    }

    /// What the flow does.
    #[inline]
    pub(crate) fn point(self) -> FlowPoint {
        match self.0 >> Self::POINT {
            0 => FlowPoint::Start,
            1 => FlowPoint::End,
            _ => FlowPoint::EndBehind,
        }
    }

    /// Its number.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.0 & ((1 << Self::POINT) - 1)
    }
}

/// Bytes of a flow that starts or ends at a slice, as a field of its event.
pub(crate) const FLOW_BYTES: usize = 10;

/// Appends a flow to the event that begins a slice.
#[inline]
pub(crate) fn append_flow(out: &mut Vec<u8>, flow: EventFlow) {
    /// A key of two bytes, of a field of eight bytes.
    const fn key(field: u32) -> u128 {
        let key = field << 3 | 1;
        assert!(key >= 1 << 7 && key < 1 << 14);
        (key & 0x7f | 0x80 | (key >> 7) << 8) as u128
    }
    const STARTS: u128 = key(track_event::FLOW_IDS);
    const ENDS: u128 = key(track_event::TERMINATING_FLOW_IDS);
    let key = if flow.point() == FlowPoint::Start { STARTS } else { ENDS };
    append(out, key | u128::from(flow.number()) << 16, FLOW_BYTES);
}

/// Flows that touch a track's events.
#[derive(Debug, Default)]
pub(crate) struct TrackFlows {
    /// By event where its flows begin in `flows`; one more than there are events. Empty where no flow touches the track.
    first: Vec<u32>,
    /// By event, those of an event by what they do there, then by number.
    flows: Vec<EventFlow>,
}

impl TrackFlows {
    /// The flows of an event: those that start or end at its slice, and those that end at its end.
    #[inline]
    pub(crate) fn of_event(&self, event: usize) -> (&[EventFlow], &[EventFlow]) {
        let flows = match self.first.get(event..) {
            Some([from, until, ..]) => self.flows.get(*from as usize..*until as usize),
            _ => None,
        };
        match flows {
            Some(flows @ [.., last]) if last.point() == FlowPoint::EndBehind => {
                flows.split_at(flows.partition_point(|flow| flow.point() != FlowPoint::EndBehind))
            }
            flows => (flows.unwrap_or_default(), &[]),
        }
    }

    /// The flows of a track with so many events. There are about as many flows as events, and few at each.
    fn of(ends: &[(u32, EventFlow)], events: usize) -> Self {
        if ends.is_empty() {
            return Self::default();
        }
        // By event first where the flows of the next one begin; each flow that is placed moves it on to where they end.
        let mut first = vec![0_u32; events + 2];
        for (event, _) in ends {
            if let Some(count) = first.get_mut(*event as usize + 2) {
                *count += 1;
            }
        }
        let mut until = 0;
        for place in &mut first {
            until += *place;
            *place = until;
        }
        let mut flows = vec![EventFlow(0); ends.len()];
        for (event, flow) in ends {
            if let Some(place) = first.get_mut(*event as usize + 1)
                && let Some(slot) = flows.get_mut(*place as usize)
            {
                *slot = *flow;
                *place += 1;
            }
        }
        first.pop();
        for pair in first.windows(2) {
            if let [from, until] = *pair
                && until - from > 1
                && let Some(of_event) = flows.get_mut(from as usize..until as usize)
            {
                of_event.sort_unstable();
            }
        }
        Self { first, flows }
    }
}

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

/// An end of a flow: track, event, and what the flow does there.
type End = (usize, u32, FlowPoint);

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

    /// Where a flow from an event to one that it kept waiting starts and ends; `None` where no viewer can show it.
    /// `is_wait`: that one is a wait, which ends when it is released; others start then.
    #[inline]
    fn ends(
        &self,
        from: (EngineId, usize),
        to: (EngineId, usize),
        is_wait: bool,
    ) -> Option<[End; 2]> {
        let places = [self.place(from.0)?, self.place(to.0)?];
        let [of_from, of_to] = [self.events.get(places[0])?, self.events.get(places[1])?];
        if !is_drawn(of_from.events, from.1, self.cut) || !is_drawn(of_to.events, to.1, self.cut) {
            return None;
        }
        let start = *of_from.events.start.get(from.1)?;
        let (event, point) = match is_wait {
            true => match of_to.end_of(to.1, start)? {
                (next, FlowPoint::End) if !is_drawn(of_to.events, next as usize, self.cut) => {
                    (to.1 as u32, FlowPoint::EndBehind)
                }
                end => end,
            },
            false if *of_to.events.start.get(to.1)? > start => (to.1 as u32, FlowPoint::End),
            false => return None,
        };
        Some([(places[0], from.1 as u32, FlowPoint::Start), (places[1], event, point)])
    }
}

/// Ends of flows by track, each track's in the order of the flows' numbers.
type EndsByTrack = Vec<Vec<(u32, EventFlow)>>;

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
        // About as many as events, see above.
        let room = |track: &EventsByStart<'_>| Vec::with_capacity(track.events.len());
        let mut ends: EndsByTrack = tracks.events.iter().map(room).collect();
        let mut enter = |(track, event, point): End, number| {
            ends[track].push((event, EventFlow::new(point, number)));
        };
        let mut next = first;
        for flow in &analysis.flows {
            let both = tracks.ends(flow.send, flow.wait, true);
            both.into_iter().flatten().for_each(|end| enter(end, next));
            next += 1;
        }
        let causes = analysis.event_causes.as_ref();
        let engines: Vec<EngineId> = profile.tracks().map(|track| track.engine_id).collect();
        let of_engine =
            |&engine: &EngineId| Some(kept_waiting(causes?.of_engine(engine)?, engine, &tracks));
        let kept_waiting: Vec<_> = engines.par_iter().filter_map(of_engine).collect();
        for KeptWaiting { ends, count } in kept_waiting {
            for (both, number) in ends {
                both.into_iter().for_each(|end| enter(end, next + number));
            }
            next += count;
        }
        let first_of_path = next;
        let origin = origin(profile);
        for segment in analysis.critical_path.iter().flat_map(|path| path.segments()) {
            let number = next;
            next += 1;
            let Some(track) = tracks.place(segment.engine_id) else { continue };
            let Some(EventsByStart { events, .. }) = tracks.events.get(track) else { continue };
            let (from, to) = (segment.start + origin, segment.end + origin);
            let is_path_drawn = cut.is_none_or(|cut| cut.holds(from, to));
            if !is_path_drawn || !is_drawn(events, segment.event, cut) {
                continue;
            }
            let start = events.start.get(segment.event);
            let point = match start.and_then(|&start| PathPoint::of(start - origin, &segment)) {
                Some(PathPoint::ToCommand) => FlowPoint::End,
                Some(PathPoint::FromCommand) => FlowPoint::Start,
                None => continue,
            };
            enter((track, segment.event as u32, point), number);
        }
        let by_track = engines.par_iter().zip(ends).zip(&tracks.events);
        let by_track = by_track
            .map(|((engine, ends), track)| (*engine, TrackFlows::of(&ends, track.events.len())));
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
static NONE: TrackFlows = TrackFlows { first: Vec::new(), flows: Vec::new() };

/// The flows to the events of an engine.
struct KeptWaiting {
    /// Where they start and end, and their number among these.
    ends: Vec<([End; 2], u64)>,
    /// How many numbers they have; some flows are not shown.
    count: u64,
}

/// What kept events waiting, where no message says it and it is of another engine: see [`bigtpu_replay::Cause`].
fn kept_waiting(causes: EngineCauses<'_>, engine: EngineId, tracks: &Tracks<'_>) -> KeptWaiting {
    // Half of all events wait for another engine, or fewer.
    let ends = Vec::with_capacity(causes.events() / 2);
    let mut found = KeptWaiting { ends, count: 0 };
    for event in 0..causes.events() {
        let Some(Cause { engine_id, event: from, kind }) = causes.cause(event) else { continue };
        if engine_id == engine || kind == DependenceKind::Message {
            continue;
        }
        let is_wait = kind == DependenceKind::Barrier;
        if let Some(ends) = tracks.ends((engine_id, from), (engine, event), is_wait) {
            found.ends.push((ends, found.count));
        }
        found.count += 1;
    }
    found
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
                let flow = EventFlow::new(point[(random >> 33) as usize % 3], number);
                ((random >> 40) as u32 % events, flow)
            });
            let mut theirs: Vec<(u32, EventFlow)> = flows.collect();
            let ours = TrackFlows::of(&theirs, events as usize);
            theirs.sort_unstable();
            let ours = (0..events).flat_map(|event| {
                let (begins, behind) = ours.of_event(event as usize);
                begins.iter().chain(behind).map(move |flow| (event, *flow))
            });
            assert_eq!(ours.collect::<Vec<_>>(), theirs);
        }
    }
}
