//! Gains of advice: the run replayed without the fault.

use bigtpu_measure::ratio;
use bigtpu_replay::{Relief, Replay};
use serde::{Deserialize, Serialize};

use crate::advice::{Advice, sort};

/// What all advice together would give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// Wall time in ns that the run would save without all faults whose gains are replayed.
    pub gain_ns: i64,
    /// The same over the wall time.
    pub gain: f64,
}

/// Gives advice its gains and its order: the wall time, less that of the run without the fault. Advice whose fault the
/// replay can't take away, or of a run that can't be replayed, keeps its estimate.
pub(crate) fn replay_gains(all: &mut [Advice], replay: Option<&Replay>) -> Option<Together> {
    let together = replay.and_then(|replay| gains(all, replay));
    for advice in all {
        (advice.relief, advice.is_bound) = (None, false);
    }
    together
}

fn gains(all: &mut [Advice], replay: &Replay) -> Option<Together> {
    let wall_ns = replay.measured_ns();
    let saved = |faults: &[&Relief]| (wall_ns - replay.wall_without(faults.iter().copied())).max(0);
    for advice in all.iter_mut() {
        let Some(relief) = &advice.relief else { continue };
        let bound = advice.gain_ns.filter(|_| advice.is_bound).unwrap_or(wall_ns);
        let gain_ns = saved(&[relief]).min(bound);
        (advice.gain_ns, advice.gain) = (Some(gain_ns), Some(ratio(gain_ns, wall_ns)));
        advice.replayed = true;
    }
    let faults: Vec<&Relief> = all.iter().filter_map(|advice| advice.relief.as_ref()).collect();
    let together = match faults.as_slice() {
        [] => None,
        faults => {
            let gains = all.iter().filter(|advice| advice.replayed);
            let most = gains.filter_map(|advice| advice.gain_ns).sum();
            let gain_ns = saved(faults).min(most);
            Some(Together { gain_ns, gain: ratio(gain_ns, wall_ns) })
        }
    };
    sort(all);
    together
}
