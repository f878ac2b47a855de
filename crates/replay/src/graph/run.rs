//! Runs the graph: one pass over the nodes in a running order.

use bigtpu_sim::Time;

use super::{Graph, Lane, LaneTimes, Run};
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
    /// Runs the graph with these times, each changed by `scale`, and writes when each node ends to `end`, whose memory is used again.
    /// Returns the last end.
    pub(crate) fn run(&self, times: &[LaneTimes], scale: &impl Scale, end: &mut Vec<Time>) -> Time {
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
                let members = self.junction(run.first).map(|n| self.junctions.members(n));
                let ends = members.unwrap_or_default().iter().map(|member| end[*member as usize]);
                // No node ends before 0.
                end[run.first as usize] = ends.fold(0, Time::max);
                continue;
            }
            let own = self.run_lane(run, &times[run.lane as usize], scale, end);
            last = last.max(own);
        }
        last
    }

    /// Events that follow one another; returns the last end.
    #[inline]
    fn run_lane(&self, run: &Run, times: &LaneTimes, scale: &impl Scale, end: &mut [Time]) -> Time {
        let lane = &self.lanes[run.lane as usize];
        let from = (run.first - lane.first) as usize;
        let mut before = if from > 0 { end[run.first as usize - 1] } else { 0 };
        let mut last = 0;
        let columns = lane.columns(times, run).enumerate();
        for (at, ((((link, other), order), lag), duration)) in columns {
            let i = from + at;
            // No task starts before 0.
            let mut start = 0;
            if link.follows() {
                let lag = times.order.time(i, *order);
                start = start.max(before + scale.lag(DependenceKind::EngineOrder, lag));
            }
            if *other != NONE {
                let lag = scale.lag(link.kind(), times.other.time(i, *lag));
                start = start.max(end[*other as usize] + lag);
            }
            if link.has_more() {
                start = start.max(self.latest_of_more(lane, i, times, scale, end));
            }
            let node = lane.first as usize + i;
            before = start + scale.duration(node as Node, times.duration.time(i, *duration));
            end[node] = before;
            last = last.max(before);
        }
        last
    }

    /// The earliest start by what an event waits for besides the two usual dependences.
    #[cold]
    fn latest_of_more(
        &self,
        lane: &Lane,
        event: usize,
        times: &LaneTimes,
        scale: &impl Scale,
        end: &[Time],
    ) -> Time {
        let start = |at: usize| {
            let more = &lane.more[at];
            end[more.from as usize] + scale.lag(more.kind, times.more[at])
        };
        lane.more_of(event).map(start).max().unwrap_or(0)
    }
}
