//! Sync flows of a device: an arrow from each send to what it released.
//!
//! A trace viewer takes events by time and ignores the end of a flow that did not start before. A wait mostly starts
//! before its send does, so a flow can't end at the wait's slice: it ends at the command that the waiting engine runs
//! next, or, where none follows, at a mark at the wait's end.

use std::sync::OnceLock;

use bigtpu_measure::Flow;
use bigtpu_timeline::{EngineId, Events, Profile};
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

/// Sync flows by the tracks that they touch.
pub(crate) struct Flows(HashMap<EngineId, TrackFlows>);

/// Flows that are looked at side by side before they are sorted into the lists of their tracks: fewer would leave
/// threads without work, more would take memory twice.
const AT_A_TIME: usize = 1 << 16;

impl Flows {
    /// The flows, numbered from `first` on: every device of a trace has numbers of its own.
    pub(crate) fn of(profile: &Profile<'_>, flows: &[Flow], first: u64) -> Self {
        let tracks: Vec<EventsByStart<'_>> =
            profile.tracks().map(|track| EventsByStart::of(&track.events)).collect();
        let engines: Vec<EngineId> = profile.tracks().map(|track| track.engine_id).collect();
        let places: HashMap<EngineId, usize> = engines.iter().copied().zip(0..).collect();
        let mut lists: Vec<TrackFlows> = engines.iter().map(|_| TrackFlows::new()).collect();
        let ends = |number: u64, flow: &Flow| {
            let ((from, send), (to, wait)) = (flow.send, flow.wait);
            let (from, to) = (*places.get(&from)?, *places.get(&to)?);
            let start = *tracks.get(from)?.events.start.get(send)?;
            let (event, point) = tracks.get(to)?.end_of(wait, start)?;
            Some([(from, (send as u32, FlowPoint::Start, number)), (to, (event, point, number))])
        };
        for (first, flows) in (first..).step_by(AT_A_TIME).zip(flows.chunks(AT_A_TIME)) {
            let numbered = flows.par_iter().enumerate();
            let ends = numbered.filter_map(|(at, flow)| ends(first + at as u64, flow));
            for (track, end) in ends.collect::<Vec<_>>().into_iter().flatten() {
                lists[track].push(end);
            }
        }
        lists.par_iter_mut().for_each(|list| list.sort_unstable());
        Self(engines.into_iter().zip(lists).filter(|(_, list)| !list.is_empty()).collect())
    }

    pub(crate) fn on(&self, engine_id: EngineId) -> EventFlows<'_> {
        EventFlows { flows: self.0.get(&engine_id).map_or(&[], Vec::as_slice), first: 0 }
    }
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
