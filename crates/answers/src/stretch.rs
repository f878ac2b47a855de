//! Stretches of a core's time that a fault makes longer.

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

/// Shows the work that lies within a stretch of its core to `apply`: engine, index in its track, the stretch.
pub(crate) fn each_work(
    model: &Model<'_>,
    stretches: &[Stretch],
    mut apply: impl FnMut(EngineId, usize, &Stretch),
) {
    let mut sorted = stretches.to_vec();
    sorted.sort_by_key(|stretch| (stretch.core, stretch.start));
    for of_core in sorted.chunk_by(|a, b| a.core == b.core) {
        let Some(core) = of_core.first().map(|stretch| stretch.core) else { continue };
        for track in model.core(core) {
            // How many stretches have begun: mostly as many as at the event before.
            let mut after = 0;
            for event in model.events(track).filter(|event| event.kind.activity.is_work()) {
                let begun = |at: usize| of_core.get(at).is_some_and(|s| s.start <= event.start);
                if begun(after) || after > 0 && !begun(after - 1) {
                    after = of_core.partition_point(|stretch| stretch.start <= event.start);
                }
                let stretch = after.checked_sub(1).and_then(|at| of_core.get(at));
                if let Some(stretch) = stretch.filter(|stretch| event.end <= stretch.end) {
                    apply(track.engine_id, event.index, stretch);
                }
            }
        }
    }
}
