//! The graph of a run, packed. An engine works in order, and most events wait for one event of another engine besides the one before
//! them on their own.
//!
//! | column | bytes | per |
//! |---|---|---|
//! | duration | 4 | event |
//! | whether it follows the event before, kind of the other dependence | 1 | event |
//! | lag to the event before | 4 | event |
//! | the other event that it waits for, and the lag | 8 | event |
//!
//! What an event waits for besides these two is in a list. Durations and lags from 2^31 ns on take more, see [`Times`].

mod order;
mod path;
mod run;
mod slack;
#[cfg(test)]
mod tests;

use bigtpu_sim::{Error, Time, Times};

use crate::dependence::{DependenceKind, Junction, NONE, Node};

pub(crate) use order::Run;
pub(crate) use path::Step;
pub(crate) use run::{Measured, Scale};

/// What events wait for. Nodes are numbered: the events, engine after engine; the origin, which waits for nothing; the junctions.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) lanes: Vec<Lane>,
    /// By lane.
    pub(crate) times: Vec<LaneTimes>,
    junctions: Junctions,
    /// Number of events.
    events: usize,
    /// All events and junctions, each after all that it waits for.
    order: Vec<Run>,
}

/// What the events of an engine wait for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lane {
    /// Node of the first event.
    pub(crate) first: Node,
    /// By event.
    pub(crate) link: Vec<Link>,
    /// By event what it waits for besides the event before it; [`NONE`] for nothing.
    pub(crate) other: Vec<Node>,
    /// What events wait for besides these two, by event, in the order of [`Graph::dependences`].
    pub(crate) more: Vec<More>,
}

/// Durations and lags of an engine's events.
#[derive(Debug, Clone, Default)]
pub(crate) struct LaneTimes {
    /// By event.
    pub(crate) duration: Times,
    /// By event the lag to the event before it; 0 where it does not follow that one.
    pub(crate) order: Times,
    /// By event the lag to [`Lane::other`]; 0 where there is nothing.
    pub(crate) other: Times,
    /// Of [`Lane::more`].
    pub(crate) more: Vec<Time>,
}

/// How an event depends on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link(u8);

impl Link {
    /// It waits for the event before it on its engine.
    const FOLLOWS: u8 = 1 << 7;
    /// It waits for something in [`Lane::more`].
    const MORE: u8 = 1 << 6;

    /// `kind`: that of [`Lane::other`].
    pub(crate) fn new(kind: DependenceKind, follows: bool, has_more: bool) -> Self {
        let more = if has_more { Self::MORE } else { 0 };
        Self(kind as u8 | if follows { Self::FOLLOWS } else { 0 } | more)
    }

    #[inline]
    pub(crate) fn follows(self) -> bool {
        self.0 & Self::FOLLOWS != 0
    }

    #[inline]
    pub(crate) fn has_more(self) -> bool {
        self.0 & Self::MORE != 0
    }

    /// Kind of [`Lane::other`].
    #[inline]
    pub(crate) fn kind(self) -> DependenceKind {
        let number = self.0 & !(Self::FOLLOWS | Self::MORE);
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
}

/// What a node waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dependence {
    pub(crate) from: Node,
    pub(crate) kind: DependenceKind,
    /// ns from the end of `from` to the earliest start.
    pub(crate) lag: Time,
}

/// Nodes that take no time: each ends with the last of those that it gathers, which are events.
#[derive(Debug, Clone, Default)]
struct Junctions {
    /// By junction the place of its first member; then the number of members of all.
    first: Vec<u32>,
    members: Vec<Node>,
}

impl Junctions {
    fn of(junctions: &[Junction]) -> Self {
        let mut all = Self { first: vec![0], members: Vec::new() };
        for junction in junctions {
            all.members.extend_from_slice(&junction.members);
            all.first.push(all.members.len() as u32);
        }
        all
    }

    fn len(&self) -> usize {
        self.first.len() - 1
    }

