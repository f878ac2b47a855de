//! All series of a unit before its last builds: their levels, their noise, and how much of it they have in common.

use super::moderate::moderated;
use super::robust::{Variance, level_and_variance, middle};
use crate::diff::stat::median;

/// Builds before a change, at least.
pub(super) const LEAST_BEFORE: usize = 5;
/// Builds before a change, at most: older ones say less of now.
pub(super) const MOST_BEFORE: usize = 60;
/// Values this far from the level are outliers.
pub(super) const FAR: f64 = 4.0;
/// The frequency of outliers is at least this.
const LEAST_OUTLIERS: f64 = 0.01;
/// Noise of a relative value that nothing is below.
const LEAST_DEVIATION: f64 = 0.001;
/// Standard deviations to which values are cut where it is measured what series have in common.
const CUT: f64 = 3.0;

/// A series in units of its noise, around its level before the last builds.
pub(super) struct Standard {
    /// Its values from the build `start` on; NaN where a build has none.
    pub(super) values: Vec<f64>,
    pub(super) start: usize,
    pub(super) deviation: f64,
    pub(super) freedom: f64,
}

/// All series before the last builds.
pub(super) struct Panel {
    /// Each series with its number.
    pub(super) series: Vec<(usize, Standard)>,
    /// 1: all noise is common.
    pub(super) common_share: f64,
    /// Frequency of outliers of single series.
    pub(super) outliers: f64,
    /// Frequency of builds that are outliers as a whole.
    pub(super) odd_builds: f64,
    /// The median series: what all have in common, by build, in units of the series' noise.
    common: Vec<f64>,
    /// The typical noise of a series.
    deviation: f64,
    before: usize,
}

/// A series around its level before the last builds, as it was measured.
struct Around {
    number: usize,
    start: usize,
    /// From `start` on.
    values: Vec<f64>,
    variance: Variance,
}

impl Around {
    /// `None`: too few builds have it. `start` is the first build of its level, `before` the first of the last builds.
    fn measure(number: usize, values: &[f64], start: usize, before: usize) -> Option<Self> {
        let start = start.max(before.saturating_sub(MOST_BEFORE));
        let known = finite(values.get(start..before)?);
        if known.len() < LEAST_BEFORE {
            return None;
        }
        let (at, variance) = level_and_variance(&known);
        let values = values.get(start..)?.iter().map(|value| value - at).collect();
        Some(Self { number, start, values, variance: bounded(variance) })
    }

    fn value(&self, build: usize) -> Option<f64> {
        let value = self.values.get(build.checked_sub(self.start)?).copied();
        value.filter(|value| value.is_finite())
    }
}

fn finite(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|value| value.is_finite()).collect()
}

fn bounded(variance: Variance) -> Variance {
    Variance { variance: variance.variance.max(LEAST_DEVIATION * LEAST_DEVIATION), ..variance }
}

/// The noise of each series, drawn to that of all.
fn noise(all: &[Around]) -> Vec<Variance> {
    moderated(&all.iter().map(|one| one.variance).collect::<Vec<_>>())
}

/// What series have in common, by build, in units of their noise.
struct Shared {
    /// The median of all.
    all: Vec<f64>,
    /// Median of the other series, by series and build.
    others: Vec<Vec<f64>>,
}

impl Shared {
    fn medians(all: &[Around], deviations: &[f64], builds: usize) -> Self {
        let mut shared =
            Self { all: vec![f64::NAN; builds], others: vec![vec![f64::NAN; builds]; all.len()] };
        for build in 0..builds {
            let own = |(one, deviation): (&Around, &f64)| Some(one.value(build)? / deviation);
            let at_build: Vec<Option<f64>> = all.iter().zip(deviations).map(own).collect();
            let mut sorted: Vec<f64> = at_build.iter().copied().flatten().collect();
            sorted.sort_by(f64::total_cmp);
            if let (Some(slot), Some(middle)) = (shared.all.get_mut(build), median(&sorted)) {
                *slot = middle;
            }
            for (own, others) in at_build.iter().zip(&mut shared.others) {
                let Some(own) = own.filter(|_| sorted.len() > 1) else { continue };
                let at = sorted.partition_point(|value| *value < own);
                let rest = |n: usize| sorted.get(if n < at { n } else { n + 1 }).copied();
                let n = sorted.len() - 1;
                if let (Some(slot), Some(low), Some(high)) =
                    (others.get_mut(build), rest((n - 1) / 2), rest(n / 2))
                {
                    *slot = (low + high) / 2.0;
                }
            }
        }
        shared
    }

