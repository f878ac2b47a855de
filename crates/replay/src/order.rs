//! Engines work in order.
//!
//! SDMA and CDMA run two threads side by side, so that their commands may overlap. Where an event starts before the
//! one before it has ended, it is taken for one of another thread; order holds within each.

use crate::dependence::{DependenceKind, Node};
use crate::edges::EdgeList;
use crate::input::{Input, TrackInput};

/// The order on all engines.
pub(crate) struct Order {
    pub(crate) edges: EdgeList,
    /// Events that overlap the one before them on their engine.
    pub(crate) overlaps: u64,
}

/// More threads than any engine has: a track with more overlaps than that is disordered.
const MOST_LANES: usize = 8;

impl Order {
    pub(crate) fn of(input: &Input<'_>) -> Self {
        let mut order = Self { edges: EdgeList::new(DependenceKind::EngineOrder), overlaps: 0 };
        for track in &input.tracks {
            order.track(track, input.tolerance);
        }
        order
    }

    fn track(&mut self, track: &TrackInput<'_>, tolerance: i64) {
        // End and last node of each thread, the one used last at the back.
        let mut lanes: Vec<(i64, Node)> = Vec::new();
        for i in 0..track.len() {
            let (start, node) = (track.start[i], track.node(i));
            let fits = |lane: &(i64, Node)| lane.0 <= start + tolerance;
            let lane = (0..lanes.len()).filter(|l| fits(&lanes[*l])).max_by_key(|l| lanes[*l]);
            match lane {
                Some(lane) => {
                    self.edges.push(lanes[lane].1, node);
                    lanes.remove(lane);
                }
                None if i > 0 => {
                    // It keeps its distance to the event before, which is negative.
                    self.overlaps += 1;
                    self.edges.push(node - 1, node);
                }
                None => {}
            }
            if lanes.len() == MOST_LANES {
                lanes.remove(0);
            }
            lanes.push((track.end(i), node));
        }
    }
}
