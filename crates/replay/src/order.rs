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
    /// Smallest time in ns from the end of an event to the start of the next one; `None` without two events.
    pub(crate) least: Option<i64>,
}

/// More threads than any engine has: a track with more overlaps than that is disordered.
const MOST_LANES: usize = 8;

impl Order {
    pub(crate) fn of(track: &TrackInput<'_>, tolerance: i64) -> Self {
        let before = Vec::with_capacity(track.len());
        let mut order = Self { before, overlaps: 0, least: None };
        // End and last node of each thread, the one used last at the back.
        let mut lanes: Vec<(i64, Node)> = Vec::new();
        let mut last_end = 0;
        for i in 0..track.len() {
            let (start, node) = (track.start(i), track.node(i));
            let fits = |lane: &(i64, Node)| lane.0 <= start + tolerance;
            let lane = match &lanes[..] {
                // Most engines have one.
                [lane] => fits(lane).then_some(0),
                _ => (0..lanes.len()).filter(|l| fits(&lanes[*l])).max_by_key(|l| lanes[*l]),
            };
            let before = match lane {
                Some(lane) => Some(lanes.remove(lane)),
                None if i > 0 => {
                    // It keeps its distance to the event before, which is negative.
                    order.overlaps += 1;
                    Some((last_end, node - 1))
                }
                None => None,
            };
            if let Some((ended, _)) = before {
                order.least = Some(order.least.map_or(start - ended, |l| l.min(start - ended)));
            }
            order.before.push(before.map_or(NONE, |(_, node)| node));
            if lanes.len() == MOST_LANES {
                lanes.remove(0);
            }
            last_end = track.end(i);
            lanes.push((last_end, node));
        }
        order
    }

    /// Number of dependences.
    pub(crate) fn found(&self) -> u64 {
        self.before.len().saturating_sub(1) as u64
    }
}
