//! The events of an engine: what each of them waits for, and how long it takes.

use std::ops::Range;

use bigtpu_sim::Time;

use super::{Dependence, Run};
use crate::dependence::{DependenceKind, NONE, Node};

/// What the events of an engine wait for, and how long they take.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lane {
    /// Node of the first event.
    pub(crate) first: Node,
    /// By event.
    links: Vec<Link>,
    /// By event.
    rows: Vec<Row>,
    /// Times that are too long for a row: index of the event, which time, ns; in order.
    long: Vec<(u32, Part, Time)>,
    /// What events wait for besides what is in their rows, by event, in the order of [`Lane::dependences`].
    more: Vec<More>,
}

/// What an event waits for besides the event before it, and its times as they are stored: see [`Lane::time`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The other event that it waits for; [`NONE`] for nothing.
    pub(crate) other: Node,
    /// Lag to the event before it; 0 where it does not follow that one.
    pub(crate) order: i32,
    /// Lag to [`Row::other`]; 0 where there is nothing.
    pub(crate) lag: i32,
    /// How long it takes.
    pub(crate) duration: i32,
}

impl Row {
    const NOTHING: Self = Self { other: NONE, order: 0, lag: 0, duration: 0 };

    /// Fills the row in; returns whether it holds such times: else see [`Lane::set_long`].
    #[inline(always)]
    pub(crate) fn set(&mut self, other: Node, times: EventTimes) -> bool {
        let EventTimes { order, lag, duration } = times;
        let (order_32, lag_32, duration_32) = (order as i32, lag as i32, duration as i32);
        *self = Self { other, order: order_32, lag: lag_32, duration: duration_32 };
        fits(order) & fits(lag) & fits(duration)
    }
}

/// The times of an event in ns, as in [`Row`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventTimes {
    pub(crate) order: Time,
    pub(crate) lag: Time,
    pub(crate) duration: Time,
}

/// Which time of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Order,
    Lag,
    Duration,
}

/// Stands for a time that is in [`Lane::long`].
const LONG: i32 = i32::MIN;

/// How an event depends on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link(u8);

impl Link {
    /// It waits for the event before it on its engine.
    const FOLLOWS: u8 = 1 << 7;
    /// It waits for something in [`Lane::more`].
    const MORE: u8 = 1 << 6;
    /// The same, or it waits for a launch.
    const RARE: u8 = 1 << 5;

    /// `kind`: that of [`Row::other`].
    #[inline]
    pub(crate) fn new(kind: DependenceKind, follows: bool) -> Self {
        let rare = if kind.is_launch() { Self::RARE } else { 0 };
        Self(kind as u8 | if follows { Self::FOLLOWS } else { 0 } | rare)
    }

    #[inline]
    pub(crate) fn follows(self) -> bool {
        self.0 & Self::FOLLOWS != 0
    }

    #[inline]
    pub(crate) fn has_more(self) -> bool {
        self.0 & Self::MORE != 0
    }

    /// Whether it waits for a launch, or for something in [`Lane::more`].
    #[inline]
    pub(crate) fn is_rare(self) -> bool {
        self.0 & Self::RARE != 0
    }

    /// Kind of [`Row::other`].
    #[inline]
    pub(crate) fn kind(self) -> DependenceKind {
        let number = self.0 & !(Self::FOLLOWS | Self::MORE | Self::RARE);
        DependenceKind::NUMBERED.get(usize::from(number)).copied().unwrap_or(DependenceKind::Gather)
    }
}

/// A dependence of an event that has several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct More {
    /// Index of the event.
    pub(crate) event: u32,
    pub(crate) from: Node,
    pub(crate) kind: DependenceKind,
    /// ns.
    pub(crate) lag: Time,
}

impl Lane {
    /// An engine without events so far, with memory for so many.
    pub(crate) fn with_capacity(first: Node, events: usize) -> Self {
        let (links, rows) = (Vec::with_capacity(events), Vec::with_capacity(events));
        Self { first, links, rows, long: Vec::new(), more: Vec::new() }
    }

