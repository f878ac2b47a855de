//! Flows of a device: an arrow from each send to what it released, from each command to the commands of other engines that
//! it kept waiting, and between the critical path and its commands.
//!
//! A trace viewer takes events by time and ignores the end of a flow that did not start before. A wait mostly starts
//! before its send does, so a flow can't end at the wait's slice: it ends at the command that the waiting engine runs
//! next, or, where none follows, at a mark at the wait's end.

mod kept;
mod landing;

use bigtpu_answers::Analysis;
use bigtpu_measure::Flows as Messages;
use bigtpu_replay::{CriticalPath, Segment};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineEvents, EngineId, Events, Profile};
use foldhash::HashMap;
use rayon::prelude::*;

use crate::detail::TraceDetail;
use crate::event_flows::{EndsByPoint, FlowPoint, Part, TrackFlows};
use kept::{KeptWaiting, kept_waiting};
use landing::{EventsByStart, Landing};

/// Flows by the tracks that they touch.
pub(crate) struct Flows {
    by_track: HashMap<EngineId, TrackFlows>,
    /// The first start of all events, in ns: the critical path counts from it.
    pub(crate) origin: i64,
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
    fn new(profile: &'p Profile<'_>, cut: Option<&'p Cut>) -> Self {
        let mut places: [Vec<Option<usize>>; 4] = Default::default();
        for (place, track) in profile.tracks().enumerate() {
            let of_engine = &mut places[track.engine_id.engine as usize];
            let index = track.engine_id.index as usize;
            of_engine.resize(of_engine.len().max(index + 1), None);
            of_engine[index] = Some(place);
        }
        let events = profile.tracks().map(|track| EventsByStart::sort(&track.events)).collect();
        Self { places, events, cut }
    }

    #[inline]
    fn place(&self, engine_id: EngineId) -> Option<usize> {
        *self.places[engine_id.engine as usize].get(engine_id.index as usize)?
    }

    /// Where flows to a wait can end; `None` where it is not drawn.
    fn landing(&self, (track, wait): (usize, usize)) -> Option<Landing> {
        let own = self.events.get(track)?;
        if !self.is_drawn(own.events, wait) {
            return None;
        }
        let end = *own.events.end.get(wait)?;
        let next = own.first_from(wait, end);
        let next = next.and_then(|next| Some((next, *own.events.start.get(next)?)));
        let is_next_drawn = next.is_some_and(|(next, _)| self.is_drawn(own.events, next));
        Some(Landing { track, wait, end, next, is_next_drawn })
    }

    #[inline]
    fn is_drawn(&self, events: &Events, event: usize) -> bool {
        self.cut.is_none_or(|cut| is_drawn(events, event, cut))
    }

    /// Flows of messages, each from a send to its wait.
    fn messages(&self, flows: &Messages) -> Vec<EndsByPoint> {
        let mut ends = EndsByPoint::of_tracks(self.events.len(), flows.len());
        let mut number = 0;
        let mut landings: Vec<Option<Landing>> = Vec::new();
        for round in flows.rounds() {
            let landing = |(engine_id, wait)| self.landing((self.place(engine_id)?, wait));
            landings.clear();
            landings.extend(round.waits().map(landing));
            for (engine_id, send) in round.sends() {
                let first = number;
                number += landings.len() as u32;
                let Some(from) = self.place(engine_id) else { continue };
                let Some(EventsByStart { events, .. }) = self.events.get(from) else { continue };
                let Some(start) = events.start.get(send) else { continue };
                if !self.is_drawn(events, send) {
                    continue;
                }
                let Some(own) = ends.get_mut(from) else { continue };
                let mut starts = std::mem::take(&mut own.starts);
                for (number, landing) in (first..).zip(&landings) {
                    if let Some(landing) = landing
                        && let Some((event, point)) = landing.of_flow(*start)
                        && let Some(ends) = ends.get_mut(landing.track)
                    {
                        starts.push((send as u32, number));
                        ends.push(point, (event, number));
                    }
                }
                if let Some(own) = ends.get_mut(from) {
                    own.starts = starts;
                }
            }
        }
        ends
    }

    /// Flows between the stretches of the critical path and their commands: their ends at these.
    fn of_path(&self, path: Option<&CriticalPath>, origin: i64) -> (Vec<EndsByPoint>, u64) {
        let segments = path.map_or(0, |path| path.segments().len());
        let mut ends = EndsByPoint::of_tracks(self.events.len(), segments);
        let mut count = 0;
        for segment in path.into_iter().flat_map(CriticalPath::segments) {
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
            let point =
                match start.and_then(|&start| PathPoint::from_segment(start - origin, &segment)) {
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
    pub(crate) fn number(
        profile: &Profile<'_>,
        analysis: &Analysis,
        (cut, detail): (Option<&Cut>, TraceDetail),
        first: u64,
    ) -> Self {
        let path = analysis.critical_path(profile).filter(|_| !detail.repeats());
        let tracks = Tracks::new(profile, cut);
        let origin = origin(profile);
        let causes = analysis.event_causes(profile);
        let engines: Vec<EngineId> = profile.tracks().map(|track| track.engine_id).collect();
        let kept_waiting = || -> Vec<KeptWaiting> {
            let of_engine = |&engine: &EngineId| {
                let causes = causes.and_then(|causes| causes.of_engine(engine));
                causes.map_or_else(KeptWaiting::default, |c| kept_waiting(c, engine, &tracks))
            };
            engines.par_iter().map(of_engine).collect()
        };
        let others = || {
            rayon::join(
                || tracks.messages(analysis.flows(profile)),
                || tracks.of_path(path, origin),
            )
        };
        let (kept_waiting, (messages, (of_path, count))) = rayon::join(kept_waiting, others);
        // Numbers of messages come first, then those of what kept others waiting, then those of the path.
        let mut next = first;
        let mut parts: Vec<Vec<Part<'_>>> =
            messages.iter().map(|ends| ends.parts(next).to_vec()).collect();
        next += analysis.flows(profile).len() as u64;
        for (track, KeptWaiting { sources, ends, count }) in kept_waiting.iter().enumerate() {
            if let Some(parts) = parts.get_mut(track) {
                parts.extend(ends.parts(next));
            }
            for (parts, ends) in parts.iter_mut().zip(sources) {
                if !ends.is_empty() {
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
        let by_track = by_track.map(|((engine, parts), track)| {
            (*engine, TrackFlows::collect(parts, track.events.len()))
        });
        Self { by_track: by_track.collect(), origin, first_of_path, next }
    }

    /// What the flow of a stretch of the critical path does there, and its number; `start`: of its command, in ns from
    /// the first event.
    pub(crate) fn of_segment(
        &self,
        at: usize,
        start: i64,
        segment: &Segment,
    ) -> Option<(PathPoint, u64)> {
        Some((PathPoint::from_segment(start, segment)?, self.first_of_path + at as u64))
    }

    /// The flows of an engine's events.
    pub(crate) fn of_engine(&self, engine_id: EngineId) -> &TrackFlows {
        self.by_track.get(&engine_id).unwrap_or(&NONE)
    }
}

/// Flows of an engine without any.
static NONE: TrackFlows = TrackFlows::NONE;

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
) -> Option<&'p EngineEvents<'d>> {
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
    fn from_segment(start: i64, segment: &Segment) -> Option<Self> {
        if segment.start < start {
            return Some(Self::ToCommand);
        }
        (segment.end > start).then_some(Self::FromCommand)
    }
}
