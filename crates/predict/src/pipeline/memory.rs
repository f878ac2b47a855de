//! Memory of each stage over time.

use crate::pipeline::event::Phase;
use crate::pipeline::offload::offloaded;
use crate::pipeline::timeline::Timeline;

/// What the events of a stage add to its memory, in bytes. A forward adds at its start, a backward and a weight gradient
/// change it at their ends (negative: they release).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageMemory {
    /// Added by a forward.
    pub fwd: i64,
    /// Change by a backward.
    pub bwd: i64,
    /// Change by a weight gradient.
    pub wgt: i64,
    /// Time that what a forward added takes to the host, and as much back; `None`: it stays.
    pub offload: Option<u64>,
}

impl StageMemory {
    /// What a forward takes is released by the last event of its microbatch, where nothing else is said.
    #[must_use]
    pub fn complete(fwd: i64, bwd: Option<i64>, wgt: Option<i64>, split: bool) -> Self {
        let (bwd, wgt) = match (bwd, wgt) {
            (Some(bwd), Some(wgt)) => (bwd, wgt),
            (Some(bwd), None) => (bwd, fwd.saturating_add(bwd).saturating_neg()),
            (None, Some(wgt)) => (fwd.saturating_add(wgt).saturating_neg(), wgt),
            (None, None) => (0, fwd.saturating_neg()),
        };
        if split {
            Self { fwd, bwd, wgt, offload: None }
        } else {
            Self { fwd, bwd: bwd.saturating_add(wgt), wgt: 0, offload: None }
        }
    }
}

/// The memory of a stage: each point is a time and the bytes held from then on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryCurve {
    /// Times and bytes, by time.
    pub points: Vec<(u64, i64)>,
}

impl MemoryCurve {
    /// The most bytes held.
    #[must_use]
    pub fn peak(&self) -> i64 {
        self.points.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0).max(0)
    }
}

/// The curve of each stage. Chunks that a microbatch passes share the memory of a stage's microbatch evenly.
#[must_use]
pub fn memory_curves(timeline: &Timeline, memory: StageMemory) -> Vec<MemoryCurve> {
    let layout = timeline.layout;
    let chunks = i64::from(layout.passed_chunks().max(1));
    let part = |bytes: i64, chunk: i64| bytes * (chunk + 1) / chunks - bytes * chunk / chunks;
    let mut changes: Vec<Vec<(u64, i64)>> = vec![Vec::new(); timeline.layout.stages as usize];
    for placed in &timeline.events {
        let (time, bytes) = match placed.event.phase {
            Phase::Forward => (placed.start, memory.fwd),
            Phase::Backward => (placed.end, memory.bwd),
            Phase::Weight => (placed.end, memory.wgt),
        };
        if let Some(changes) = changes.get_mut(placed.event.stage as usize) {
            let chunk = placed.event.chunk % layout.passed_chunks().max(1);
            changes.push((time, part(bytes, i64::from(chunk))));
        }
    }
    let time = memory.offload.map(|time| time.div_ceil(u64::from(layout.passed_chunks().max(1))));
    for away in time.map(|time| offloaded(timeline, time)).unwrap_or_default() {
        let bytes = part(memory.fwd, i64::from(away.chunk % layout.passed_chunks().max(1)));
        if let Some(changes) = changes.get_mut(away.stage as usize) {
            changes.extend([(away.from, -bytes), (away.to, bytes)]);
        }
    }
    changes.into_iter().map(curve).collect()
}

fn curve(mut changes: Vec<(u64, i64)>) -> MemoryCurve {
    // Releases of an instant go first.
    changes.sort_unstable();
    let mut points: Vec<(u64, i64)> = Vec::new();
    let mut held = 0_i64;
    for (time, change) in changes {
        held = held.saturating_add(change);
        match points.last_mut() {
            Some(last) if last.0 == time => last.1 = held,
            _ => points.push((time, held)),
        }
    }
    MemoryCurve { points }
}