    /// Number of events.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Adds an event that waits for `other`.
    pub(crate) fn push(&mut self, link: Link, other: Node, times: EventTimes) {
        let mut row = Row::NOTHING;
        let is_short = row.set(other, times);
        self.links.push(link);
        self.rows.push(row);
        if !is_short {
            self.set_long(0, vec![(self.rows.len() - 1, other, times)]);
        }
    }

    /// Adds events that wait for the event before them; the caller fills in the rest.
    pub(crate) fn add_ordered(&mut self, events: usize) -> (&mut [Link], &mut [Row]) {
        let first = self.rows.len();
        self.links.resize(first + events, Link::new(DependenceKind::Gather, true));
        self.rows.resize(first + events, Row::NOTHING);
        (&mut self.links[first..], &mut self.rows[first..])
    }

    /// Rows of events with times that are too long for them, by index from `first` on; in order, and behind those that are known.
    pub(crate) fn set_long(&mut self, first: usize, long: Vec<(usize, Node, EventTimes)>) {
        for (at, other, times) in long {
            let event = first + at;
            let mut stored = |part, time| {
                if fits(time) {
                    return time as i32;
                }
                self.long.push((event as u32, part, time));
                LONG
            };
            let order = stored(Part::Order, times.order);
            let lag = stored(Part::Lag, times.lag);
            let duration = stored(Part::Duration, times.duration);
            if let Some(row) = self.rows.get_mut(event) {
                *row = Row { other, order, lag, duration };
            }
        }
    }

    /// The event that was added last waits for something else, too; in the order of [`Lane::dependences`].
    pub(crate) fn push_more(&mut self, from: Node, kind: DependenceKind, lag: Time) {
        let Some(last) = self.links.last_mut() else { return };
        *last = Link(last.0 | Link::MORE | Link::RARE);
        let event = self.links.len() as u32 - 1;
        self.more.push(More { event, from, kind, lag });
    }

    /// Gives memory for more events back.
    pub(crate) fn shrink(&mut self) {
        self.more.shrink_to_fit();
        self.long.shrink_to_fit();
    }

    /// Of some events how each depends on others, and its row.
    #[inline(always)]
    pub(crate) fn columns(&self, events: Range<usize>) -> (&[Link], &[Row]) {
        (&self.links[events.clone()], &self.rows[events])
    }

    /// Indices of a run's events.
    #[inline(always)]
    pub(crate) fn events_of(&self, run: &Run) -> Range<usize> {
        (run.first - self.first) as usize..(run.end - self.first) as usize
    }

    /// How events depend on others, and their rows, from one event on.
    #[inline]
    pub(crate) fn from(&self, event: usize) -> impl Iterator<Item = (&Link, &Row)> {
        let links = self.links.get(event..).unwrap_or_default().iter();
        links.zip(self.rows.get(event..).unwrap_or_default())
    }

    /// The lag in ns to the event before; `row`: that of the event.
    #[inline]
    pub(crate) fn order(&self, event: usize, row: &Row) -> Time {
        self.time(event, Part::Order, row.order)
    }

    /// The lag in ns to [`Row::other`].
    #[inline]
    pub(crate) fn lag(&self, event: usize, row: &Row) -> Time {
        self.time(event, Part::Lag, row.lag)
    }

    /// The duration in ns.
    #[inline]
    pub(crate) fn duration(&self, event: usize, row: &Row) -> Time {
        self.time(event, Part::Duration, row.duration)
    }

    #[inline(always)]
    fn time(&self, event: usize, part: Part, stored: i32) -> Time {
        match stored {
            LONG => self.long_time(event, part),
            short => short.into(),
        }
    }

    #[cold]
    fn long_time(&self, event: usize, part: Part) -> Time {
        let key = (event as u32, part);
        let at = self.long.binary_search_by_key(&key, |(event, part, _)| (*event, *part));
        at.ok().and_then(|at| self.long.get(at)).map_or(Time::from(LONG), |(.., time)| *time)
    }

    /// Whether all times are below 2^51 ns.
    pub(super) fn is_short(&self) -> bool {
        let is_short = |ns: Time| ns.unsigned_abs() < 1 << 51;
        self.long.iter().all(|(.., ns)| is_short(*ns))
            && self.more.iter().all(|of| is_short(of.lag))
    }