    fn members(&self, junction: usize) -> &[Node] {
        &self.members[self.first[junction] as usize..self.first[junction + 1] as usize]
    }
}

impl Graph {
    /// From the events of each engine, and the junctions, whose nodes follow that of the origin.
    ///
    /// # Errors
    /// A cycle, too many events.
    pub(crate) fn of(
        lanes: Vec<Lane>,
        times: Vec<LaneTimes>,
        junctions: &[Junction],
    ) -> Result<Self, Error> {
        let events = lanes.iter().map(|lane| lane.link.len()).sum();
        let junctions = Junctions::of(junctions);
        if events + junctions.len().max(junctions.members.len()) + 2 >= NONE as usize {
            return Err(Error::TooLarge);
        }
        let mut graph = Self { lanes, times, junctions, events, order: Vec::new() };
        match order::running_order(&graph) {
            Some(order) => graph.order = order,
            // It is there: the search names its tasks.
            None => return Err(graph.search_order().err().unwrap_or(Error::Columns)),
        }
        Ok(graph)
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.events + 1 + self.junctions.len()
    }

    /// Number of a junction by its node; `None` for events and the origin.
    #[inline]
    fn junction(&self, node: Node) -> Option<usize> {
        (node as usize).checked_sub(self.events + 1)
    }

    /// Place of an event's engine, and the event's index there; `None` for other nodes.
    #[inline]
    pub(crate) fn place(&self, node: Node) -> Option<(usize, usize)> {
        if node as usize >= self.events {
            return None;
        }
        let lane = self.lanes.partition_point(|lane| lane.first <= node) - 1;
        Some((lane, (node - self.lanes[lane].first) as usize))
    }

    /// Duration of a node in ns.
    pub(crate) fn duration(&self, node: Node) -> Time {
        self.place(node).map_or(0, |(lane, i)| self.times[lane].duration.get(i))
    }

    /// Durations of all events in ns.
    pub(crate) fn durations(&self) -> impl Iterator<Item = Time> {
        self.times.iter().flat_map(|times| times.duration.iter())
    }

    /// Number of dependences.
    pub(crate) fn dependence_count(&self) -> usize {
        let of_lane = |lane: &Lane| {
            let others = lane.other.iter().filter(|other| **other != NONE).count();
            let follow = lane.link.iter().filter(|link| link.follows()).count();
            others + follow + lane.more.len()
        };
        self.lanes.iter().map(of_lane).sum::<usize>() + self.junctions.members.len()
    }

    /// Whether any dependence of an event is of such a kind.
    pub(crate) fn has_kind(&self, is: fn(DependenceKind) -> bool) -> bool {
        self.lanes.iter().any(|lane| {
            let others = lane.other.iter().zip(&lane.link);
            let mut others = others.filter(|(other, _)| **other != NONE);
            let follows = is(DependenceKind::EngineOrder) && lane.link.iter().any(|l| l.follows());
            follows
                || others.any(|(_, link)| is(link.kind()))
                || lane.more.iter().any(|more| is(more.kind))
        })
    }

    /// What a node waits for. Of several that decide together the first one counts.
    pub(crate) fn dependences(&self, node: Node) -> Dependences<'_> {
        let mut found = Dependences::default();
        if let Some((lane, i)) = self.place(node) {
            let (lane, times) = (&self.lanes[lane], &self.times[lane]);
            let link = lane.link[i];
            let order = link.follows().then(|| Dependence {
                from: node - 1,
                kind: DependenceKind::EngineOrder,
                lag: times.order.get(i),
            });
            let other = (lane.other[i] != NONE).then(|| Dependence {
                from: lane.other[i],
                kind: link.kind(),
                lag: times.other.get(i),
            });
            let comes_last = link.kind() == DependenceKind::HandOver;
            found.two = if comes_last { [order, other] } else { [other, order] };
            if link.has_more() {
                let more = lane.more_of(i);
                let lags = &times.more[more.clone()];
                let more = &lane.more[more];
                let before = more.partition_point(|of| of.kind != DependenceKind::HandOver);
                found.before = (&more[..before], &lags[..before]);
                found.after = (&more[before..], &lags[before..]);
            }
        } else if let Some(junction) = self.junction(node) {
            found.members = self.junctions.members(junction);
        }
        found
    }

    /// All nodes, each after all that it waits for, as runs of consecutive numbers: an engine's events follow one another as far as
    /// possible.
    ///
    /// # Errors
    /// A cycle.
    pub(crate) fn search_order(&self) -> Result<Vec<std::ops::Range<Node>>, Error> {
        bigtpu_sim::running_order(self.len(), |node| self.dependences(node).map(|of| of.from))
    }
}

