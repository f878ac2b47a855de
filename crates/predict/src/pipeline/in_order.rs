//! Simulation of stages that each run a fixed sequence of events.

use crate::pipeline::cost::CostTable;
use crate::pipeline::event::Event;
use crate::pipeline::layout::Layout;
use crate::pipeline::link::{Links, Transfers};
use crate::pipeline::timeline::{Placed, Timeline};

/// Nothing has arrived yet.
const MISSING: u64 = u64::MAX;

/// Runs the sequences: an event starts when its stage is free and the results that it needs have arrived.
///
/// # Errors
/// The first event that can never start, when the sequences wait for each other.
pub(crate) fn simulate(
    layout: Layout,
    sequences: &[Vec<Event>],
    costs: &CostTable,
    transfers: Transfers,
) -> Result<Timeline, Event> {
    let mut links = Links::new(layout, transfers);
    // End of each event on its own stage, and arrival of what comes to it from the part before it on its way.
    let mut end = vec![MISSING; layout.indices()];
    let mut arrival = vec![MISSING; layout.indices()];
    let mut next = vec![0_usize; sequences.len()];
    let mut free = vec![0_u64; sequences.len()];
    let mut placed = Vec::with_capacity(sequences.iter().map(Vec::len).sum());
    let mut awake: Vec<usize> = (0..sequences.len()).rev().collect();
    while let Some(stage) = awake.pop() {
        let Some(sequence) = sequences.get(stage) else { continue };
        while let Some(&event) = sequence.get(next[stage]) {
            let Some(ready) = ready(layout, event, &end, &arrival) else { break };
            let start = ready.max(free[stage]);
            let stop = start + costs.get(event.stage, event.chunk).of(event.phase);
            end[layout.index(event)] = stop;
            free[stage] = stop;
            next[stage] += 1;
            placed.push(Placed { event, start, end: stop });
            if let Some((receiver, at)) = links.send(event, stop) {
                arrival[layout.index(receiver)] = at;
                let other = receiver.stage as usize;
                let waits = |&event: &Event| event == receiver;
                if other != stage
                    && sequences.get(other).and_then(|s| s.get(next[other])).is_some_and(waits)
                {
                    awake.push(other);
                }
            }
        }
    }
    let stuck = sequences.iter().zip(&next).find_map(|(sequence, &next)| sequence.get(next));
    match stuck {
        Some(&event) => Err(event),
        None => Ok(Timeline::new(layout, placed)),
    }
}

/// When all that the event needs is there; `None` while something is missing.
pub(crate) fn ready(layout: Layout, event: Event, end: &[u64], arrival: &[u64]) -> Option<u64> {
    let mut ready = 0;
    for need in layout.needs(event).into_iter().flatten() {
        let time = if need.phase == event.phase {
            arrival.get(layout.index(event))
        } else {
            end.get(layout.index(need))
        };
        ready = ready.max(*time.filter(|&&time| time != MISSING)?);
    }
    Some(ready)
}
