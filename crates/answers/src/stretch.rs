//! Stretches of a core's time that a fault makes longer.

use std::ops::Range;

use bigtpu_measure::Model;
use bigtpu_timeline::EngineId;

/// A stretch of a core's time, and what its work would take without a fault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) core: u32,
    /// ns.
    pub(crate) start: i64,
    /// ns.
    pub(crate) end: i64,
    /// What it takes without the fault over what it takes now.
    pub(crate) factor: f64,
    /// Whether its commands are divided among other cores, so that it has fewer, or more, of them; else each takes another time.
    pub(crate) is_divided: bool,
}

/// Shows the work that lies within a stretch of its core to `apply`, as runs of neighbours: engine, indices in its track, the stretch.
pub(crate) fn each_work(
    model: &Model<'_>,
    stretches: &[Stretch],
    mut apply: impl FnMut(EngineId, Range<usize>, &Stretch),
) {
    let mut sorted = stretches.to_vec();
    sorted.sort_by_key(|stretch| (stretch.core, stretch.start));
    for of_core in sorted.chunk_by(|a, b| a.core == b.core) {
        let Some(core) = of_core.first().map(|stretch| stretch.core) else { continue };
        for track in model.core(core) {
            // The stretch that began last, and when the one behind it begins.
            let (mut stretch, mut next_start): (Option<&Stretch>, _) = (None, i64::MIN);
            let mut run = 0..0;
            for event in model.events(track) {
                let is_begun = stretch.is_none_or(|stretch| stretch.start <= event.start);
                if !is_begun || next_start <= event.start {
                    if let Some(stretch) = stretch.filter(|_| !run.is_empty()) {
                        apply(track.engine_id, run, stretch);
                    }
                    run = 0..0;
                    let begun = of_core.partition_point(|stretch| stretch.start <= event.start);
                    stretch = begun.checked_sub(1).and_then(|at| of_core.get(at));
                    next_start = of_core.get(begun).map_or(i64::MAX, |stretch| stretch.start);
                }
                let Some(stretch) = stretch else { continue };
                if event.end > stretch.end || !event.kind.activity.is_work() {
                    continue;
                }
                if event.index != run.end {
                    if !run.is_empty() {
                        apply(track.engine_id, run, stretch);
                    }
                    run = event.index..event.index;
                }
                run.end = event.index + 1;
            }
            if let Some(stretch) = stretch.filter(|_| !run.is_empty()) {
                apply(track.engine_id, run, stretch);
            }
        }
    }
}
