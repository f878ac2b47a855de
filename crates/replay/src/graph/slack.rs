//! How much later each event could end.

use bigtpu_sim::{Time, Times};

use super::{Graph, Run};
use crate::dependence::NONE;

impl Graph {
    /// By event how many ns later it could end, all else being equal, before the run takes longer. `end`: when each node ends in the
    /// run without changes; `last`: the last end.
    pub(crate) fn slack(&self, end: &[Time], last: Time) -> Times {
        let mut latest = vec![last; self.len()];
        for run in self.order.iter().rev() {
            if run.lane == Run::JUNCTION {
                let until = latest[run.first as usize];
                let members = self.junction(run.first).map(|n| self.junctions.members(n));
                for member in members.unwrap_or_default() {
                    let latest = &mut latest[*member as usize];
                    *latest = (*latest).min(until);
                }
                continue;
            }
            let (lane, times) = (&self.lanes[run.lane as usize], &self.times[run.lane as usize]);
            // All that waits for an event was visited, but for the one behind it in this run, which gives it the latest end.
            let mut of_next = last;
            let from = (run.first - lane.first) as usize;
            let columns = lane.columns(times, run).enumerate().rev();
            for (at, ((((link, other), order), lag), duration)) in columns {
                let i = from + at;
                let node = lane.first as usize + i;
                let until = latest[node].min(of_next);
                // Its slack is final; the latest end is not asked for again.
                latest[node] = until - end[node];
                let start = until - times.duration.time(i, *duration);
                of_next = if link.follows() { start - times.order.time(i, *order) } else { last };
                if *other != NONE {
                    let latest = &mut latest[*other as usize];
                    *latest = (*latest).min(start - times.other.time(i, *lag));
                }
                if link.has_more() {
                    for at in lane.more_of(i) {
                        let latest = &mut latest[lane.more[at].from as usize];
                        *latest = (*latest).min(start - times.more[at]);
                    }
                }
            }
            if from > 0 {
                let latest = &mut latest[run.first as usize - 1];
                *latest = (*latest).min(of_next);
            }
        }
        latest.into_iter().take(self.events).collect()
    }
}
