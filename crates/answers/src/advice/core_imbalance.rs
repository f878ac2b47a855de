//! One core takes longer than the others.

use super::{Advice, Evidence, at_least};
use crate::balance::{EvenLaunch, Imbalance};
use crate::findings::Findings;
use bigtpu_replay::Relief;

pub(super) const ID: &str = "core-imbalance";

/// Kernels count whose loss is at least this share of the mean of the cores.
const UNEVEN: f64 = 0.1;
/// Least loss of all these kernels, in percent of the wall time.
const LEAST_PERCENT: i64 = 5;
const SHOWN: usize = 3;

fn is_uneven(kernel: &&Imbalance) -> bool {
    kernel.lost_ns as f64 >= UNEVEN * kernel.mean_ns && kernel.lost_ns > 0
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let uneven = findings.imbalances.iter().filter(is_uneven);
    let lost: i64 = uneven.clone().map(|k| k.lost_ns).sum();
    let lost = lost.min(findings.waited_for_one_core());
    if !at_least(lost, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let evidence = uneven.clone().take(SHOWN).flat_map(|k| {
        let place = format!("kernel {} on core {}", k.kernel, k.slowest);
        [
            Evidence::us("work of the slowest core", k.slowest_ns, &place),
            Evidence::us("mean of the cores", k.mean_ns as i64, &place),
            Evidence::us("lost to the slowest core of each round", k.lost_ns, &place),
        ]
    });
    let text = format!(
        "In {} kernels one core works longer than the others: split their work evenly.",
        uneven.clone().count()
    );
    Some(Advice::saving(findings, ID, lost, text, evidence.collect()))
}

/// Launches in which each core works as long as the one that represents all.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    let uneven = findings.imbalances.iter().filter(is_uneven);
    let mut launches: Vec<EvenLaunch> = uneven.flat_map(|kernel| kernel.even.clone()).collect();
    launches.sort_by_key(|launch| (launch.core, launch.start));
    for of_core in launches.chunk_by(|a, b| a.core == b.core) {
        let Some(core) = of_core.first().map(|launch| launch.core) else { continue };
        for track in findings.model.core(core) {
            let events = findings.model.events(track);
            for event in events.filter(|event| event.kind.activity.is_work()) {
                let after = of_core.partition_point(|launch| launch.start <= event.start);
                let launch = after.checked_sub(1).and_then(|at| of_core.get(at));
                if let Some(launch) = launch.filter(|launch| event.end <= launch.end) {
                    relief.scale(track.engine_id, event.index, launch.factor);
                }
            }
        }
    }
    relief
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::planted::Planted;

    fn planted(second: i64) -> Planted {
        let mut planted = Planted::default();
        planted.kernel(0, "matmul", 0, 100);
        planted.work(0, Engine::Tiu, 0, 100);
        planted.kernel(1, "matmul", 0, second);
        planted.work(1, Engine::Tiu, 0, second);
        planted
    }

    #[test]
    fn a_planted_imbalance_is_found() {
        let advice = run(&planted(160), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(60), Some(0.375)));
        assert_eq!(advice.evidence[0].place, "kernel matmul on core 1");
        assert_eq!((advice.evidence[0].value, advice.evidence[1].value), (0.16, 0.13));
    }

    #[test]
    fn balanced_cores_give_no_advice() {
        assert_eq!(run(&planted(100), check), None);
        assert_eq!(run(&planted(105), check), None);
    }
}
