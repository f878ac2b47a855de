//! Since when series of builds are at another level: looked at after each build, with a stated rate of false alarms.

use super::moderate::moderated;
use super::robust::{Variance, cheapest_level, costs, level, level_and_variance, middle};
use crate::diff::student::upper_tail;

/// Builds that are left out where level and noise before a change are measured, and the last builds that are then compared with those before:
/// how many, and which part of the false alarms each number of them may cause. Most of it where four builds have the change.
const LOOKS: [(usize, &[(usize, f64)]); 3] = [
    (4, &[(2, 0.02), (3, 0.18), (4, 0.50)]),
    (8, &[(5, 0.07), (6, 0.06), (8, 0.06)]),
    (16, &[(11, 0.06), (16, 0.05)]),
];
/// The first series, the wall time, has this part of what is left for all.
const FIRST: f64 = 0.3;
/// Roughly, fewer standard deviations are no change.
const ROUGH: f64 = 1.8;
/// Neighbouring looks mostly see the same builds, so the chances of their alarms do not add up: together they are this much rarer than their
/// sum. Measured by simulation (`watch_tests`).
const OVERLAP: f64 = 2.3;
/// Of the allowed false alarms, those of changes that nobody has to stop for.
const FASTER: f64 = 0.25;
/// Builds before a change, at least.
const LEAST_BEFORE: usize = 5;
/// Builds before a change, at most: older ones say less of now.
const MOST_BEFORE: usize = 60;
/// Values this far from the level are outliers.
const FAR: f64 = 4.0;
/// The frequency of outliers is at least this.
const LEAST_OUTLIERS: f64 = 0.01;
/// Noise of a relative value that nothing is below.
const LEAST_DEVIATION: f64 = 0.001;

/// How changes are told from noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch {
    /// The chance that a build of these series has a false alarm.
    pub(super) chance: f64,
    /// The least relative change.
    pub(super) least: f64,
}

/// A change that was found with the last build.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    /// Which series; `None`: what all have in common.
    pub(super) series: Option<usize>,
    /// The first build at the new level.
    pub(super) at: usize,
    /// The relative change, as a difference of logarithms.
    pub(super) size: f64,
    /// How likely it was without a change.
    pub(super) chance: f64,
    /// How many times rarer than allowed.
    pub(super) margin: f64,
}

/// A series in units of its noise, around its level before the last builds.
struct Standard {
    /// Its values from the first build of the level on; NaN where a build has none.
    values: Vec<f64>,
    deviation: f64,
    freedom: f64,
    /// About its level.
    rough: f64,
}

impl Watch {
    /// What changed with the last build. `series`: logarithms of times by build, NaN where a build has none; the first is the one that
    /// counts most. `starts`: the first build of the level that each is at; `common_start`: the same of what all have in common.
    pub(super) fn look(
        &self,
        series: &[Vec<f64>],
        starts: &[usize],
        common_start: usize,
    ) -> Vec<Found> {
        let builds = series.iter().map(Vec::len).max().unwrap_or(0);
        let mut best: Vec<Option<Found>> = vec![None; series.len() + 1];
        for (left_out, windows) in LOOKS {
            // With few builds as many are left out as there may be.
            let left_out = left_out.min(builds.saturating_sub(LEAST_BEFORE));
            let before = builds - left_out;
            if windows.first().is_none_or(|(window, _)| *window > left_out) {
                continue;
            }
            let panel = Panel::of(series, starts, before);
            if panel.series.is_empty() {
                continue;
            }
            let is_alone = panel.series.len() == 1;
            let of_common = if is_alone { 0.0 } else { 0.2 + 0.5 * panel.common_share };
            let others = panel.series.iter().filter(|(number, _)| *number > 0).count();
            let has_first = others < panel.series.len();
            let of_first = match (has_first, others) {
                (false, _) => 0.0,
                (true, 0) => 1.0 - of_common,
                _ => (1.0 - of_common) * FIRST,
            };
            let each = (1.0 - of_common - of_first) / others.max(1) as f64;
            let mut test = |key: Option<usize>, standard: &Standard, part: f64, start: usize| {
                for (window, share) in windows.iter().filter(|(window, _)| *window <= left_out) {
                    let allowed = self.chance * part * share * OVERLAP;
                    let found = self.test(
                        standard,
                        *window,
                        allowed,
                        (panel.outliers, panel.odd_builds),
                        series.len(),
                    );
                    let slot = best.get_mut(key.unwrap_or(series.len()));
                    if let (Some((at, size, chance, margin)), Some(slot)) = (found, slot) {
                        let found = Found { series: key, at: at + start, size, chance, margin };
                        if slot.is_none_or(|old| old.margin < margin) {
                            *slot = Some(found);
                        }
                    }
                }
            };
            for (number, standard) in &panel.series {
                let start = starts.get(*number).copied().unwrap_or(0);
                let part = if *number == 0 { of_first } else { each };
                test(Some(*number), standard, part, start.max(before.saturating_sub(MOST_BEFORE)));
            }
            if !is_alone && let Some(common) = panel.common(common_start) {
                test(None, &common, of_common, 0);
            }
        }
        best.into_iter().flatten().collect()
    }

