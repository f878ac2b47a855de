//! How long each core takes for the same commands, and which cores are slow.

use std::collections::BTreeMap;

use super::rounds::Round;

/// How long the cores take for the same commands: logarithms of their work over that of the usual core of a round.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Speeds {
    /// Usual logarithm of each core, without rounds in which the core was a straggler.
    pub(super) usual: BTreeMap<u32, f64>,
    /// Usual spread of one round, as a logarithm.
    pub(super) spread: f64,
    /// Logarithm of the cores that are not slow.
    pub(super) reference: f64,
    /// Rounds that this is of.
    rounds: usize,
    /// Cores that are slow in the run, with the factor of their times.
    pub(super) slow: Vec<(u32, f64)>,
}

/// With fewer rounds a core counts as slow from [`FEW_ROUNDS_SLOW`] on.
const FEW_ROUNDS: usize = 4;
const FEW_ROUNDS_SLOW: f64 = 0.095;
/// Least logarithm of a slow core: 1.5 %.
const LEAST_SLOW: f64 = 0.015;
/// Standard errors by which slow cores stand out.
const ERRORS: f64 = 4.0;
/// Least logarithm of a straggler in one round, and how many usual spreads it is.
const LEAST_STRAGGLER: f64 = 0.06;
const SPREADS: f64 = 5.0;

impl Speeds {
    /// Measures the speeds in rounds in which all cores ran the same.
    pub(super) fn compute(rounds: &[&Round]) -> Self {
        let mut of_core: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
        for round in rounds {
            let usual = usual_work(round);
            for part in &round.parts {
                let value = (log_over(part.work, usual), usual as f64);
                of_core.entry(part.core).or_default().push(value);
            }
        }
        let kept: BTreeMap<u32, Vec<(f64, f64)>> =
            of_core.into_iter().map(|(core, values)| (core, without_stragglers(values))).collect();
        let usual: BTreeMap<u32, f64> =
            kept.iter().map(|(core, values)| (*core, mean(values))).collect();
        let mut squares: Vec<f64> = kept
            .iter()
            .flat_map(|(core, values)| values.iter().map(move |value| (core, value.0)))
            .map(|(core, value)| (value - usual.get(core).copied().unwrap_or(0.0)).abs())
            .collect();
        let spread = 1.4826 * median(&mut squares);
        let error = spread * (2.0 / rounds.len().max(1) as f64).sqrt();
        let least = if rounds.len() < FEW_ROUNDS {
            FEW_ROUNDS_SLOW
        } else {
            LEAST_SLOW.max(ERRORS * error)
        };
        let (reference, rounds, slow) = (0.0, rounds.len(), Vec::new());
        let mut speeds = Self { usual, spread, reference, rounds, slow };
        speeds.find_slow(least);
        speeds
    }

    /// The fastest cores that are enough to be no exception are the reference; those that are slower by at least `least` are slow.
    fn find_slow(&mut self, least: f64) {
        let mut sorted: Vec<f64> = self.usual.values().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let enough = (sorted.len() / 4).max(1);
        let mut from = 0;
        let mut until = sorted.len();
        for (at, pair) in (1..).zip(sorted.windows(2)) {
            let [before, after] = pair else { continue };
            if after - before > least {
                if at - from >= enough {
                    until = at;
                    break;
                }
                from = at;
            }
        }
        let Some(fast) = sorted.get(from..until) else { return };
        let Some(slowest_usual) = fast.last() else { return };
        self.reference = fast.get((fast.len() - 1) / 2).copied().unwrap_or(0.0);
        let is_slow = |value: f64| value - slowest_usual > least;
        let slow = self.usual.iter().filter(|(_, value)| is_slow(**value));
        self.slow = slow.map(|(core, value)| (*core, (value - self.reference).exp())).collect();
    }

    /// How many times as long as usual a core took for its work in a round, if it was a straggler there.
    pub(super) fn straggler(&self, round: &Round, core: u32, work: i64) -> Option<f64> {
        if self.rounds < FEW_ROUNDS {
            return None;
        }
        let own = self.usual.get(&core).copied().unwrap_or(0.0);
        let late = log_over(work, usual_work(round)) - own;
        (late > LEAST_STRAGGLER.max(SPREADS * self.spread)).then(|| late.exp())
    }

    /// The factor of a core's times; 1 for one that is not slow.
    pub(super) fn factor(&self, core: u32) -> f64 {
        self.slow.iter().find(|(slow, _)| *slow == core).map_or(1.0, |(_, factor)| *factor)
    }
}

/// The lower median of the cores' work in a round, in ns.
fn usual_work(round: &Round) -> i64 {
    let mut work: Vec<i64> = round.parts.iter().map(|part| part.work).collect();
    work.sort_unstable();
    work.get(work.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

fn log_over(work: i64, usual: i64) -> f64 {
    (work.max(1) as f64 / usual.max(1) as f64).ln()
}

/// Values with their weights, without those far above the others: rounds in which the core was a straggler.
fn without_stragglers(mut values: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((middle, spread)) = densest(&values) else { return values };
    let most = middle + LEAST_STRAGGLER.max(SPREADS * spread);
    values.retain(|value| value.0 <= most);
    values
}

/// Share of a core's rounds in which it is taken to be no straggler: of two cores each may be one in almost half of the rounds.
const USUAL: f64 = 0.4;
/// The part of a normal distribution around its middle that has this share is so many standard deviations wide.
const USUAL_WIDTH: f64 = 1.05;

/// Middle and spread of sorted values where they are closest together: the lowest such place, if a higher one is not half as wide.
fn densest(values: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = ((values.len() as f64 * USUAL).ceil() as usize).max(2);
    let ends = |part: &[(f64, f64)]| Some((part.first()?.0, part.last()?.0));
    let mut parts = values.windows(count).filter_map(ends);
    let least = parts.clone().map(|(from, to)| to - from).reduce(f64::min)?;
    let (from, to) = parts.find(|(from, to)| to - from <= 2.0 * least)?;
    Some(((from + to) / 2.0, (to - from) / USUAL_WIDTH))
}

/// Weighted mean.
fn mean(values: &[(f64, f64)]) -> f64 {
    let weight: f64 = values.iter().map(|value| value.1).sum();
    let sum: f64 = values.iter().map(|value| value.0 * value.1).sum();
    if weight > 0.0 { sum / weight } else { 0.0 }
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
