//! The graph of a run, packed. An engine works in order, and most events wait for one event of another engine besides the one before
//! them on their own.
//!
//! | what | bytes an event |
//! |---|---|
//! | whether it follows the event before, kind of the other dependence | 1 |
//! | the other event that it waits for | 4 |
//! | lag to the event before, lag to the other one, duration | 12 |
//!
//! What an event waits for besides these two is in a list. Durations and lags from 2^31 ns on take more, see [`Rare`].

mod columns;
mod lane;
mod order;
mod path;
mod row;
mod run;
mod slack;
#[cfg(test)]
mod tests;
mod together;
mod window;

use bigtpu_sim::{Error, Time};

use crate::dependence::{DependenceKind, Junction, NONE, Node};

pub(crate) use columns::{Columns, Dependences};
pub(crate) use lane::{Lane, Rare};
pub(crate) use path::Step;
pub(crate) use row::{EventTimes, Link};
pub(crate) use run::{Measured, Scale};
pub(crate) use together::{Changes, Count, Effect, Scaling, Stretch, TimesOfRuns};
pub(crate) use window::Windows;

/// What events wait for. Nodes are numbered: the events, engine after engine; the origin, which waits for nothing; the junctions.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    columns: Columns,
    junctions: Junctions,
    /// All events and junctions, each after all that it waits for. Empty until it is set; runs need it.
    pub(crate) order: Vec<Node>,
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
    /// Place of each junction's first member; then the number of members of all.
    first: Vec<u32>,
    members: Vec<Node>,
}

impl Junctions {
    fn new(junctions: &[Junction]) -> Self {
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
    /// From the events, and the junctions, whose nodes follow that of the origin.
    ///
    /// # Errors
    /// Too many events, or engines.
    pub(crate) fn build(columns: Columns, junctions: &[Junction]) -> Result<Self, Error> {
        let junctions = Junctions::new(junctions);
        let nodes = columns.len() + junctions.len().max(junctions.members.len()) + 2;
        if nodes >= NONE as usize || columns.firsts().len() > usize::from(u16::MAX) {
            return Err(Error::TooLarge);
        }
        Ok(Self { columns, junctions, order: Vec::new() })
    }

    /// An order in which the nodes may run. `ends`: when each event ended, in ns.
    ///
    /// # Errors
    /// A cycle.
    pub(crate) fn running_order(&self, ends: &[Time]) -> Result<Vec<Node>, Error> {
        // A cycle is there: the search names its tasks.
        let cycle = || self.search_order().err().unwrap_or(Error::Columns);
        order::running_order(self, ends).ok_or_else(cycle)
    }

    /// Number of events.
    #[inline]
    fn events(&self) -> usize {
        self.columns.len()
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.events() + 1 + self.junctions.len()
    }

    /// Number of a junction by its node; `None` for events and the origin.
    #[inline]
    fn junction(&self, node: Node) -> Option<usize> {
        (node as usize).checked_sub(self.events() + 1)
    }

    /// Duration of a node in ns.
    pub(crate) fn duration(&self, node: Node) -> Time {
        let own = self.columns.get(node);
        own.map_or(0, |(link, row)| self.columns.times(node, link, row).duration)
    }

    /// Durations of all events in ns.
    pub(crate) fn durations(&self) -> impl Iterator<Item = Time> {
        self.columns.durations()
    }

    /// Number of dependences.
    pub(crate) fn dependence_count(&self) -> usize {
        self.columns.dependence_count() + self.junctions.members.len()
    }

    /// Whether any dependence of an event is of such a kind.
    pub(crate) fn has_kind(&self, is: fn(DependenceKind) -> bool) -> bool {
        self.columns.has_kind(is)
    }

    /// What a node waits for. Of several that decide together the first one counts.
    pub(crate) fn dependences(&self, node: Node) -> Dependences<'_> {
        match self.junction(node) {
            None => self.columns.dependences(node),
            Some(junction) => Dependences::of_members(self.junctions.members(junction)),
        }
    }

    /// The members of a junction; nothing for other nodes.
    fn gathered(&self, node: Node) -> &[Node] {
        let junction = self.junction(node);
        junction.map(|junction| self.junctions.members(junction)).unwrap_or_default()
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
