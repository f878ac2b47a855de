//! What is kept of a track's bubbles, of which there is one for most commands: what they cost by cause, and the costliest.

use bigtpu_measure::{EngineTrack, Pause, Pauses};

use super::bubble::Bubble;
use super::costliest::Costliest;
use super::{Cause, CauseCost};

/// What is kept of a track's bubbles.
#[derive(Debug)]
pub struct Bubbles {
    pub(super) costs: Costs,
    pub(super) costliest: Costliest,
}

impl Bubbles {
    /// Nothing so far; the `most` costliest bubbles are kept one by one.
    #[must_use]
    pub fn keeping(most: usize) -> Self {
        Self { costs: Costs::default(), costliest: Costliest::new(most) }
    }
}

impl Pauses for Bubbles {
    #[inline]
    fn add(&mut self, pause: &Pause) {
        let bubble = Bubble::of(pause);
        self.costs.add(&bubble);
        self.costliest.add(bubble);
    }
}

/// What each cause costs a track: bubbles, ns of all of them, ns of the longest.
#[derive(Debug, Default)]
pub(super) struct Costs([(u64, i64, i64); Cause::ALL.len()]);

impl Costs {
    #[inline]
    fn add(&mut self, bubble: &Bubble) {
        let (count, total_ns, max_ns) = &mut self.0[bubble.cause as usize];
        *count += 1;
        *total_ns += bubble.ns();
        *max_ns = bubble.ns().max(*max_ns);
    }

    /// Of the causes that there are.
    pub(super) fn of(self, track: &EngineTrack<'_>) -> Vec<CauseCost> {
        let found = Cause::ALL.into_iter().zip(self.0).filter(|(_, (count, ..))| *count > 0);
        let cost = |(cause, (count, total_ns, max_ns))| CauseCost {
            engine: track.engine_id.engine.name().to_owned(),
            index: track.engine_id.index,
            cause,
            count,
            total_ns,
            max_ns,
        };
        found.map(cost).collect()
    }
}