/// What [`Lane::columns`] has of an event.
type Columns<'g> = ((((&'g Link, &'g Node), &'g i32), &'g i32), &'g i32);

impl Lane {
    /// Of a run's events how each depends on others, [`Lane::other`], and the lag to the event before, the lag to the other one and the
    /// duration as `times` stores them: a pass converts those that it needs, see [`Times::time`].
    #[inline(always)]
    fn columns<'g>(
        &'g self,
        times: &'g LaneTimes,
        run: &Run,
    ) -> impl DoubleEndedIterator<Item = Columns<'g>> + ExactSizeIterator + use<'g> {
        let rows = (run.first - self.first) as usize..(run.end - self.first) as usize;
        self.link[rows.clone()]
            .iter()
            .zip(&self.other[rows.clone()])
            .zip(times.order.stored(rows.clone()))
            .zip(times.other.stored(rows.clone()))
            .zip(times.duration.stored(rows))
    }

    /// Places in [`Lane::more`] of what an event waits for.
    pub(crate) fn more_of(&self, event: usize) -> std::ops::Range<usize> {
        let first = self.more.partition_point(|more| (more.event as usize) < event);
        let own = self.more[first..].iter().take_while(|more| more.event as usize == event);
        first..first + own.count()
    }
}

/// What a node waits for, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dependences<'g> {
    before: (&'g [More], &'g [Time]),
    /// What most events have.
    two: [Option<Dependence>; 2],
    after: (&'g [More], &'g [Time]),
    members: &'g [Node],
}

impl Iterator for Dependences<'_> {
    type Item = Dependence;

    #[inline]
    fn next(&mut self) -> Option<Dependence> {
        let of_list = |list: &mut (&[More], &[Time])| {
            let (more, lag) = (list.0.first()?, list.1.first()?);
            let found = Dependence { from: more.from, kind: more.kind, lag: *lag };
            *list = (&list.0[1..], &list.1[1..]);
            Some(found)
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

impl LaneTimes {
    /// Changes the durations of some events of a lane.
    pub(crate) fn map_durations(
        &mut self,
        lane: &Lane,
        events: std::ops::Range<usize>,
        change: impl Fn(Time) -> Time,
    ) {
        self.duration.map(events.clone(), &lane.link[events], |_, ns| change(ns));
    }

    /// Changes the lags of some events of a lane. Those of no dependence are 0, and of kind [`DependenceKind::Gather`]: they have to
    /// stay as they are.
    #[inline]
    pub(crate) fn map_lags(
        &mut self,
        lane: &Lane,
        events: std::ops::Range<usize>,
        change: impl Fn(DependenceKind, Time) -> Time,
    ) {
        let links = &lane.link[events.clone()];
        self.order.map(events.clone(), links, |link, ns| {
            if link.follows() { change(DependenceKind::EngineOrder, ns) } else { ns }
        });
        self.other.map(events.clone(), links, |link, ns| change(link.kind(), ns));
        let of_events = |more: &&More| events.contains(&(more.event as usize));
        let first = lane.more.partition_point(|more| (more.event as usize) < events.start);
        let more = lane.more[first..].iter().take_while(of_events);
        for (more, lag) in more.zip(&mut self.more[first..]) {
            *lag = change(more.kind, *lag);
        }
    }
}
