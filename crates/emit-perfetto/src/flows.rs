//! Sync flows of a device: an arrow from each send to what it released.
//!
//! A trace viewer takes events by time and ignores the end of a flow that did not start before. A wait mostly starts
//! before its send does, so a flow can't end at the wait's slice: it ends at the command that the waiting engine runs
//! next, or, where none follows, at a mark at the wait's end.

use foldhash::{HashMap, HashMapExt};

use bigtpu_measure::Flow;
use bigtpu_timeline::{EngineId, Events, Profile};

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

impl Flows {
    /// The flows, numbered from `first` on: every device of a trace has numbers of its own.
    pub(crate) fn of(profile: &Profile<'_>, flows: &[Flow], first: u64) -> Self {
        let events: HashMap<EngineId, &Events> =
            profile.tracks().map(|track| (track.engine_id, &track.events)).collect();
        let mut followers: HashMap<EngineId, Followers<'_>> = HashMap::new();
        let mut by_track: HashMap<EngineId, TrackFlows> = HashMap::new();
        for (number, flow) in (first..).zip(flows) {
            let ((from, send), (to, wait)) = (flow.send, flow.wait);
            let (Some(senders), Some(waiters)) = (events.get(&from), events.get(&to)) else {
                continue;
            };
            let (start, end) = (senders.start[send], waiters.end[wait]);
            let next = followers.entry(to).or_insert_with(|| Followers::of(waiters)).after(end);
            let (event, point) = match next {
                Some(next) if waiters.start[next] > start => (next, FlowPoint::End),
                _ if end > start => (wait, FlowPoint::EndBehind),
                // Send and release at one moment: no viewer can show which was first.
                _ => continue,
            };
            by_track.entry(from).or_default().push((send as u32, FlowPoint::Start, number));
            by_track.entry(to).or_default().push((event as u32, point, number));
        }
        for list in by_track.values_mut() {
            list.sort_unstable();
        }
        Self(by_track)
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
struct Followers<'p> {
    events: &'p Events,
    /// Events by start; `None`: they already are so.
    order: Option<Vec<u32>>,
}

impl<'p> Followers<'p> {
    fn of(events: &'p Events) -> Self {
        let order = (!events.start.is_sorted()).then(|| {
            let mut order: Vec<u32> = (0..events.len() as u32).collect();
            order.sort_by_key(|&i| events.start[i as usize]);
            order
        });
        Self { events, order }
    }

    /// The first event that starts at `time` or later.
    fn after(&self, time: i64) -> Option<usize> {
        let starts = &self.events.start;
        match &self.order {
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
