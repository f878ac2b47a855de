//! Gains of advice: the run replayed without the fault.

use std::collections::BTreeMap;

use bigtpu_measure::ratio;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::{Relief, Replay};
use serde::{Deserialize, Serialize};

use crate::advice::doubt::Doubt;
use crate::advice::{Advice, most_of_wall, sort};
use crate::cause_place::without_place;

/// Advice whose gain is a smaller share of the wall time is not given.
const LEAST_GAIN: f64 = 0.005;

/// What all advice together would give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Together {
    /// Wall time in ns that the run would save without all faults whose gains are replayed.
    pub gain_ns: i64,
    /// `gain_ns` over the wall time.
    pub gain: f64,
    /// The least and the most of it in ns, where some gains are known within bounds only; the most has what is only a bound, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub gain_range_ns: Option<(i64, i64)>,
}

impl Together {
    /// The most that all could save over the wall time.
    #[must_use]
    pub fn most(&self) -> f64 {
        most_of_wall(self.gain_ns, self.gain, self.gain_range_ns)
    }
}

/// Gives advice its gains and its order: the wall time, less that of the run without the fault. Advice whose fault the
/// replay can't take away, or of a run that can't be replayed, keeps its estimate. Advice that gains almost nothing is
/// left out.
/// Returns what all together gain, and the runs without a fault whose sentence names no place, each with its rule.
pub(crate) fn replay_gains(
    all: &mut Vec<Advice>,
    replay: Option<&Replay>,
) -> (Option<Together>, Vec<(String, Relief)>) {
    if let Some(replay) = replay {
        replay_each(all, replay);
    }
    all.retain(|advice| advice.most().is_none_or(|gain| gain >= LEAST_GAIN));
    sort(all);
    if let Some(replay) = replay {
        tell_same_time(all, replay);
    }
    let together = replay.and_then(|replay| together(all, replay));
    let unplaced = without_place(all);
    for advice in all {
        (advice.relief, advice.bound_ns, advice.doubt) = (None, None, None);
        (advice.floor_ns, advice.beyond_replay_ns) = (0, 0);
    }
    (together, unplaced)
}

/// Advice whose fault the replay takes away.
fn faults(all: &[Advice]) -> impl Iterator<Item = (&Advice, &Relief)> {
    all.iter().filter_map(|advice| Some((advice, advice.relief.as_ref()?)))
}

/// Advice whose fault the replay takes away, and whose gain is more than a bound.
fn won(all: &[Advice]) -> impl Iterator<Item = (&Advice, &Relief)> {
    faults(all).filter(|(advice, _)| !advice.is_bound)
}

/// Runs without each fault, and without what a doubt asks for, side by side.
fn replay_each(all: &mut [Advice], replay: &Replay) {
    let doubts = || faults(all).filter_map(|(advice, _)| advice.doubt.as_ref()?.relief());
    let alone = faults(all).map(|(_, relief)| vec![relief]);
    let runs: Vec<Vec<&Relief>> = alone.chain(doubts().map(|relief| vec![relief])).collect();
    let mut walls = replay.walls_without(&runs);
    let mut of_doubts = walls.split_off(faults(all).count()).into_iter();
    let measured_ns = replay.measured_ns();
    let saved = |wall_ns: i64| (measured_ns - wall_ns).max(0);
    let with_fault = all.iter_mut().filter(|advice| advice.relief.is_some());
    for (advice, wall_ns) in with_fault.zip(walls) {
        let bound = advice.bound_ns.unwrap_or(measured_ns);
        let replayed = saved(wall_ns);
        let gain_ns = replayed.min(bound).max(advice.floor_ns.min(measured_ns));
        advice.beyond_replay_ns = gain_ns - replayed;
        (advice.gain_ns, advice.gain) = (Some(gain_ns), Some(ratio(gain_ns, measured_ns)));
        advice.replayed = true;
        let Some(doubt) = &advice.doubt else { continue };
        let of_doubt = doubt.relief().and_then(|_| of_doubts.next());
        let saved_ns = of_doubt.map_or(0, saved);
        advice.gain_range_ns = doubt.range(gain_ns, saved_ns, bound, measured_ns);
        if let Some(range) = advice.gain_range_ns {
            advice.most_is_bound = Doubt::most_is_bound(gain_ns, range);
            let sentence = doubt.sentence(range, advice.most_is_bound);
            advice.text.push(sentence);
        }
    }
}

/// A gain of a smaller share of the wall time is not compared with the greatest.
const LEAST_COMPARED: f64 = 0.05;
/// A gain of which no more than this share is left without the greatest cause is mostly the same time.
const MOST_LEFT: f64 = 0.25;

