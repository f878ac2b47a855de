//! Engines work in order.
//!
//! SDMA and CDMA run two threads side by side, so that their commands may overlap. Where an event starts before the
//! one before it has ended, it is taken for one of another thread; order holds within each.

use crate::dependence::{NONE, Node};
use crate::input::TrackInput;

/// The order on an engine.
pub(crate) struct Order {
    /// By event the one that its thread ran before; [`NONE`] for the first of all.
    pub(crate) before: Vec<Node>,
    /// Events that overlap the one before them on their engine.
    pub(crate) overlaps: u64,
}

/// More threads than any engine has: a track with more overlaps than that is disordered.
const MOST_LANES: usize = 8;

impl Order {
    pub(crate) fn of(track: &TrackInput<'_>, tolerance: i64) -> Self {
        let before = Vec::with_capacity(track.len());
        let mut order = Self { before, overlaps: 0 };
        // End and last node of each thread, the one used last at the back.
        let mut lanes: Vec<(i64, Node)> = Vec::new();
        for i in 0..track.len() {
            let (start, node) = (track.start(i), track.node(i));
            let fits = |lane: &(i64, Node)| lane.0 <= start + tolerance;
            let lane = match &lanes[..] {
                // Most engines have one.
                [lane] => fits(lane).then_some(0),
                _ => (0..lanes.len()).filter(|l| fits(&lanes[*l])).max_by_key(|l| lanes[*l]),
            };
            let before = match lane {
                Some(lane) => Some(lanes.remove(lane).1),
                None if i > 0 => {
                    // It keeps its distance to the event before, which is negative.
                    order.overlaps += 1;
                    Some(node - 1)
                }
                None => None,
            };
            order.before.push(before.unwrap_or(NONE));
            if lanes.len() == MOST_LANES {
                lanes.remove(0);
            }
            lanes.push((track.end(i), node));
        }
        order
    }

    /// Number of dependences.
    pub(crate) fn found(&self) -> u64 {
        self.before.len().saturating_sub(1) as u64
    }
}
