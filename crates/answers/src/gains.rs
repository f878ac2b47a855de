//! Gains of advice: the run replayed without the fault.

use std::collections::BTreeMap;

use bigtpu_measure::ratio;
use bigtpu_replay::{Relief, Replay};
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
/// Returns what all together gain, and the runs without a fault whose sentence names no place, each with its rule.
pub(crate) fn replay_gains(
    all: &mut Vec<Advice>,
    replay: Option<&Replay>,
) -> (Option<Together>, Vec<(String, Relief)>) {
    let assumed = replay.and_then(|replay| replay_each(all, replay));
    all.retain(|advice| advice.most().is_none_or(|gain| gain >= LEAST_GAIN));
    sort(all);
    let together = replay.and_then(|replay| together(all, replay, assumed));
    let unplaced = without_place(all);
    for advice in all {
        (advice.relief, advice.bound_ns, advice.doubt) = (None, None, None);
        (advice.floor_ns, advice.beyond_replay_ns) = (0, 0);
    }
    (together, unplaced)
}

/// The run without all faults, if these are the faults that are shown.
struct Assumed {
    /// Advice with a fault, in the order in which they were taken away.
    ids: Vec<String>,
    wall_ns: i64,
}

/// Advice whose fault the replay takes away.
fn faults(all: &[Advice]) -> impl Iterator<Item = (&Advice, &Relief)> {
    all.iter().filter_map(|advice| Some((advice, advice.relief.as_ref()?)))
}

/// The same without what is only a bound.
fn won(all: &[Advice]) -> impl Iterator<Item = (&Advice, &Relief)> {
    faults(all).filter(|(advice, _)| !advice.is_bound)
}

/// Runs without each fault, without what a doubt asks for, and without all faults, side by side.
fn replay_each(all: &mut [Advice], replay: &Replay) -> Option<Assumed> {
    let every: Vec<&Relief> = won(all).map(|(_, relief)| relief).collect();
    let doubts = || faults(all).filter_map(|(advice, _)| advice.doubt.as_ref()?.relief());
    let alone = faults(all).map(|(_, relief)| relief).chain(doubts());
    let mut runs: Vec<Vec<&Relief>> = alone.map(|relief| vec![relief]).collect();
    // Without a second fault there is nothing more to take away.
    let has_several = every.len() > 1;
    runs.extend(has_several.then_some(every));
    let mut walls = replay.walls_without(&runs);
    let all_walls = walls.pop_if(|_| has_several);
    let mut of_doubts = walls.split_off(faults(all).count()).into_iter();
    let measured_ns = replay.measured_ns();
    let saved = |wall_ns: i64| (measured_ns - wall_ns).max(0);
    let with_fault = all.iter_mut().filter(|advice| advice.relief.is_some());
    for (advice, wall_ns) in with_fault.zip(walls) {
        let bound = advice.bound_ns.unwrap_or(measured_ns);
        let gain_ns = saved(wall_ns).min(bound).max(advice.floor_ns.min(measured_ns));
        advice.beyond_replay_ns = gain_ns - saved(wall_ns);
        (advice.gain_ns, advice.gain) = (Some(gain_ns), Some(ratio(gain_ns, measured_ns)));
        advice.replayed = true;
        let Some(doubt) = &advice.doubt else { continue };
        let of_doubt = doubt.relief().and_then(|_| of_doubts.next());
        let saved_ns = of_doubt.map_or(0, saved);
        advice.gain_range_ns = doubt.range(gain_ns, saved_ns, bound.min(measured_ns));
        if let Some(range) = advice.gain_range_ns {
            let sentence = doubt.sentence(range);
            advice.text.push(sentence);
        }
    }
    let ids = won(all).map(|(advice, _)| advice.id.clone()).collect();
    Some(Assumed { ids, wall_ns: all_walls? })
}

impl Assumed {
    /// Whether the same faults are taken away, and to the same effect: times are rounded after each of them, so that their order may
    /// count.
    fn is_without(&self, all: &[Advice]) -> bool {
        let is_same = won(all).map(|(advice, _)| &advice.id).eq(&self.ids);
        let others = won(all).filter(|(_, relief)| !relief.is_of_launch_gaps_only()).count();
        let is_known = |(advice, _): (&Advice, _)| self.ids.contains(&advice.id);
        is_same || others <= 1 && won(all).count() == self.ids.len() && won(all).all(is_known)
    }
}

fn together(all: &[Advice], replay: &Replay, assumed: Option<Assumed>) -> Option<Together> {
    won(all).next()?;
    let saved = || {
        let known = assumed.filter(|assumed| assumed.is_without(all));
        let wall_ns = known.map(|assumed| assumed.wall_ns).or_else(|| {
            let every = won(all).map(|(_, relief)| relief).collect();
            replay.walls_without(&[every]).first().copied()
        });
        (replay.measured_ns() - wall_ns.unwrap_or(replay.measured_ns())).max(0)
    };
    // Of a gain that is known within bounds the most may be won.
    let of_bounds = all.iter().filter(|advice| !advice.is_bound);
    let of_bounds = of_bounds.filter_map(|advice| advice.gain_range_ns);
    let within_bounds = of_bounds.map(|(_, most)| most).max().unwrap_or(0);
    let gains = || won(all).filter_map(|(advice, _)| advice.gain_ns);
    // Without all faults the run is no longer than without one of them; with one fault there is nothing more to replay.
    let greatest = gains().max().unwrap_or(0);
    let gain_ns = if gains().nth(1).is_none() {
        greatest
    } else {
        // What bounds take from a gain, or add to it, they take and add here, too, once at most.
        let beyond: i64 = won(all).map(|(advice, _)| advice.beyond_replay_ns).sum();
        let saved = saved();
        let within = saved.max(greatest).min(most(all));
        within.max((saved + beyond).min(replay.measured_ns()))
    };
    let gain_ns = gain_ns.max(within_bounds);
    Some(Together { gain_ns, gain: ratio(gain_ns, replay.measured_ns()) })
}

/// The sum of all gains: advice of one bound saves no more than that together.
fn most(all: &[Advice]) -> i64 {
    let mut of_bounds: BTreeMap<i64, i64> = BTreeMap::new();
    let mut sum = 0;
    for (advice, _) in won(all) {
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
    use bigtpu_messages::LocalizedText;

    use super::*;

    fn advice(id: &str, gain: Option<f64>) -> Advice {
        Advice {
            id: id.into(),
            text: LocalizedText::default(),
            evidence: Vec::new(),
            gain_ns: gain.map(|gain| (gain * 1e6) as i64),
            gain,
            is_bound: false,
            replayed: false,
            gain_range_ns: None,
            mark: None,
            bound_ns: None,
            floor_ns: 0,
            beyond_replay_ns: 0,
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
        assert_eq!(replay_gains(&mut all, None), (None, Vec::new()));
        let ids: Vec<&str> = all.iter().map(|advice| &*advice.id).collect();
        assert_eq!(ids, ["most", "least", "without gain"]);
    }
}
