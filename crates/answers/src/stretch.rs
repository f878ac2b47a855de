//! Stretches of a core's time that a fault makes longer.

use std::ops::Range;

use bigtpu_measure::DumpModel;
use bigtpu_timeline::EngineId;

use crate::by_kind::ByKind;

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
    /// The round whose cores divide their commands among themselves, so that it has fewer, or more, of them; `None`: each takes another time.
    pub(crate) round: Option<u32>,
}

/// Shows the work that lies within a stretch of its core to `apply`, as runs of neighbours: engine, indices in its track, the stretch.
pub(crate) fn each_work(
    model: &DumpModel<'_>,
    stretches: &[Stretch],
    mut apply: impl FnMut(EngineId, Range<usize>, &Stretch),
) {
    let works = ByKind::compute(model, |kind| kind.activity.is_work());
    let mut sorted = stretches.to_vec();
    sorted.sort_by_key(|stretch| (stretch.core, stretch.start));
    for of_core in sorted.chunk_by(|a, b| a.core == b.core) {
        let Some(core) = of_core.first().map(|stretch| stretch.core) else { continue };
        for track in model.core(core) {
            // When the stretch of the event before began, and when the next one begins: none before the first.
            let (mut stretch, mut begun, mut next): (Option<&Stretch>, _, _) =
                (None, i64::MAX, i64::MIN);
            let mut run = 0..0;
            let times = track.events.start.iter().zip(&track.events.end);
            for (index, ((&start, &end), &kind)) in times.zip(&track.columns.kind).enumerate() {
                if start < begun || next <= start {
                    if let Some(stretch) = stretch.filter(|_| !run.is_empty()) {
                        apply(track.engine_id, run, stretch);
                    }
                    run = 0..0;
                    let after = of_core.partition_point(|stretch| stretch.start <= start);
                    stretch = after.checked_sub(1).and_then(|at| of_core.get(at));
                    begun = stretch.map_or(i64::MIN, |stretch| stretch.start);
                    next = of_core.get(after).map_or(i64::MAX, |stretch| stretch.start);
                }
                let Some(stretch) = stretch else { continue };
                let is_within = end.max(start) <= stretch.end;
                if !is_within || !works.of_number(kind as usize).is_some_and(|works| *works) {
                    continue;
                }
                if index != run.end {
                    if !run.is_empty() {
                        apply(track.engine_id, run, stretch);
                    }
                    run = index..index;
                }
                run.end = index + 1;
            }
            if let Some(stretch) = stretch.filter(|_| !run.is_empty()) {
                apply(track.engine_id, run, stretch);
            }
        }
    }
}
