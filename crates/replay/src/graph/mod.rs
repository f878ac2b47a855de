//! The graph of a run, packed. An engine works in order, and most events wait for one event of another engine besides the one before
//! them on their own.
//!
//! | what | bytes an event |
//! |---|---|
//! | whether it follows the event before, kind of the other dependence | 1 |
//! | the other event that it waits for | 4 |
//! | lag to the event before, lag to the other one, duration | 12 |
//!
//! What an event waits for besides these two is in a list. Durations and lags from 2^31 ns on take more, see [`Lane`].

mod lane;
mod order;
mod path;
mod run;
mod slack;
#[cfg(test)]
mod tests;
mod together;

use bigtpu_sim::{Error, Time};

use crate::dependence::{DependenceKind, Junction, NONE, Node};

pub(crate) use lane::{Dependences, EventTimes, Lane, Link};
pub(crate) use order::Run;
pub(crate) use path::Step;
pub(crate) use run::{Measured, Scale};
pub(crate) use together::{Changes, Count, Stretch, TimesOfRuns};

/// What events wait for. Nodes are numbered: the events, engine after engine; the origin, which waits for nothing; the junctions.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) lanes: Vec<Lane>,
    junctions: Junctions,
    /// Number of events.
    events: usize,
    /// All events and junctions, each after all that it waits for. Empty until it is set; runs need it.
    pub(crate) order: Vec<Run>,
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
    /// Too many events.
    pub(crate) fn of(lanes: Vec<Lane>, junctions: &[Junction]) -> Result<Self, Error> {
        let events = lanes.iter().map(Lane::len).sum();
        let junctions = Junctions::of(junctions);
        if events + junctions.len().max(junctions.members.len()) + 2 >= NONE as usize {
            return Err(Error::TooLarge);
        }
        Ok(Self { lanes, junctions, events, order: Vec::new() })
    }

    /// An order in which the nodes may run.
    ///
    /// # Errors
    /// A cycle.
    pub(crate) fn running_order(&self) -> Result<Vec<Run>, Error> {
        // A cycle is there: the search names its tasks.
        let cycle = || self.search_order().err().unwrap_or(Error::Columns);
        order::running_order(self).ok_or_else(cycle)
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

    /// The same; mostly it is of a lane next to the one at `near`.
    #[inline]
    fn place_near(&self, node: Node, near: usize) -> Option<(usize, usize)> {
        let of_lane = |at: usize| {
            let lane = self.lanes.get(at)?;
            let event = node.wrapping_sub(lane.first) as usize;
            (event < lane.len()).then_some((at, event))
        };
        let near = [near, near + 1, near.wrapping_sub(1)].into_iter().find_map(of_lane);
        near.or_else(|| self.place(node))
    }

    /// Duration of a node in ns.
    pub(crate) fn duration(&self, node: Node) -> Time {
        self.duration_at(self.place(node))
    }

    /// The same, of an event by its place.
    fn duration_at(&self, place: Option<(usize, usize)>) -> Time {
        let own = place.and_then(|(lane, event)| {
            let lane = self.lanes.get(lane)?;
            let (_, row) = lane.from(event).next()?;
            Some(lane.duration(event, row))
        });
        own.unwrap_or(0)
    }

    /// Durations of all events in ns.
    pub(crate) fn durations(&self) -> impl Iterator<Item = Time> {
        self.lanes.iter().flat_map(Lane::durations)
    }

    /// Number of dependences.
    pub(crate) fn dependence_count(&self) -> usize {
        self.lanes.iter().map(Lane::dependence_count).sum::<usize>() + self.junctions.members.len()
    }

    /// Whether any dependence of an event is of such a kind.
    pub(crate) fn has_kind(&self, is: fn(DependenceKind) -> bool) -> bool {
        self.lanes.iter().any(|lane| lane.has_kind(is))
    }

    /// What a node waits for. Of several that decide together the first one counts.
    pub(crate) fn dependences(&self, node: Node) -> Dependences<'_> {
        self.dependences_at(node, self.place(node))
    }

    /// The same; `place`: that of the node if it is an event.
    fn dependences_at(&self, node: Node, place: Option<(usize, usize)>) -> Dependences<'_> {
        if let Some((lane, event)) = place {
            return self.lanes[lane].dependences(event);
        }
        let members = self.junction(node).map(|junction| self.junctions.members(junction));
        Dependences::of_members(members.unwrap_or_default())
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
