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
    /// By junction how many of its members are taken; one more when it is taken itself.
    gathered: Vec<u32>,
    /// By lane the first event that is not taken: all before it are.
    next: Vec<Node>,
    /// By lane the lane of the event that its last event waited for.
    partner: Vec<usize>,
    /// By lane which events are waited for, and the lanes that wait for them.
    waiting: Vec<Vec<(Node, usize)>>,
    runs: Vec<Run>,
}

/// The order; `None` if there is none.
pub(super) fn running_order(graph: &Graph) -> Option<Vec<Run>> {
    let lanes = graph.lanes.len();
    let mut search = Search {
        graph,
        gathered: vec![0; graph.junctions.len()],
        next: graph.lanes.iter().map(|lane| lane.first).collect(),
        partner: (0..lanes).collect(),
        waiting: vec![Vec::new(); lanes],
        runs: Vec::new(),
    };
    let mut ready: Vec<usize> = (0..lanes).rev().collect();
    while let Some(lane) = ready.pop() {
        search.go_on(lane);
        let taken = search.next[lane];
        // Few lanes wait for one.
        let waiting = &mut search.waiting[lane];
        let mut at = 0;
        while let Some((node, waits)) = waiting.get(at).copied() {
            if node < taken {
                waiting.swap_remove(at);
                ready.push(waits);
            } else {
                at += 1;
            }
        }
    }
    let is_done = |(lane, next): (&Lane, &Node)| (*next - lane.first) as usize == lane.len();
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
        let (links, rows) = lane.columns(0..lane.len());
        let mut begin = self.next[number];
        let mut node = begin;
        // Most events wait for events of another engine of their core, always the same: those of its first events that are taken.
        let mut partner = self.partner[number];
        let mut first = graph.lanes[partner].first;
        let mut taken = self.next[partner] - first;
        for (link, row) in links.iter().zip(rows).skip((node - lane.first) as usize) {
            let is_ready = row.other == NONE || row.other.wrapping_sub(first) < taken;
            if is_ready && !link.has_more() {
                node += 1;
                continue;
            }
            let missing = if link.has_more() || row.other as usize >= graph.events {
                // A junction may gather what was just taken.
                self.add_run(number, begin, node);
                begin = node;
                self.missing_of_all(number, (node - lane.first) as usize)
            } else {
                partner = graph.place_near(row.other, number).map_or(number, |(of, _)| of);
                self.partner[number] = partner;
                first = graph.lanes[partner].first;
                taken = if partner == number { node } else { self.next[partner] } - first;
                (row.other - first >= taken).then_some((partner, row.other))
            };
            if let Some((of, missing)) = missing {
                self.add_run(number, begin, node);
                return self.waiting[of].push((missing, number));
            }
            node += 1;
        }
        self.add_run(number, begin, node);
    }

    /// The event that has to be taken before an event of a lane that waits for junctions, or for several others; and its lane.
    fn missing_of_all(&mut self, number: usize, event: usize) -> Option<(usize, Node)> {
        let lane = &self.graph.lanes[number];
        let (link, row) = lane.from(event).next()?;
        if link.has_more() {
            for more in lane.more_of(event) {
                let missing = self.missing(more.from);
                if missing.is_some() {
                    return missing;
                }
            }
        }
        if row.other == NONE { None } else { self.missing(row.other) }
    }

    /// The events of a lane from `begin` on are taken up to `end`.
    #[inline]
    fn add_run(&mut self, number: usize, begin: Node, end: Node) {
        self.next[number] = end;
        if begin < end {
            self.runs.push(Run { lane: number as u32, first: begin, end });
        }
    }

    /// The event that has to be taken before what waits for `node` can be, and its lane; takes a junction whose members are all taken.
    #[inline]
    fn missing(&mut self, node: Node) -> Option<(usize, Node)> {
        if (node as usize) < self.graph.events {
            return self.missing_event(node);
        }
        // The origin is there from the beginning.
        let junction = self.graph.junction(node)?;
        let members = self.graph.junctions.members(junction);
        let gathered = self.gathered[junction] as usize;
        // Members are mostly by lane.
        let mut near = 0;
        for (at, member) in members.iter().enumerate().skip(gathered) {
            let Some((of, _)) = self.graph.place_near(*member, near) else { continue };
            if *member >= self.next[of] {
                self.gathered[junction] = at as u32;
                return Some((of, *member));
            }
            near = of;
        }
        if gathered <= members.len() {
            self.gathered[junction] = members.len() as u32 + 1;
            self.runs.push(Run { lane: Run::JUNCTION, first: node, end: node + 1 });
        }
        None
    }

    fn missing_event(&self, node: Node) -> Option<(usize, Node)> {
        let (of, _) = self.graph.place(node)?;
        (node >= self.next[of]).then_some((of, node))
    }
}
