//! How much later each event could end.

use bigtpu_sim::{TaskTimes, Time};

use super::Graph;
use crate::dependence::{NONE, Node};

impl Graph {
    /// Returns how many ns later each event could end, all else being equal, before the run takes longer. `end`: when
    /// each node ends in the run without changes; `last`: the last end; `order`: a running order.
    pub(crate) fn slack(&self, order: &[Node], end: &[Time], last: Time) -> TaskTimes {
        TaskTimes::from(&self.slack_of_nodes(order, end, last)[..self.events()])
    }

    /// As [`Graph::slack`]; of a junction, behind the events, when it may end at the latest.
    pub(super) fn slack_of_nodes(&self, order: &[Node], end: &[Time], last: Time) -> Vec<Time> {
        let mut latest = vec![last; self.len()];
        for node in order.iter().rev().copied() {
            let at = node as usize;
            let Some((link, row)) = self.columns.get(node) else {
                self.earlier_of_gathered(node, &mut latest);
                continue;
            };
            // All that waits for the event was visited: its slack is final, and the latest end is not asked for again.
            let until = latest[at];
            latest[at] = until - end[at];
            let times = self.columns.times(node, link, row);
            let start = until - times.duration;
            if link.follows() {
                earlier(&mut latest, node - 1, start - times.order);
            }
            if row.other != NONE {
                earlier(&mut latest, row.other, start - times.lag);
            }
            if link.has_more() {
                self.earlier_of_more(node, start, &mut latest);
            }
        }
        latest
    }

    /// What a junction gathers.
    #[cold]
    #[inline(never)]
    fn earlier_of_gathered(&self, node: Node, latest: &mut [Time]) {
        let until = latest[node as usize];
        self.gathered(node).iter().for_each(|member| earlier(latest, *member, until));
    }

    /// What an event that starts then waits for besides the two usual dependences.
    #[cold]
    #[inline(never)]
    fn earlier_of_more(&self, node: Node, start: Time, latest: &mut [Time]) {
        for more in self.columns.more_of(node) {
            earlier(latest, more.from, start - more.lag);
        }
    }
}

/// A node ends by then at the latest.
#[inline]
fn earlier(latest: &mut [Time], node: Node, until: Time) {
    let latest = &mut latest[node as usize];
    *latest = (*latest).min(until);
}
