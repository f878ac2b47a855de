//! What each event waits for, and how long it takes.

use bigtpu_sim::Time;

use super::Dependence;
use super::lane::{Lane, Rare};
use super::row::{EventTimes, LONG, Link, Part, Row};
use crate::dependence::{DependenceKind, NONE, Node};

/// What events wait for, and how long they take.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    /// How each event depends on others.
    links: Vec<Link>,
    /// Row of each event.
    rows: Vec<Row>,
    rare: Rare,
    /// Node of each engine's first event.
    firsts: Vec<Node>,
}

/// A dependence of an event that has several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct More {
    pub(crate) event: Node,
    pub(crate) from: Node,
    pub(crate) kind: DependenceKind,
    /// ns.
    pub(crate) lag: Time,
}

impl Columns {
    /// Makes columns for so many events. Each event waits for the event before it, until lanes write what is known.
    pub(crate) fn new(events: usize) -> Self {
        let (links, rows) = (vec![Link::ORDERED; events], vec![Row::NOTHING; events]);
        Self { links, rows, rare: Rare::default(), firsts: Vec::new() }
    }

    /// The events of each engine, to be written. `lengths`: how many each has.
    pub(crate) fn lanes(&mut self, lengths: impl Iterator<Item = usize>) -> Vec<Lane<'_>> {
        let (mut links, mut rows) = (&mut self.links[..], &mut self.rows[..]);
        let firsts = &mut self.firsts;
        let mut first = 0;
        let lane = |events: usize| {
            let own_links = links.split_off_mut(..events).unwrap_or_default();
            let own_rows = rows.split_off_mut(..events).unwrap_or_default();
            let lane = Lane::new(first, own_links, own_rows);
            firsts.push(first);
            first += events as Node;
            lane
        };
        lengths.map(lane).collect()
    }

    /// Adds what the columns of a lane do not hold; lane after lane.
    pub(crate) fn add(&mut self, mut rare: Rare) {
        self.rare.long.append(&mut rare.long);
        self.rare.more.append(&mut rare.more);
    }

    /// Number of events.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Nodes of the engines' first events.
    pub(super) fn firsts(&self) -> &[Node] {
        &self.firsts
    }

    /// Returns the number of each event's engine, by event; there are no more engines than that, see
    /// [`super::Graph::build`].
    pub(super) fn lane_of_events(&self) -> Vec<u16> {
        let mut lanes = vec![0; self.len()];
        let mut rest = &mut lanes[..];
        let ends = self.firsts.iter().skip(1).copied().chain([self.len() as Node]);
        for (lane, (first, end)) in (0..).zip(self.firsts.iter().zip(ends)) {
            let own = rest.split_off_mut(..(end - first) as usize);
            own.unwrap_or_default().fill(lane);
        }
        lanes
    }

    /// How an event depends on others, and its row; `None` for other nodes.
    #[inline]
    pub(super) fn get(&self, node: Node) -> Option<(Link, &Row)> {
        Some((*self.links.get(node as usize)?, self.rows.get(node as usize)?))
    }

    /// How all events depend on others, and their rows.
    fn all(&self) -> impl Iterator<Item = (Node, (Link, &Row))> {
        (0..).zip(self.links.iter().copied().zip(&self.rows))
    }

    /// Times of an event by how it depends on others and its row.
    #[inline(always)]
    pub(super) fn times(&self, node: Node, link: Link, row: &Row) -> EventTimes {
        if link.has_long() {
            return self.long_times(node, row);
        }
        let Row { order, lag, duration, .. } = *row;
        EventTimes { order: order.into(), lag: lag.into(), duration: duration.into() }
    }

    #[cold]
    #[inline(never)]
    fn long_times(&self, node: Node, row: &Row) -> EventTimes {
        let time = |part, stored| match stored {
            LONG => self.long_time(node, part),
            short => short.into(),
        };
        EventTimes {
            order: time(Part::Order, row.order),
            lag: time(Part::Lag, row.lag),
            duration: time(Part::Duration, row.duration),
        }
    }

    fn long_time(&self, node: Node, part: Part) -> Time {
        let (long, key) = (&self.rare.long, (node, part));
        let at = long.binary_search_by_key(&key, |(node, part, _)| (*node, *part));
        at.ok().and_then(|at| long.get(at)).map_or(Time::from(LONG), |(.., time)| *time)
    }

    /// Whether all times are below 2^51 ns.
    pub(super) fn are_short(&self) -> bool {
        let is_short = |ns: Time| ns.unsigned_abs() < 1 << 51;
        self.rare.long.iter().all(|(.., ns)| is_short(*ns))
            && self.rare.more.iter().all(|of| is_short(of.lag))
    }

    /// Durations of all events in ns.
    pub(super) fn durations(&self) -> impl Iterator<Item = Time> {
        (0..).zip(&self.rows).map(|(node, row)| match row.duration {
            LONG => self.long_times(node, row).duration,
            short => short.into(),
        })
    }

    /// What an event waits for besides what is in its row.
    pub(super) fn more_of(&self, node: Node) -> &[More] {
        let more = &self.rare.more;
        let first = more.partition_point(|more| more.event < node);
        let own = more[first..].iter().take_while(|more| more.event == node);
        &more[first..first + own.count()]
    }

    /// What an event waits for besides the event before it, in any order.
    pub(super) fn others(&self, node: Node) -> impl Iterator<Item = Dependence> {
        let own = self.get(node);
        let other = own.filter(|(_, row)| row.other != NONE).map(|(link, row)| Dependence {
            from: row.other,
            kind: link.kind(),
            lag: self.times(node, link, row).lag,
        });
        let more = own.filter(|(link, _)| link.has_more()).map(|_| self.more_of(node));
        other.into_iter().chain(more.unwrap_or_default().iter().map(Dependence::from))
    }

    /// Number of dependences.
    pub(super) fn dependence_count(&self) -> usize {
        let others = self.rows.iter().filter(|row| row.other != NONE).count();
        let follow = self.links.iter().filter(|link| link.follows()).count();
        others + follow + self.rare.more.len()
    }

    /// Whether any dependence is of such a kind.
    pub(super) fn has_kind(&self, is: fn(DependenceKind) -> bool) -> bool {
        let follows = is(DependenceKind::EngineOrder) && self.links.iter().any(|l| l.follows());
        let mut others = self.all().filter(|(_, (_, row))| row.other != NONE);
        follows
            || others.any(|(_, (link, _))| is(link.kind()))
            || self.rare.more.iter().any(|more| is(more.kind))
    }

    /// What an event waits for; nothing for other nodes.
    pub(super) fn dependences(&self, node: Node) -> Dependences<'_> {
        let mut found = Dependences::default();
        let Some((link, row)) = self.get(node) else { return found };
        let times = self.times(node, link, row);
        let order = link.follows().then(|| Dependence {
            from: node - 1,
            kind: DependenceKind::EngineOrder,
            lag: times.order,
        });
        let other = (row.other != NONE).then(|| Dependence {
            from: row.other,
            kind: link.kind(),
            lag: times.lag,
        });
        let comes_last = link.kind() == DependenceKind::HandOver;
        found.two = if comes_last { [order, other] } else { [other, order] };
        if link.has_more() {
            let more = self.more_of(node);
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
    /// The dependences of a node that gathers others.
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
