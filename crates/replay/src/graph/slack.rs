//! How much later each event could end.

use bigtpu_sim::{Time, Times};

use super::{Graph, Run};
use crate::dependence::NONE;

impl Graph {
    /// By event how many ns later it could end, all else being equal, before the run takes longer. `end`: when each node ends in the
    /// run without changes; `last`: the last end; `order`: a running order.
    pub(crate) fn slack(&self, order: &[Run], end: &[Time], last: Time) -> Times {
        let mut latest = vec![last; self.len()];
        for run in order.iter().rev() {
            if run.lane == Run::JUNCTION {
                let until = latest[run.first as usize];
                for member in self.gathered(run) {
                    let latest = &mut latest[*member as usize];
                    *latest = (*latest).min(until);
                }
                continue;
            }
            let lane = &self.lanes[run.lane as usize];
            let events = lane.events_of(run);
            let (links, rows) = lane.columns(events.clone());
            // All that waits for an event was visited, but for the one behind it in this run, which gives it the latest end.
            let mut of_next = last;
            let mut node = run.end as usize;
            for ((link, row), i) in links.iter().zip(rows).zip(events.clone()).rev() {
                node -= 1;
                let until = latest[node].min(of_next);
                // Its slack is final; the latest end is not asked for again.
                latest[node] = until - end[node];
                let start = until - lane.duration(i, row);
                of_next = if link.follows() { start - lane.order(i, row) } else { last };
                if row.other != NONE {
                    let latest = &mut latest[row.other as usize];
                    *latest = (*latest).min(start - lane.lag(i, row));
                }
                if link.has_more() {
                    for more in lane.more_of(i) {
                        let latest = &mut latest[more.from as usize];
                        *latest = (*latest).min(start - more.lag);
                    }
                }
            }
            if events.start > 0 {
                let latest = &mut latest[run.first as usize - 1];
                *latest = (*latest).min(of_next);
            }
        }
        Times::from(&latest[..self.events])
    }
}