/// Says of a gain that most of it is the time of the greatest one: such as uneven work, where the core with more has small transfers.
fn tell_same_time(all: &mut [Advice], replay: &Replay) {
    let compared: Vec<(usize, &Relief, i64)> = (all.iter().enumerate())
        .filter(|(_, advice)| advice.gain >= Some(LEAST_COMPARED))
        .filter_map(|(at, advice)| Some((at, advice.relief.as_ref()?, advice.gain_ns?)))
        .collect();
    let Some(((first, greatest, greatest_ns), others)) = compared.split_first() else { return };
    let runs: Vec<Vec<&Relief>> =
        others.iter().map(|(_, relief, _)| vec![*greatest, *relief]).collect();
    let walls = replay.walls_without(&runs);
    let left: Vec<(usize, i64)> = (others.iter().zip(walls))
        .map(|(&(at, _, gain_ns), wall_ns)| {
            (at, (replay.measured_ns() - wall_ns - greatest_ns).clamp(0, gain_ns), gain_ns)
        })
        .filter(|(_, left_ns, gain_ns)| *left_ns as f64 <= MOST_LEFT * *gain_ns as f64)
        .map(|(at, left_ns, _)| (at, left_ns))
        .collect();
    let Some(greatest) = all.get(*first).map(|advice| advice.headline.clone()) else { return };
    let greatest = Message::from(greatest);
    for (at, left_ns) in left {
        if let Some(advice) = all.get_mut(at) {
            let is_left = left_ns as f64 >= LEAST_GAIN * replay.measured_ns() as f64;
            advice.beyond_first_ns = Some(if is_left { left_ns } else { 0 });
            let left = Arg::TimeNs(left_ns);
            advice.text.push(if is_left {
                message!("advice-same-time", greatest = greatest.clone(), left = left)
            } else {
                message!("advice-same-time-all", greatest = greatest.clone())
            });
        }
    }
}

/// What is saved without several faults at once, in ns: without all of them, or without all but one, if that is more. Two rules may
/// describe the same loss, each in its own way: of a core that has more commands because they are small, either the number or the size is
/// changed, in the whole run or in each round.
fn saved_without<'a>(
    faults: impl Iterator<Item = (&'a Advice, &'a Relief)>,
    replay: &Replay,
) -> i64 {
    let (gains, faults): (Vec<i64>, Vec<&Relief>) =
        faults.map(|(advice, relief)| (advice.gain_ns.unwrap_or(0), relief)).unzip();
    let saved = |runs: &[Vec<&Relief>]| {
        let least = replay.walls_without(runs).into_iter().min();
        replay.measured_ns() - least.unwrap_or(replay.measured_ns())
    };
    let without_all = saved(std::slice::from_ref(&faults));
    if faults.len() < 2 || without_all >= gains.iter().sum() {
        return without_all;
    }
    let all_but = |left: usize| {
        let others = faults.iter().enumerate().filter(|(at, _)| *at != left);
        others.map(|(_, relief)| *relief).collect()
    };
    let apart: Vec<(usize, Relief)> = (faults.iter().enumerate())
        .filter_map(|(at, relief)| Some((at, relief.without_rounds_of(&faults)?)))
        .collect();
    let mut runs: Vec<Vec<&Relief>> = (0..faults.len()).map(all_but).collect();
    if !apart.is_empty() {
        let mut round_by_round = faults.clone();
        for (at, relief) in &apart {
            round_by_round.get_mut(*at).into_iter().for_each(|own| *own = relief);
        }
        runs.push(round_by_round);
    }
    without_all.max(saved(&runs))
}

fn together(all: &[Advice], replay: &Replay) -> Option<Together> {
    let measured_ns = replay.measured_ns();
    let gains = || won(all).filter_map(|(advice, _)| advice.gain_ns);
    // Without all faults the run is no longer than without one of them; with one fault there is nothing more to replay.
    let greatest = gains().max()?;
    let gain_ns = if gains().nth(1).is_none() {
        greatest
    } else {
        let saved = saved_without(won(all), replay);
        // What bounds take from a gain, or add to it, they take and add here, too, once at most.
        let beyond: i64 = won(all).map(|(advice, _)| advice.beyond_replay_ns).sum();
        let within = saved.max(greatest).min(most(all));
        within.max((saved + beyond).min(measured_ns))
    };
    Some(Together {
        gain_ns,
        gain: ratio(gain_ns, measured_ns),
        gain_range_ns: range(all, gain_ns, replay),
    })
}

/// The least and the most that all together gain, where gains are known within bounds only, or more is a bound; `None` where both are
/// the gain.
fn range(all: &[Advice], gain_ns: i64, replay: &Replay) -> Option<(i64, i64)> {
    let known =
        || won(all).filter_map(|(advice, _)| Some((advice.gain_ns?, advice.gain_range_ns?)));
    let less: i64 = known().map(|(gain, (least, _))| gain - least).sum();
    let more: i64 = known().map(|(gain, (_, most))| most - gain).sum();
    // Of a gain without bounds all is sure.
    let sure = won(all).filter_map(|(advice, _)| match advice.gain_range_ns {
        Some((least, _)) => Some(least),
        None => advice.gain_ns,
    });
    let least = (gain_ns - less).max(sure.max()?);
    let has_bounds = faults(all).any(|(advice, _)| advice.is_bound);
    let with_bounds = has_bounds.then(|| saved_without(faults(all), replay));
    let most = (with_bounds.unwrap_or(0).max(gain_ns) + more).min(replay.measured_ns());
    (least < gain_ns || gain_ns < most).then_some((least, most))
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
            headline: LocalizedText::default(),
            text: LocalizedText::default(),
            evidence: Vec::new(),
            gain_ns: gain.map(|gain| (gain * 1e6) as i64),
            gain,
            is_bound: false,
            is_estimate: false,
            replayed: false,
            gain_range_ns: None,
            beyond_first_ns: None,
            most_is_bound: false,
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
