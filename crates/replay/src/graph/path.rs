//! The chain of events that the run time consists of.

use bigtpu_sim::Time;

use super::Graph;
use crate::dependence::{DependenceKind, Node};

/// A node of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) node: Node,
    /// ns.
    pub(crate) duration: Time,
    /// Why it waited for the node before it; `None` for the first.
    pub(crate) kind: Option<DependenceKind>,
}

impl Graph {
    /// The critical path to a node, from the first one on. `end`: when each node ends in the run without changes. Of a graph with a
    /// cycle, in which there is none, some nodes.
    pub(crate) fn path_to(&self, node: Node, end: &[Time]) -> Vec<Step> {
        let mut path = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.filter(|_| path.len() < self.len()) {
            let duration = self.duration(node);
            let start = end[node as usize] - duration;
            // Of several that ended together the first dependence counts.
            let mut all = self.dependences(node);
            let decides = all.find(|of| end[of.from as usize] + of.lag >= start);
            path.push(Step { node, duration, kind: decides.map(|of| of.kind) });
            next = decides.map(|of| of.from);
        }
        path.reverse();
        path.shrink_to_fit();
        path
    }
}
