//! A running order of the nodes: each after all that it waits for.
//!
//! Nearly all events end after what they wait for. So events are taken by the moment in which they ended, in moments short enough that
//! few of those that depend on each other fall into one. What an event waits for that is not taken yet, because it ended in the same
//! moment or because clocks differ, is taken before it.

use bigtpu_sim::Time;

use super::{Dependences, Graph};
use crate::dependence::{NONE, Node};

/// How far a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Something waits for it, and it waits for something itself.
    Open,
    Taken,
}

/// The nodes that are taken.
struct Taken<'g> {
    graph: &'g Graph,
    /// State of each node.
    state: Vec<State>,
    order: Vec<Node>,
    /// Nodes that wait, each for the one behind it, and what else they wait for.
    open: Vec<(Node, Dependences<'g>)>,
}

/// All events and junctions in an order; `None` if there is none. `ends`: when each event ended, in ns.
pub(super) fn running_order(graph: &Graph, ends: &[Time]) -> Option<Vec<Node>> {
    let origin = graph.events();
    let mut state = vec![State::New; graph.len()];
    state[origin] = State::Taken;
    let order = Vec::with_capacity(graph.len());
    let mut taken = Taken { graph, state, order, open: Vec::new() };
    for node in by_end(ends.get(..origin)?) {
        if taken.is_ready(node) {
            taken.add(node);
        } else {
            taken.take(node)?;
        }
    }
    // Nothing waits for these.
    for junction in origin + 1..graph.len() {
        taken.take(junction as Node)?;
    }
    Some(taken.order)
}

impl Taken<'_> {
    #[inline(always)]
    fn is_taken(&self, node: Node) -> bool {
        self.state[node as usize] == State::Taken
    }

    /// Whether an event is not taken, but all that it waits for; not known of one that waits for more than two others.
    #[inline(always)]
    fn is_ready(&self, node: Node) -> bool {
        self.graph.columns.get(node).is_some_and(|(link, row)| {
            !self.is_taken(node)
                && !link.has_more()
                && (row.other == NONE || self.is_taken(row.other))
                && (!link.follows() || self.is_taken(node - 1))
        })
    }

    /// Takes a node, and before it what it waits for; `None` if nodes wait for each other.
    #[cold]
    #[inline(never)]
    fn take(&mut self, node: Node) -> Option<()> {
        if self.is_taken(node) {
            return Some(());
        }
        let graph = self.graph;
        self.open.push((node, graph.dependences(node)));
        while let Some((node, all)) = self.open.last_mut() {
            let (node, state) = (*node, &self.state);
            let is_missing = |from: &Node| state[*from as usize] != State::Taken;
            let Some(missing) = all.map(|of| of.from).find(is_missing) else {
                self.add(node);
                self.open.pop();
                continue;
            };
            self.state[node as usize] = State::Open;
            if self.state[missing as usize] == State::Open {
                return None;
            }
            self.open.push((missing, graph.dependences(missing)));
        }
        Some(())
    }

    #[inline(always)]
    fn add(&mut self, node: Node) {
        self.state[node as usize] = State::Taken;
        self.order.push(node);
    }
}

/// Events by the moment in which they ended; those of a moment by number.
fn by_end(ends: &[Time]) -> Vec<Node> {
    let last = ends.iter().copied().max().unwrap_or(0).max(0);
    // About as many moments as events.
    let shift = (last / ends.len().max(1) as Time).max(1).ilog2();
    let moment = |end: Time| (end.max(0) >> shift) as usize;
    // By moment the place of its first event; then of the next one.
    let mut place: Vec<u32> = vec![0; moment(last) + 1];
    for end in ends {
        place[moment(*end)] += 1;
    }
    let mut before = 0;
    for count in &mut place {
        before += std::mem::replace(count, before);
    }
    let mut events = vec![0; ends.len()];
    for (node, end) in (0..).zip(ends) {
        let place = &mut place[moment(*end)];
        events[*place as usize] = node;
        *place += 1;
    }
    events
}
