//! What becomes of each event in a run without some faults.

use crate::graph::Scaling;
use crate::relief::{Relief, Share};
use crate::replay::Replay;

/// What becomes of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fate {
    /// Its times are multiplied.
    Scaled(Scaling),
    /// Another share.
    Share(Share),
    /// The event does not wait for what only the measured times make a dependence.
    Free,
    /// The event waits for nothing but its own engine.
    Ready,
}

/// A run without some faults.
pub(crate) struct Without {
    /// Whether there are no gaps between launches: nothing else changes them.
    pub(crate) is_without_launch_gaps: bool,
    /// Fates of the events of each lane.
    pub(crate) lanes: Vec<Fates>,
}

/// What becomes of the events of a lane.
#[derive(Default)]
pub(crate) struct Fates {
    /// What becomes of some events, one after the other. Nothing becomes of others.
    pub(crate) parts: Vec<Part>,
    fates: Vec<Fate>,
}

/// Events with the same fates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// Index of the first event.
    pub(crate) first: u32,
    /// Behind the last one.
    pub(crate) end: u32,
    /// Places of the fates, in the order in which they befall the events.
    pub(crate) fates: (u32, u32),
}

/// The fate of some events: index of the first one, behind the last one.
type Run = (u32, u32, Fate);

impl Without {
    pub(crate) fn new(replay: &Replay, faults: &[&Relief]) -> Self {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); replay.tracks.len()];
        for fault in faults {
            if fault.hand_overs {
                free(replay, fault, &mut runs);
            }
            for engine in &fault.engines {
                let known = replay.tracks.iter().position(|(own, _)| *own == engine.engine_id);
                let Some(lane) = known.and_then(|number| runs.get_mut(number)) else { continue };
                let fate = |run: &crate::relief::Run| {
                    (run.first, run.first.saturating_add(run.count), Fate::from_share(run.share))
                };
                lane.extend(engine.runs.iter().map(fate));
            }
        }
        let is_without_launch_gaps = faults.iter().any(|fault| fault.launches);
        Self { is_without_launch_gaps, lanes: runs.into_iter().map(Fates::compute).collect() }
    }
}

/// Nothing waits for what only the measured times make a dependence, except for the events that are kept.
fn free(replay: &Replay, fault: &Relief, runs: &mut [Vec<Run>]) {
    let lanes = replay.tracks_with_lengths().zip(runs);
    for ((engine_id, _, length), runs) in lanes {
        let kept = fault.kept.iter().filter(|(own, _)| *own == engine_id);
        let mut kept: Vec<u32> = kept.map(|(_, event)| *event).collect();
        kept.sort_unstable();
        let mut first = 0;
        for end in kept.into_iter().chain([length as u32]) {
            if first < end {
                runs.push((first, end, Fate::Free));
            }
            first = end.saturating_add(1);
        }
    }
}

impl Fates {
    fn compute(runs: Vec<Run>) -> Self {
        let are_apart = runs.is_sorted_by(|(_, end, _), (next, ..)| end <= next);
        if are_apart {
            let part = |(at, (first, end, _)): (u32, &Run)| Part {
                first: *first,
                end: *end,
                fates: (at, at + 1),
            };
            let parts = (0..).zip(&runs).map(part).collect();
            return Self { parts, fates: runs.into_iter().map(|(.., fate)| fate).collect() };
        }
        let mut bounds: Vec<u32> = runs.iter().flat_map(|(first, end, _)| [*first, *end]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut by_first: Vec<(usize, &Run)> = runs.iter().enumerate().collect();
        by_first.sort_by_key(|(_, (first, ..))| *first);
        let mut coming = by_first.into_iter().peekable();
        // The runs of the present part, by their number: in this order they befall the events.
        let mut now: Vec<(usize, &Run)> = Vec::new();
        let mut found = Self::default();
        for bound in bounds.windows(2) {
            let &[first, end] = bound else { continue };
            now.retain(|(_, run)| run.1 > first);
            while let Some(run) = coming.next_if(|(_, run)| run.0 <= first) {
                if run.1.1 > first {
                    now.push(run);
                }
            }
            now.sort_unstable_by_key(|(number, _)| *number);
            let from = found.fates.len() as u32;
            found.fates.extend(now.iter().map(|(_, run)| run.2));
            if !now.is_empty() {
                found.parts.push(Part { first, end, fates: (from, found.fates.len() as u32) });
            }
        }
        found
    }

    /// The fates at some places.
    #[inline]
    pub(crate) fn get(&self, (first, end): (u32, u32)) -> &[Fate] {
        self.fates.get(first as usize..end as usize).unwrap_or_default()
    }
}

impl Fate {
    fn from_share(share: Share) -> Self {
        if share.is_ready {
            return Self::Ready;
        }
        if share.is_merged || share.idle != 1.0 {
            return Self::Share(share);
        }
        Self::Scaled(Scaling { duration: share.duration.into(), pauses: share.pauses.into() })
    }
}