    /// A change in the last builds of a series: its first build, its size, its chance, and how many times rarer than allowed.
    fn test(
        &self,
        standard: &Standard,
        window: usize,
        allowed: f64,
        (outliers, odd_builds): (f64, f64),
        all: usize,
    ) -> Option<(usize, f64, f64, f64)> {
        let cut = standard.values.len().checked_sub(window)?;
        let (old, last) = standard.values.split_at(cut);
        if last.iter().any(|v| !v.is_finite()) {
            return None;
        }
        // Rough, because most builds end here.
        let typical = middle(last.iter().copied()) - standard.rough;
        if typical.abs() * (window as f64).sqrt() < ROUGH {
            return None;
        }
        // As many outliers one after another must be rare: of any series alone, and of whole builds.
        let run = i32::try_from(window).ok()?;
        let by_outliers = all as f64 * outliers.powi(run) + odd_builds.powi(run);
        if by_outliers > self.chance / 3.0 {
            return None;
        }
        let old: Vec<f64> = old.iter().copied().filter(|v| v.is_finite()).collect();
        let outliers = outliers.max(odd_builds);
        let before = old.len() as f64;
        if old.len() < LEAST_BEFORE {
            return None;
        }
        let from = level(&old, 1.0);
        let (new, cheapest) = cheapest_level(last, outliers);
        let gain = costs(last, from, outliers) - cheapest;
        let z = (2.0 * gain.max(0.0) * before / (before + window as f64)).sqrt();
        let chance = upper_tail(z, standard.freedom);
        let direction = (new - from).signum();
        let allowed = if direction > 0.0 { allowed } else { allowed * FASTER };
        if chance >= allowed {
            let (at, size) = far_run(&standard.values, window, from)?;
            let (size, margin) = (size * standard.deviation, self.chance / 3.0 / by_outliers);
            return (size.abs() >= self.least).then_some((at, size, by_outliers, margin));
        }
        let (at, size) = place(standard, window, direction, outliers);
        let size = size * standard.deviation;
        (size.abs() >= self.least && size.signum() == direction).then_some((
            at,
            size,
            chance,
            allowed / chance,
        ))
    }
}

/// A change after which the noise is larger, so that the last values have no level in common and each looks like an outlier: all of
/// them are far from the level before, on one side. Where it begins, and by how much.
fn far_run(values: &[f64], window: usize, from: f64) -> Option<(usize, f64)> {
    let last = values.get(values.len().checked_sub(window)?..)?;
    let side = (last.first()? - from).signum();
    let is_far = |value: &f64| (value - from) * side > FAR;
    if !last.iter().all(is_far) {
        return None;
    }
    let long = values.iter().rev().take_while(|value| is_far(value)).count();
    let at = values.len() - long;
    Some((at, middle(values.get(at..)?.iter().copied()) - from))
}

