//! Engines work in order.
//!
//! SDMA and CDMA run two threads side by side, so that their commands may overlap. Where an event starts before the
//! one before it has ended, it is taken for one of another thread; order holds within each.

use crate::dependence::{NONE, Node};
use crate::input::TrackInput;

/// The order on an engine.
pub(crate) struct Order {
    /// The event before on the same thread, by event; [`NONE`] for the first of all. Empty where each event follows the
    /// one before it.
    threads: Vec<Node>,
    /// Node of the first event, and their number.
    first: Node,
    events: usize,
    /// Events that overlap the one before them on their engine.
    pub(crate) overlaps: u64,
}

/// More threads than any engine has: a track with more overlaps than that is disordered.
const MOST_LANES: usize = 8;

impl Order {
    pub(crate) fn find(track: &TrackInput<'_>, tolerance: i64) -> Self {
        let events = track.len();
        let mut order = Self { threads: Vec::new(), first: track.first, events, overlaps: 0 };
        let mut ended = i64::MIN;
        let overlaps =
            |(start, end): (i64, i64)| std::mem::replace(&mut ended, end) > start + tolerance;
        // Most engines have one thread.
        let overlap = track.times(0..events).position(overlaps);
        let Some(overlap) = overlap else { return order };
        order.threads.reserve_exact(events);
        order.threads.push(NONE);
        order.threads.extend((1..overlap).map(|i| track.node(i - 1)));
        // End and last node of each thread, the one used last at the back.
        let mut lanes = vec![(track.end(overlap - 1), track.node(overlap - 1))];
        for i in overlap..events {
            let (start, node) = (track.start(i), track.node(i));
            let fits = |lane: &(i64, Node)| lane.0 <= start + tolerance;
            let lane = match &lanes[..] {
                [lane] => fits(lane).then_some(0),
                _ => (0..lanes.len()).filter(|l| fits(&lanes[*l])).max_by_key(|l| lanes[*l]),
            };
            let before = match lane {
                Some(lane) => lanes.remove(lane).1,
                None => {
                    // It keeps its distance to the event before, which is negative.
                    order.overlaps += 1;
                    node - 1
                }
            };
            order.threads.push(before);
            if lanes.len() == MOST_LANES {
                lanes.remove(0);
            }
            lanes.push((track.end(i), node));
        }
        order
    }

    /// The event that the thread of event `i` ran before it; `None` for the first of all.
    #[inline]
    pub(crate) fn predecessor(&self, i: usize) -> Option<Node> {
        match self.threads.get(i) {
            Some(node) => Some(*node).filter(|node| *node != NONE),
            None => Some(self.first + i.checked_sub(1)? as Node),
        }
    }

    /// Whether each event follows the one before it.
    pub(crate) fn follows(&self) -> bool {
        self.threads.is_empty()
    }

    /// Number of dependences.
    pub(crate) fn found(&self) -> u64 {
        self.events.saturating_sub(1) as u64
    }
}
