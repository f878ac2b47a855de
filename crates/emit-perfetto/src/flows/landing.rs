//! Where a flow to a wait ends: at what its engine runs next.

use std::sync::OnceLock;

use bigtpu_timeline::Events;

use crate::event_flows::FlowPoint;

/// Where flows to a wait can end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Landing {
    /// The wait's track, by its place.
    pub(super) track: usize,
    pub(super) wait: usize,
    /// ns; its end.
    pub(super) end: i64,
    /// What its engine runs next, and when that starts, in ns.
    pub(super) next: Option<(usize, i64)>,
    pub(super) is_next_drawn: bool,
}

impl Landing {
    /// Where a flow from a send that starts then ends; `None` where no viewer can show it: send and release are at one moment.
    #[inline]
    pub(super) fn of_flow(&self, start: i64) -> Option<(u32, FlowPoint)> {
        let behind = (self.wait as u32, FlowPoint::EndBehind);
        match self.next {
            Some((next, at)) if at > start => Some(match self.is_next_drawn {
                true => (next as u32, FlowPoint::End),
                false => behind,
            }),
            _ => (self.end > start).then_some(behind),
        }
    }
}

/// A track's events by their start: finds what runs next.
pub(super) struct EventsByStart<'p> {
    pub(super) events: &'p Events,
    /// Events by start, found when it is first asked for: a track without waits never is. `None`: they already are so.
    order: OnceLock<Option<Vec<u32>>>,
}

impl<'p> EventsByStart<'p> {
    pub(super) fn sort(events: &'p Events) -> Self {
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

    /// The first event that starts at `time` or later; mostly it is the one behind `event`.
    pub(super) fn first_from(&self, event: usize, time: i64) -> Option<usize> {
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
