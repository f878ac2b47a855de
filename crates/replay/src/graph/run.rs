//! Runs the graph: one pass over the nodes in a running order.

use bigtpu_sim::Time;

use super::{Graph, Lane, Run};
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
        end[self.events] = 0;
        let mut last = 0;
        for run in &self.order {
            if run.lane == Run::JUNCTION {
                let ends = self.gathered(run).iter().map(|member| end[*member as usize]);
                // No node ends before 0.
                end[run.first as usize] = ends.fold(0, Time::max);
                continue;
            }
            let own = self.lanes[run.lane as usize].run(run, scale, end);
            last = last.max(own);
        }
        last
    }

    /// The members of a junction.
    pub(super) fn gathered(&self, junction: &Run) -> &[Node] {
        let number = self.junction(junction.first);
        number.map(|number| self.junctions.members(number)).unwrap_or_default()
    }
}

impl Lane {
    /// Events that follow one another; returns the last end.
    #[inline]
    fn run(&self, run: &Run, scale: &impl Scale, end: &mut [Time]) -> Time {
        let events = self.events_of(run);
        let mut before = if events.start > 0 { end[run.first as usize - 1] } else { 0 };
        let mut last = 0;
        let (links, rows) = self.columns(events.clone());
        for ((link, row), i) in links.iter().zip(rows).zip(events) {
            // No task starts before 0.
            let mut start = 0;
            if link.follows() {
                let lag = self.order(i, row);
                start = start.max(before + scale.lag(DependenceKind::EngineOrder, lag));
            }
            if row.other != NONE {
                let lag = scale.lag(link.kind(), self.lag(i, row));
                start = start.max(end[row.other as usize] + lag);
            }
            if link.has_more() {
                start = start.max(self.latest_of_more(i, scale, end));
            }
            let node = self.first as usize + i;
            before = start + scale.duration(node as Node, self.duration(i, row));
            end[node] = before;
            last = last.max(before);
        }
        last
    }

    /// The earliest start by what an event waits for besides the two usual dependences.
    #[cold]
    fn latest_of_more(&self, event: usize, scale: &impl Scale, end: &[Time]) -> Time {
        let more = self.more_of(event).iter();
        more.map(|of| end[of.from as usize] + scale.lag(of.kind, of.lag)).max().unwrap_or(0)
    }
}
