//! Gains of advice: the run replayed without the fault.

use std::collections::BTreeMap;
use std::sync::Mutex;

use bigtpu_measure::ratio;
use bigtpu_replay::{Relief, Relieved, Replay};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::advice::{Advice, sort};
use crate::cause_place::without_place;

/// Advice whose gain is a smaller share of the wall time is not given.
const LEAST_GAIN: f64 = 0.005;

/// What all advice together would give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Together {
    /// Wall time in ns that the run would save without all faults whose gains are replayed.
    pub gain_ns: i64,
    /// The same over the wall time.
    pub gain: f64,
}

/// Gives advice its gains and its order: the wall time, less that of the run without the fault. Advice whose fault the
/// replay can't take away, or of a run that can't be replayed, keeps its estimate. Advice that gains almost nothing is
/// left out.
/// Returns what all together gain, and the run without the greatest cause where its sentence names no place.
pub(crate) fn replay_gains(
    all: &mut Vec<Advice>,
    replay: Option<&Replay>,
) -> (Option<Together>, Option<Relief>) {
    let greatest = replay.and_then(|replay| replay_each(all, replay));
    all.retain(|advice| advice.most().is_none_or(|gain| gain >= LEAST_GAIN));
    sort(all);
    let together = replay.and_then(|replay| together(all, replay, greatest));
    let unplaced = without_place(all).cloned();
    for advice in all {
        (advice.relief, advice.bound_ns, advice.doubt) = (None, None, None);
    }
    (together, unplaced)
}

/// The run without the fault of one piece of advice.
struct Greatest<'r> {
    gain_ns: i64,
    id: String,
    run: Relieved<'r>,
}

/// Returns the run without the fault that gains most: it is the first one that all together take away.
fn replay_each<'r>(all: &mut [Advice], replay: &'r Replay) -> Option<Greatest<'r>> {
    let wall_ns = replay.measured_ns();
    let greatest = Mutex::new(None);
    all.par_iter_mut().for_each(|advice| {
        let Some(relief) = &advice.relief else { return };
        let bound = advice.bound_ns.unwrap_or(wall_ns);
        let run = replay.with_all_faults().without(relief);
        let saved = (wall_ns - run.wall_ns()).max(0);
        let gain_ns = saved.min(bound).max(advice.floor_ns.min(wall_ns));
        (advice.gain_ns, advice.gain) = (Some(gain_ns), Some(ratio(gain_ns, wall_ns)));
        advice.replayed = true;
        if let Ok(mut greatest) = greatest.lock() {
            let is_more = |known: &Greatest<'_>| known.gain_ns < gain_ns;
            if greatest.as_ref().is_none_or(is_more) {
                *greatest = Some(Greatest { gain_ns, id: advice.id.clone(), run });
            }
        }
        let Some(doubt) = &advice.doubt else { return };
        advice.gain_range_ns = doubt.range(gain_ns, replay);
        if let Some(range) = advice.gain_range_ns {
            advice.text.push_str(&doubt.sentence(range));
        }
    });
    greatest.into_inner().ok().flatten()
}

fn together<'r>(
    all: &[Advice],
    replay: &'r Replay,
    first: Option<Greatest<'r>>,
) -> Option<Together> {
    let faults = all.iter().filter_map(|advice| Some((advice, advice.relief.as_ref()?)));
    let mut rest = faults.clone();
    let greatest_fault = rest.next()?;
    let first = first.filter(|first| first.id == greatest_fault.0.id).map(|first| first.run);
    let saved = || {
        let run = match first {
            Some(run) => rest.fold(run, |run, (_, fault)| run.without(fault)),
            None => faults.fold(replay.with_all_faults(), |run, (_, fault)| run.without(fault)),
        };
        (replay.measured_ns() - run.wall_ns()).max(0)
    };
    let gains = || all.iter().filter(|advice| advice.replayed).filter_map(|advice| advice.gain_ns);
    // Of a gain that is known within bounds the most may be won.
    let of_bounds = all.iter().filter_map(|advice| advice.gain_range_ns);
    let within_bounds = of_bounds.map(|(_, most)| most).max().unwrap_or(0);
    // Without all faults the run is no longer than without one of them, and no gain is counted twice: with one gain there is
    // nothing to replay.
    let (greatest, most) = (gains().max().unwrap_or(0), most(all));
    let gain_ns = if greatest == most { most } else { saved().max(greatest).min(most) };
    let gain_ns = gain_ns.max(within_bounds);
    Some(Together { gain_ns, gain: ratio(gain_ns, replay.measured_ns()) })
}

/// The most that all of it can save: advice of one bound saves no more than that together.
fn most(all: &[Advice]) -> i64 {
    let mut of_bounds: BTreeMap<i64, i64> = BTreeMap::new();
    let mut sum = 0;
    for advice in all.iter().filter(|advice| advice.replayed) {
        let gain_ns = advice.gain_ns.unwrap_or(0);
        match advice.bound_ns {
            Some(bound) => *of_bounds.entry(bound).or_default() += gain_ns,
            None => sum += gain_ns,
        }
    }
    sum + of_bounds.into_iter().map(|(bound, gains)| gains.min(bound)).sum::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(id: &str, gain: Option<f64>) -> Advice {
        Advice {
            id: id.into(),
            text: String::new(),
            evidence: Vec::new(),
            gain_ns: gain.map(|gain| (gain * 1e6) as i64),
            gain,
            replayed: false,
            gain_range_ns: None,
            mark: None,
            bound_ns: None,
            floor_ns: 0,
            doubt: None,
            relief: None,
        }
    }

    #[test]
    fn advice_that_gains_almost_nothing_is_not_given() {
        let mut all = vec![
            advice("nothing", Some(0.0)),
            advice("54 ns", Some(0.0003)),
            advice("least", Some(LEAST_GAIN)),
            advice("most", Some(0.5)),
            advice("without gain", None),
        ];
        assert_eq!(replay_gains(&mut all, None), (None, None));
        let ids: Vec<&str> = all.iter().map(|advice| &*advice.id).collect();
        assert_eq!(ids, ["most", "least", "without gain"]);
    }
}