    /// Durations of all events in ns.
    pub(crate) fn durations(&self) -> impl Iterator<Item = Time> + '_ {
        self.rows.iter().enumerate().map(|(event, row)| self.duration(event, row))
    }

    /// What an event waits for besides what is in its row.
    pub(crate) fn more_of(&self, event: usize) -> &[More] {
        let first = self.more.partition_point(|more| (more.event as usize) < event);
        let own = self.more[first..].iter().take_while(|more| more.event as usize == event);
        &self.more[first..first + own.count()]
    }

    /// What an event waits for besides the event before it, in any order.
    pub(super) fn others(&self, event: usize) -> impl Iterator<Item = Dependence> {
        let own = self.from(event).next();
        let other = own.filter(|(_, row)| row.other != NONE).map(|(link, row)| Dependence {
            from: row.other,
            kind: link.kind(),
            lag: self.lag(event, row),
        });
        let more =
            if own.is_some_and(|(link, _)| link.has_more()) { self.more_of(event) } else { &[] };
        other.into_iter().chain(more.iter().map(Dependence::from))
    }

    /// Number of dependences.
    pub(crate) fn dependence_count(&self) -> usize {
        let others = self.rows.iter().filter(|row| row.other != NONE).count();
        let follow = self.links.iter().filter(|link| link.follows()).count();
        others + follow + self.more.len()
    }

    /// Whether any dependence is of such a kind.
    pub(crate) fn has_kind(&self, is: fn(DependenceKind) -> bool) -> bool {
        let follows = is(DependenceKind::EngineOrder) && self.links.iter().any(|l| l.follows());
        let mut others = self.from(0).filter(|(_, row)| row.other != NONE);
        follows
            || others.any(|(link, _)| is(link.kind()))
            || self.more.iter().any(|more| is(more.kind))
    }

    /// What an event waits for.
    pub(crate) fn dependences(&self, event: usize) -> Dependences<'_> {
        let mut found = Dependences::default();
        let Some((link, row)) = self.from(event).next() else { return found };
        let order = link.follows().then(|| Dependence {
            from: self.first + event as Node - 1,
            kind: DependenceKind::EngineOrder,
            lag: self.order(event, row),
        });
        let other = (row.other != NONE).then(|| Dependence {
            from: row.other,
            kind: link.kind(),
            lag: self.lag(event, row),
        });
        let comes_last = link.kind() == DependenceKind::HandOver;
        found.two = if comes_last { [order, other] } else { [other, order] };
        if link.has_more() {
            let more = self.more_of(event);
            let before = more.partition_point(|of| of.kind != DependenceKind::HandOver);
            (found.before, found.after) = more.split_at(before);
        }
        found
    }
}

impl From<&More> for Dependence {
    #[inline]
    fn from(more: &More) -> Self {
        Self { from: more.from, kind: more.kind, lag: more.lag }
    }
}

/// What a node waits for, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dependences<'g> {
    before: &'g [More],
    /// What most events have.
    two: [Option<Dependence>; 2],
    after: &'g [More],
    members: &'g [Node],
}

impl<'g> Dependences<'g> {
    /// Of a node that gathers others.
    pub(super) fn of_members(members: &'g [Node]) -> Self {
        Self { members, ..Self::default() }
    }
}

impl Iterator for Dependences<'_> {
    type Item = Dependence;

    #[inline]
    fn next(&mut self) -> Option<Dependence> {
        let of_list = |list: &mut &[More]| {
            let (more, rest) = list.split_first()?;
            *list = rest;
            Some(Dependence::from(more))
        };
        of_list(&mut self.before)
            .or_else(|| self.two.iter_mut().find_map(Option::take))
            .or_else(|| of_list(&mut self.after))
            .or_else(|| {
                let (first, rest) = self.members.split_first()?;
                self.members = rest;
                Some(Dependence { from: *first, kind: DependenceKind::Gather, lag: 0 })
            })
    }
}

/// Whether a row holds such a time.
#[inline(always)]
fn fits(time: Time) -> bool {
    // Both signs, without what stands for a long time.
    const MOST: Time = i32::MAX as Time;
    time.wrapping_add(MOST) as u64 <= 2 * MOST as u64
}