    /// How much of a series' noise the others show: the slope of a regression of all series on the median of their others; 0 where it may be
    /// chance.
    fn slope(&self, all: &[Around], deviations: &[f64], before: usize) -> f64 {
        let (mut products, mut squares, mut residual, mut count) = (0.0, 0.0, 0.0, 0.0_f64);
        for ((one, deviation), others) in all.iter().zip(deviations).zip(&self.others) {
            for build in one.start..before {
                let other = others.get(build).copied().filter(|other| other.is_finite());
                let (Some(own), Some(other)) = (one.value(build), other) else { continue };
                let (own, other) = ((own / deviation).clamp(-CUT, CUT), other.clamp(-CUT, CUT));
                products += own * other;
                squares += other * other;
                residual += own * own;
                count += 1.0;
            }
        }
        if squares <= 0.0 {
            return 0.0;
        }
        let (slope, error) = (products / squares, (residual / count.max(1.0) / squares).sqrt());
        if slope > 2.0 * error { slope.min(1.0) } else { 0.0 }
    }
}

impl Panel {
    /// `series`: logarithms by build; `starts`: the first build of the level of each; `before`: the first of the last builds.
    pub(super) fn compute(series: &[Vec<f64>], starts: &[usize], before: usize) -> Self {
        let builds = series.iter().map(Vec::len).max().unwrap_or(0);
        let own = |(number, values): (usize, &Vec<f64>)| {
            Around::measure(number, values, starts.get(number).copied().unwrap_or(0), before)
        };
        let raw: Vec<Around> = series.iter().enumerate().filter_map(own).collect();
        let deviations: Vec<f64> = noise(&raw).iter().map(|v| v.variance.sqrt()).collect();
        let shared = Shared::medians(&raw, &deviations, builds);
        let slope = shared.slope(&raw, &deviations, before);
        let alone = |((one, deviation), others): ((&Around, &f64), &Vec<f64>)| {
            let own = one.values.iter().zip(one.start..).map(|(value, build)| {
                let other = others.get(build).copied().filter(|other| other.is_finite());
                value - slope * other.unwrap_or(0.0) * deviation
            });
            let values: Vec<f64> = own.collect();
            let known = finite(values.get(..before.saturating_sub(one.start))?);
            let (at, variance) = match slope > 0.0 {
                true => level_and_variance(&known),
                false => (0.0, one.variance),
            };
            let values = values.iter().map(|value| value - at).collect();
            Some(Around { values, variance: bounded(variance), ..*one })
        };
        let alone: Vec<Around> =
            raw.iter().zip(&deviations).zip(&shared.others).filter_map(alone).collect();
        let (mut far, mut all) = (0.0_f64, 0.0_f64);
        let noise = noise(&alone);
        let standard = |(one, variance): (Around, Variance)| {
            let deviation = variance.variance.sqrt();
            let values: Vec<f64> = one.values.iter().map(|value| value / deviation).collect();
            let old = finite(values.get(..before.saturating_sub(one.start)).unwrap_or_default());
            all += old.len() as f64;
            far += old.iter().filter(|value| value.abs() > FAR).count() as f64;
            let standard =
                Standard { values, start: one.start, deviation, freedom: variance.freedom };
            (one.number, standard)
        };
        let series: Vec<(usize, Standard)> = alone.into_iter().zip(noise).map(standard).collect();
        let deviation = middle(deviations.iter().copied());
        let known = finite(shared.all.get(..before).unwrap_or_default());
        let (at, variance) = level_and_variance(&known);
        let least = LEAST_DEVIATION / deviation.max(LEAST_DEVIATION);
        let own = variance.variance.sqrt().max(least);
        let odd = known.iter().filter(|value| (**value - at).abs() > FAR * own).count() as f64;
        Self {
            series,
            common_share: slope,
            // As if half an outlier had been among ten more values: few values say little.
            outliers: ((far + 0.5) / (all + 10.0)).clamp(LEAST_OUTLIERS, 0.2),
            odd_builds: (odd + 1.0) / (known.len() as f64 + 10.0),
            common: shared.all,
            deviation,
            before,
        }
    }

    /// What all series have in common as a series, since the build `start`; `None` of a single series, and of too few builds.
    pub(super) fn common(&self, start: usize) -> Option<Standard> {
        if self.series.len() < 2 {
            return None;
        }
        let start = start.max(self.before.saturating_sub(MOST_BEFORE));
        let known = finite(self.common.get(start..self.before)?);
        if known.len() < LEAST_BEFORE {
            return None;
        }
        let (at, variance) = level_and_variance(&known);
        let own = variance.variance.sqrt().max(LEAST_DEVIATION / self.deviation);
        let values = self.common.get(start..)?.iter().map(|value| (value - at) / own).collect();
        let deviation = own * self.deviation;
        Some(Standard { values, start, deviation, freedom: variance.freedom })
    }
}
