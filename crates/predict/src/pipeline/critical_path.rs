//! The chain of events that determines the makespan.

use serde::Serialize;

use crate::pipeline::event::Event;
use crate::pipeline::timeline::Timeline;

/// A piece of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PathStep {
    /// The event that runs.
    #[serde(flatten)]
    pub event: Event,
    /// Its start.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// Time between the end of the step before (or the beginning) and this start: a transfer, or nothing.
    pub wait: u64,
}

/// The steps from the beginning to the last end. Each starts when the step before it has ended, on the same stage or by
/// what it needs from there; of two such steps the one of the same stage is taken. Where nothing has just ended, it is
/// the result from another stage that arrives: its transfer is the step's wait.
#[must_use]
pub fn critical_path(timeline: &Timeline) -> Vec<PathStep> {
    let layout = timeline.layout;
    let count = timeline.events.len();
    let mut place = vec![usize::MAX; layout.indices()];
    let mut before = vec![usize::MAX; count];
    let mut last_of_stage = vec![usize::MAX; layout.stages as usize];
    for (at, placed) in timeline.events.iter().enumerate() {
        place[layout.index(placed.event)] = at;
        let last = &mut last_of_stage[placed.event.stage as usize];
        before[at] = *last;
        *last = at;
    }
    let mut at = (0..count).max_by_key(|&at| timeline.events[at].end);
    let mut steps = Vec::new();
    while let Some(now) = at {
        let placed = timeline.events[now];
        let is_here = |at: &usize| timeline.events[*at].event.stage == placed.event.stage;
        let needs = layout.needs(placed.event).into_iter().flatten();
        let needs = needs.map(|need| place[layout.index(need)]).filter(|&at| at < now);
        let own = std::iter::once(before[now]).filter(|&at| at < now);
        // Of what ends last; the same stage where there is a choice.
        let latest =
            needs.clone().chain(own).max_by_key(|at| (timeline.events[*at].end, is_here(at)));
        let waits = latest.is_some_and(|at| timeline.events[at].end < placed.start);
        let mut arrivals = needs.filter(|at| waits && !is_here(at));
        let binding = arrivals.next().or(latest);
        let end = binding.map_or(0, |at| timeline.events[at].end);
        let wait = placed.start.saturating_sub(end);
        steps.push(PathStep { event: placed.event, start: placed.start, end: placed.end, wait });
        at = binding;
    }
    steps.reverse();
    steps
}
