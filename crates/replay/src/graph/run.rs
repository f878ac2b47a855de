//! Runs the graph: one pass over the nodes in a running order.

use bigtpu_sim::Time;

use super::Graph;
use crate::dependence::{DependenceKind, NONE, Node};

/// What times of a changed run are, from those of the graph.
pub(crate) trait Scale {
    /// Duration in ns of a node, never below 0.
    fn duration(&self, node: Node, ns: Time) -> Time;
    /// Lag in ns of a dependence.
    fn lag(&self, kind: DependenceKind, ns: Time) -> Time;
}

/// Times as they are.
pub(crate) struct Measured;

impl Scale for Measured {
    #[inline]
    fn duration(&self, _: Node, ns: Time) -> Time {
        ns
    }

    #[inline]
    fn lag(&self, _: DependenceKind, ns: Time) -> Time {
        ns
    }
}

impl Graph {
    /// Runs the graph with its times, each changed by `scale`, and writes when each node ends to `end`, whose memory is used again.
    /// Returns the last end.
    pub(crate) fn run(&self, scale: &impl Scale, end: &mut Vec<Time>) -> Time {
        // Every end but that of the origin is written before it is read: what the memory held does not matter.
        if end.is_empty() {
            // Fresh memory is zero already.
            *end = vec![0; self.len()];
        }
        end.resize(self.len(), 0);
        end[self.events()] = 0;
        let mut last = 0;
        for node in self.order.iter().copied() {
            let Some((link, row)) = self.columns.get(node) else {
                let ends = self.gathered(node).iter().map(|member| end[*member as usize]);
                // No node ends before 0.
                end[node as usize] = ends.fold(0, Time::max);
                continue;
            };
            let times = self.columns.times(node, link, row);
            // No task starts before 0.
            let mut start = 0;
            if link.follows() {
                let lag = scale.lag(DependenceKind::EngineOrder, times.order);
                start = start.max(end[node as usize - 1] + lag);
            }
            if row.other != NONE {
                let lag = scale.lag(link.kind(), times.lag);
                start = start.max(end[row.other as usize] + lag);
            }
            if link.has_more() {
                start = start.max(self.latest_of_more(node, scale, end));
            }
            let own = start + scale.duration(node, times.duration);
            end[node as usize] = own;
            last = last.max(own);
        }
        last
    }

    /// The earliest start by what an event waits for besides the two usual dependences.
    #[cold]
    fn latest_of_more(&self, node: Node, scale: &impl Scale, end: &[Time]) -> Time {
        let more = self.columns.more_of(node).iter();
        more.map(|of| end[of.from as usize] + scale.lag(of.kind, of.lag)).max().unwrap_or(0)
    }
}
