//! The events of an engine as they are written, one after the other.

use bigtpu_sim::Time;

use super::columns::More;
use super::row::{EventTimes, LONG, Link, Part, Row, fits};
use crate::dependence::{DependenceKind, Node};

/// The events of an engine, of which the first ones are written.
#[derive(Debug, Default)]
pub(crate) struct Lane<'c> {
    /// Node of the first event.
    first: Node,
    /// How many are written.
    written: usize,
    /// How each event depends on others.
    links: &'c mut [Link],
    /// Row of each event.
    rows: &'c mut [Row],
    pub(crate) rare: Rare,
}

/// What the columns do not hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rare {
    /// Times that are too long for a row: the event, which time, ns; in order.
    pub(super) long: Vec<(Node, Part, Time)>,
    /// What events wait for besides what is in their rows, by event, in the order of [`super::Graph::dependences`].
    pub(super) more: Vec<More>,
}

impl<'c> Lane<'c> {
    pub(super) fn new(first: Node, links: &'c mut [Link], rows: &'c mut [Row]) -> Self {
        Self { first, links, rows, ..Self::default() }
    }

    /// Adds an event that waits for `other`; nothing behind the last event.
    pub(crate) fn push(&mut self, link: Link, other: Node, times: EventTimes) {
        let at = self.written;
        let (Some(own_link), Some(row)) = (self.links.get_mut(at), self.rows.get_mut(at)) else {
            return;
        };
        self.written += 1;
        *own_link = link;
        if !row.set(other, times) {
            self.set_long(at, vec![(0, other, times)]);
        }
    }

    /// Adds events that wait for the event before them; the caller fills in the rest.
    pub(crate) fn add_ordered(&mut self, events: usize) -> (&mut [Link], &mut [Row]) {
        let first = self.written;
        self.written += events;
        (&mut self.links[first..self.written], &mut self.rows[first..self.written])
    }

    /// Rows of events with times that are too long for them, by index from `first` on; in order, and behind those that are known.
    pub(crate) fn set_long(&mut self, first: usize, long: Vec<(usize, Node, EventTimes)>) {
        for (at, other, times) in long {
            let event = first + at;
            let node = self.first + event as Node;
            let mut stored = |part, time| {
                if fits(time) {
                    return time as i32;
                }
                self.rare.long.push((node, part, time));
                LONG
            };
            let order = stored(Part::Order, times.order);
            let lag = stored(Part::Lag, times.lag);
            let duration = stored(Part::Duration, times.duration);
            if let (Some(row), Some(link)) = (self.rows.get_mut(event), self.links.get_mut(event)) {
                *row = Row { other, order, lag, duration };
                link.0 |= Link::LONG;
            }
        }
    }

    /// The event that was added last waits for something else, too; in the order of [`super::Graph::dependences`].
    pub(crate) fn push_more(&mut self, from: Node, kind: DependenceKind, lag: Time) {
        let Some(last) = self.written.checked_sub(1) else { return };
        let Some(link) = self.links.get_mut(last) else { return };
        link.0 |= Link::MORE | Link::RARE;
        let event = self.first + last as Node;
        self.rare.more.push(More { event, from, kind, lag });
    }

    #[cfg(test)]
    pub(super) fn written(&self) -> usize {
        self.written
    }
}