/// Where the level of a series changes, and by how much: the cheapest of all places near the last builds.
fn place(standard: &Standard, window: usize, direction: f64, outliers: f64) -> (usize, f64) {
    let values = &standard.values;
    let most = (2 * window + 4).min(values.len().saturating_sub(LEAST_BEFORE));
    let first = values.len().saturating_sub(most);
    let finite =
        |part: &[f64]| part.iter().copied().filter(|v| v.is_finite()).collect::<Vec<f64>>();
    let mut best = (f64::INFINITY, values.len().saturating_sub(window), 0.0);
    for at in first..values.len().saturating_sub(1) {
        let (old, new) = values.split_at(at);
        let (old, new) = (finite(old), finite(new));
        if old.is_empty() || new.is_empty() {
            continue;
        }
        let from = level(&old, 1.0);
        let (to, cheapest) = cheapest_level(&new, outliers);
        let sum = costs(&old, from, outliers) + cheapest;
        if sum < best.0 && (to - from) * direction > 0.0 {
            best = (sum, at, to - from);
        }
    }
    (best.1, best.2)
}

/// All series before the last builds: their noise, and how much of it they have in common.
struct Panel {
    /// By number.
    series: Vec<(usize, Standard)>,
    /// The median series: what all have in common, by build.
    common: Vec<f64>,
    /// ... in units of the series' noise; the typical one.
    deviation: f64,
    /// 1: all noise is common.
    common_share: f64,
    outliers: f64,
    /// Frequency of builds that are outliers as a whole.
    odd_builds: f64,
    before: usize,
}

