//! A running order of the nodes: each after all that it waits for.
//!
//! An engine's events are taken one after the other until one waits for what is not taken yet; then another engine goes on. Each engine
//! is taken up again when what it waits for has been taken.

use super::{Graph, Lane};
use crate::dependence::{NONE, Node};

/// Nodes that follow one another: events of a lane, or a junction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// Place of the lane; [`Run::JUNCTION`] for a junction.
    pub(crate) lane: u32,
    pub(crate) first: Node,
    /// Behind the last one.
    pub(crate) end: Node,
}

impl Run {
    pub(crate) const JUNCTION: u32 = u32::MAX;
}

/// The search for an order.
struct Search<'g> {
    graph: &'g Graph,
    /// By event.
    is_taken: Vec<bool>,
    /// By junction how many of its members are taken; one more when it is taken itself.
    gathered: Vec<u32>,
    /// By lane the first event that is not taken.
    next: Vec<usize>,
    /// By lane which events are waited for, and the lanes that wait for them.
    waiting: Vec<Vec<(Node, usize)>>,
    runs: Vec<Run>,
}

/// The order; `None` if there is none.
pub(super) fn running_order(graph: &Graph) -> Option<Vec<Run>> {
    let lanes = graph.lanes.len();
    let mut search = Search {
        graph,
        is_taken: vec![false; graph.events],
        gathered: vec![0; graph.junctions.len()],
        next: vec![0; lanes],
        waiting: vec![Vec::new(); lanes],
        runs: Vec::new(),
    };
    let mut ready: Vec<usize> = (0..lanes).rev().collect();
    while let Some(lane) = ready.pop() {
        search.go_on(lane);
        // Few lanes wait for one.
        let mut at = 0;
        while let Some((node, waits)) = search.waiting[lane].get(at).copied() {
            if search.is_taken[node as usize] {
                search.waiting[lane].swap_remove(at);
                ready.push(waits);
            } else {
                at += 1;
            }
        }
    }
    let is_done = |(lane, next): (&Lane, &usize)| *next == lane.link.len();
    if !graph.lanes.iter().zip(&search.next).all(is_done) {
        return None;
    }
    // Nothing waits for these.
    for junction in 0..graph.junctions.len() {
        search.missing(graph.events as Node + 1 + junction as Node);
    }
    search.runs.shrink_to_fit();
    Some(search.runs)
}

impl Search<'_> {
    /// Takes events of a lane as far as possible.
    fn go_on(&mut self, number: usize) {
        let graph = self.graph;
        let lane = &graph.lanes[number];
        let own = lane.first as usize;
        let mut begin = self.next[number];
        let mut i = begin;
        while let (Some(other), Some(link)) = (lane.other.get(i), lane.link.get(i)) {
            let missing = if link.has_more() || *other != NONE && *other as usize >= graph.events {
                // A junction may gather what was just taken.
                self.add_run(number, begin, i);
                begin = i;
                self.missing_of_all(lane, i)
            } else if *other == NONE || self.is_taken[*other as usize] {
                None
            } else {
                // Events of this run are taken when it ends.
                Some(*other).filter(|other| !(own..own + i).contains(&(*other as usize)))
            };
            if let Some(missing) = missing {
                self.add_run(number, begin, i);
                return self.wait_for(missing, number);
            }
            i += 1;
        }
        self.add_run(number, begin, i);
    }

    /// The event that has to be taken before an event of a lane that waits for junctions, or for several others.
    fn missing_of_all(&mut self, lane: &Lane, event: usize) -> Option<Node> {
        let more = if lane.link[event].has_more() { lane.more_of(event) } else { 0..0 };
        let more = lane.more[more].iter().map(|more| more.from);
        let other = lane.other.get(event).copied().filter(|other| *other != NONE);
        more.chain(other).find_map(|node| self.missing(node))
    }

    /// A lane goes on when an event of another one is taken.
    fn wait_for(&mut self, node: Node, number: usize) {
        let lanes = &self.graph.lanes;
        let holds = |at: &usize| {
            let end = |lane: &Lane| lane.first as usize + lane.link.len();
            lanes.get(*at).is_some_and(|lane| (lane.first..end(lane) as Node).contains(&node))
        };
        // Mostly it is of an engine of the same core.
        let near = [number + 1, number.wrapping_sub(1)].into_iter().find(holds);
        if let Some(of) = near.or_else(|| Some(self.graph.place(node)?.0)) {
            self.waiting[of].push((node, number));
        }
    }

    /// The events of a lane from `begin` on are taken up to `end`.
    #[inline]
    fn add_run(&mut self, number: usize, begin: usize, end: usize) {
        self.next[number] = end;
        if begin < end {
            let first = self.graph.lanes[number].first;
            let (first, end) = (first + begin as Node, first + end as Node);
            self.is_taken[first as usize..end as usize].fill(true);
            self.runs.push(Run { lane: number as u32, first, end });
        }
    }

    /// The event that has to be taken before what waits for `node` can be; takes a junction whose members are all taken.
    #[inline]
    fn missing(&mut self, node: Node) -> Option<Node> {
        if (node as usize) < self.graph.events {
            return (!self.is_taken[node as usize]).then_some(node);
        }
        // The origin is there from the beginning.
        let junction = self.graph.junction(node)?;
        let members = self.graph.junctions.members(junction);
        let gathered = &mut self.gathered[junction];
        while let Some(member) = members.get(*gathered as usize) {
            if !self.is_taken[*member as usize] {
                return Some(*member);
            }
            *gathered += 1;
        }
        if *gathered as usize == members.len() {
            *gathered += 1;
            self.runs.push(Run { lane: Run::JUNCTION, first: node, end: node + 1 });
        }
        None
    }
}
