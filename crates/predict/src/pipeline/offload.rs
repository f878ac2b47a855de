//! Activations that the host keeps between a forward and its backward.
//!
//! Each stage has one link to the host and one back. An activation goes after its forward, as soon as the link is free, and
//! comes back as late as its backward allows, the links' other loads considered. One that would not be back in time stays,
//! so that no event is delayed (selective offload: Wan et al., PipeOffload, arXiv 2503.01328).

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::timeline::Timeline;

/// The time that an activation is on the host only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Away {
    /// Stage.
    pub stage: u32,
    /// Chunk.
    pub chunk: u32,
    /// Microbatch.
    pub microbatch: u32,
    /// When it has left the device.
    pub from: u64,
    /// When it begins to come back.
    pub to: u64,
}

/// Activations that can leave without a delay, where each takes so long in each direction; by the end of their forwards.
#[must_use]
pub fn offloaded(timeline: &Timeline, time: u64) -> Vec<Away> {
    let of_phase =
        |phase: Phase| timeline.events.iter().filter(move |placed| placed.event.phase == phase);
    let forward = |event: Event| Event { phase: Phase::Forward, ..event };
    let backwards: HashMap<Event, u64> =
        of_phase(Phase::Backward).map(|placed| (forward(placed.event), placed.start)).collect();
    // Each with the end of its forward and the start of its backward.
    let held = of_phase(Phase::Forward);
    let held = held.filter_map(|own| Some((own.event, own.end, *backwards.get(&own.event)?)));
    let mut held: Vec<(Event, u64, u64)> = held.collect();
    // The last one that is needed comes back last.
    held.sort_unstable_by_key(|&(event, _, needed)| Reverse((needed, event)));
    let stages = timeline.layout.stages as usize;
    let mut free = vec![u64::MAX; stages];
    let mut returns: HashMap<Event, u64> = HashMap::new();
    for &(event, made, needed) in &held {
        let Some(free) = free.get_mut(event.stage as usize) else { continue };
        let Some(start) = needed.min(*free).checked_sub(time) else { continue };
        // What has no time to come back does not use the link.
        if start >= made.saturating_add(time) {
            returns.insert(event, start);
            *free = start;
        }
    }
    held.sort_unstable_by_key(|&(event, made, _)| (made, event));
    let mut free = vec![0; stages];
    let away = held.into_iter().filter_map(|(event, made, _)| {
        let free: &mut u64 = free.get_mut(event.stage as usize)?;
        let from = made.max(*free).saturating_add(time);
        let to = *returns.get(&event)?;
        let Event { stage, chunk, microbatch, .. } = event;
        (from <= to).then(|| {
            *free = from;
            Away { stage, chunk, microbatch, from, to }
        })
    });
    away.collect()
}