impl Panel {
    fn of(series: &[Vec<f64>], starts: &[usize], before: usize) -> Self {
        let builds = series.iter().map(Vec::len).max().unwrap_or(0);
        // Relative to the level, in the series' own noise.
        let mut raw: Vec<(usize, usize, Vec<f64>, Variance)> = Vec::new();
        for (number, values) in series.iter().enumerate() {
            let start =
                starts.get(number).copied().unwrap_or(0).max(before.saturating_sub(MOST_BEFORE));
            let Some(own) = values.get(start..) else { continue };
            let known: Vec<f64> = values
                .get(start..before)
                .unwrap_or_default()
                .iter()
                .copied()
                .filter(|v| v.is_finite())
                .collect();
            if known.len() < LEAST_BEFORE {
                continue;
            }
            let (at, mut variance) = level_and_variance(&known);
            variance.variance = variance.variance.max(LEAST_DEVIATION * LEAST_DEVIATION);
            raw.push((number, start, own.iter().map(|v| v - at).collect(), variance));
        }
        let moderate = moderated(&raw.iter().map(|(.., v)| *v).collect::<Vec<_>>());
        let deviations: Vec<f64> = moderate.iter().map(|v| v.variance.sqrt()).collect();
        // What the others have in common, by build and series.
        let mut others: Vec<Vec<f64>> = vec![vec![f64::NAN; builds]; raw.len()];
        let mut common = vec![f64::NAN; builds];
        for build in 0..builds {
            let of =
                |((_, start, own, _), deviation): (&(usize, usize, Vec<f64>, Variance), &f64)| {
                    own.get(build.checked_sub(*start)?).map(|v| v / deviation)
                };
            let at_build: Vec<f64> =
                raw.iter().zip(&deviations).map(|pair| of(pair).unwrap_or(f64::NAN)).collect();
            let mut sorted: Vec<f64> = at_build.iter().copied().filter(|v| v.is_finite()).collect();
            sorted.sort_by(f64::total_cmp);
            if let Some(slot) = common.get_mut(build)
                && let Some(middle) = crate::diff::stat::median(&sorted)
            {
                *slot = middle;
            }
            for (own, others) in at_build.iter().zip(&mut others) {
                if !own.is_finite() || sorted.len() < 2 {
                    continue;
                }
                let at = sorted.partition_point(|v| v < own);
                let rest = |n: usize| {
                    sorted.get(if n < at { n } else { n + 1 }).copied().unwrap_or(f64::NAN)
                };
                let n = sorted.len() - 1;
                if let Some(slot) = others.get_mut(build) {
                    *slot = (rest((n - 1) / 2) + rest(n / 2)) / 2.0;
                }
            }
        }
        // How much of a series' noise the others show: the slope of a regression of all series on the median of their others.
        let (mut products, mut squares, mut residual, mut count) = (0.0, 0.0, 0.0, 0.0);
        for (((_, start, own, _), deviation), others) in raw.iter().zip(&deviations).zip(&others) {
            for (build, value) in (*start..before).zip(own) {
                let (value, other) =
                    (value / deviation, others.get(build).copied().unwrap_or(f64::NAN));
                if value.is_finite() && other.is_finite() {
                    let (value, other) = (value.clamp(-3.0, 3.0), other.clamp(-3.0, 3.0));
                    products += value * other;
                    squares += other * other;
                    residual += value * value;
                    count += 1.0;
                }
            }
        }
        let slope = if squares > 0.0 { products / squares } else { 0.0 };
        let error =
            if squares > 0.0 { (residual / f64::max(count, 1.0) / squares).sqrt() } else { 0.0 };
        let slope = if slope > 2.0 * error { slope.min(1.0) } else { 0.0 };
        // Without what the others show.
        let mut adjusted: Vec<(usize, Vec<f64>, Variance)> = Vec::new();
        for (((number, start, own, variance), _), others) in
            raw.iter().zip(&deviations).zip(&others)
        {
            let index = adjusted.len();
            let deviation = deviations.get(index).copied().unwrap_or(1.0);
            let values: Vec<f64> = own
                .iter()
                .zip(*start..)
                .map(|(v, build)| {
                    let other = others.get(build).copied().filter(|o| o.is_finite()).unwrap_or(0.0);
                    v - slope * other * deviation
                })
                .collect();
            let known: Vec<f64> =
                values.iter().take(before - start).copied().filter(|v| v.is_finite()).collect();
            let (at, mut own_variance) =
                if slope > 0.0 { level_and_variance(&known) } else { (0.0, *variance) };
            own_variance.variance = own_variance.variance.max(LEAST_DEVIATION * LEAST_DEVIATION);
            adjusted.push((*number, values.iter().map(|v| v - at).collect(), own_variance));
        }
        let moderate = moderated(&adjusted.iter().map(|(_, _, v)| *v).collect::<Vec<_>>());
        let (mut far, mut all) = (0.0_f64, 0.0_f64);
        let series: Vec<(usize, Standard)> = adjusted
            .into_iter()
            .zip(moderate)
            .map(|((number, values, _), variance)| {
                let deviation = variance.variance.sqrt();
                let values: Vec<f64> = values.iter().map(|v| v / deviation).collect();
                let old = values
                    .iter()
                    .take(values.len().saturating_sub(builds - before))
                    .filter(|v| v.is_finite());
                for value in old {
                    all += 1.0;
                    far += if value.abs() > FAR { 1.0 } else { 0.0 };
                }
                (number, Standard { values, deviation, freedom: variance.freedom, rough: 0.0 })
            })
            .collect();
        let outliers = ((far + 0.5) / (all + 10.0)).clamp(LEAST_OUTLIERS, 0.2);
        let deviation = middle(deviations.iter().copied());
        let of_builds: Vec<f64> =
            common.iter().take(before).copied().filter(|v| v.is_finite()).collect();
        let (at, variance) = level_and_variance(&of_builds);
        let own = variance.variance.sqrt().max(LEAST_DEVIATION / deviation.max(LEAST_DEVIATION));
        let odd = of_builds.iter().filter(|v| (**v - at).abs() > FAR * own).count() as f64;
        let odd_builds = (odd + 1.0) / (of_builds.len() as f64 + 10.0);
        Self { series, common, deviation, common_share: slope, outliers, odd_builds, before }
    }

    /// What all series have in common as a series.
    fn common(&self, start: usize) -> Option<Standard> {
        let start = start.max(self.before.saturating_sub(MOST_BEFORE));
        let known: Vec<f64> = self
            .common
            .get(start..self.before)?
            .iter()
            .copied()
            .filter(|v| v.is_finite())
            .collect();
        if known.len() < LEAST_BEFORE {
            return None;
        }
        let (at, variance) = level_and_variance(&known);
        let own = variance.variance.sqrt().max(LEAST_DEVIATION / self.deviation);
        let values = self
            .common
            .iter()
            .zip(0..)
            .map(|(v, build)| if build < start { f64::NAN } else { (v - at) / own });
        Some(Standard {
            values: values.collect(),
            deviation: own * self.deviation,
            freedom: variance.freedom,
            rough: 0.0,
        })
    }
}
