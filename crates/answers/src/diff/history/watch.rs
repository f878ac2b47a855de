//! Since when series of builds are at another level: looked at after each build, with a stated rate of false alarms.

use super::panel::{LEAST_BEFORE, Panel, Standard};
use super::place::Step;
use super::robust::{cheapest_level, costs, level, middle};
use crate::diff::student::upper_tail;

/// Builds that are left out where level and noise before a change are measured, and the last builds that are then compared with those before:
/// how many, and which part of the false alarms each number of them may cause. Most of it where four builds have the change.
const LOOKS: [(usize, &[(usize, f64)]); 3] = [
    (4, &[(2, 0.02), (3, 0.18), (4, 0.50)]),
    (8, &[(5, 0.07), (6, 0.06), (8, 0.06)]),
    (16, &[(11, 0.06), (16, 0.05)]),
];
/// Part of the false alarms that what all series have in common may cause if no noise is common, and how much is added
/// if all noise is common: then a series alone adds little.
const COMMON: f64 = 0.2;
const COMMON_BY_SHARE: f64 = 0.7;
/// The first series, the wall time, has this part of what is left for all.
const FIRST: f64 = 0.3;
/// Roughly, fewer standard deviations are no change.
const ROUGH: f64 = 1.8;
/// Neighbouring looks mostly see the same builds, so the chances of their alarms do not add up: together they are this much rarer than their
/// sum. Measured by simulation (`simulation_tests`): of many series, of which each has its own part, and of one, which has most of it.
const OVERLAP: f64 = 2.4;
const OVERLAP_OF_ONE: f64 = 3.2;
/// Part of a series' allowed false alarms that changes to a shorter time may cause: nobody has to stop for these.
const FASTER: f64 = 0.25;

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
            let panel = Panel::compute(series, starts, builds - left_out);
            if panel.series.is_empty() {
                continue;
            }
            let common = panel.common(common_start);
            let parts = Parts::divide(&panel);
            let own = panel.series.iter().map(|(number, standard)| (Some(*number), standard));
            for (key, standard) in own.chain(common.iter().map(|common| (None, common))) {
                let usable = windows.iter().filter(|(window, _)| *window <= left_out);
                let found = usable.filter_map(|(window, share)| {
                    let allowed = self.chance * parts.of_series(key) * share;
                    let of_all = common.as_ref().filter(|_| key.is_some());
                    self.test(&panel, (standard, of_all), *window, allowed, series.len())
                });
                let slot = best.get_mut(key.unwrap_or(series.len()));
                let Some(slot) = slot else { continue };
                for found in found {
                    if slot.is_none_or(|old| old.margin < found.margin) {
                        *slot = Some(Found { series: key, ..found });
                    }
                }
            }
        }
        best.into_iter().flatten().collect()
    }

    /// A change in the last builds of a series.
    fn test(
        &self,
        panel: &Panel,
        (standard, common): (&Standard, Option<&Standard>),
        window: usize,
        allowed: f64,
        all: usize,
    ) -> Option<Found> {
        let cut = standard.values.len().checked_sub(window)?;
        let (old, last) = standard.values.split_at(cut);
        if last.iter().any(|v| !v.is_finite()) {
            return None;
        }
        // Roughly, because most builds end here.
        if middle(last.iter().copied()).abs() * (window as f64).sqrt() < ROUGH {
            return None;
        }
        // As many outliers one after another must be rare: of any series alone, and of whole builds.
        let run = i32::try_from(window).ok()?;
        let by_outliers = all as f64 * panel.outliers.powi(run) + panel.odd_builds.powi(run);
        let rare = self.chance / 3.0;
        if by_outliers > rare {
            return None;
        }
        let old: Vec<f64> = old.iter().copied().filter(|v| v.is_finite()).collect();
        let outliers = panel.outliers.max(panel.odd_builds);
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
        let found = |Step { at, size }: Step, chance: f64, margin: f64| {
            let size = size * standard.deviation;
            let is_enough = size.abs() >= self.least;
            is_enough.then_some(Found { series: None, at, size, chance, margin })
        };
        if chance >= allowed {
            return found(standard.far_run(window, from)?, by_outliers, rare / by_outliers);
        }
        let own = standard.step(window, direction, outliers);
        let of_all = common.and_then(|common| standard.step_of_all(own, common, outliers));
        let found = found(of_all.unwrap_or(own), chance, allowed / chance)?;
        (found.size.signum() == direction).then_some(found)
    }
}

/// Which part of the false alarms each series may cause.
struct Parts {
    common: f64,
    first: f64,
    other: f64,
}

impl Parts {
    fn divide(panel: &Panel) -> Self {
        let common = match panel.series.len() {
            1 => 0.0,
            _ => COMMON + COMMON_BY_SHARE * panel.common_share,
        };
        let others = panel.series.iter().filter(|(number, _)| *number > 0).count();
        let first = match (others < panel.series.len(), others) {
            (false, _) => 0.0,
            (true, 0) => 1.0 - common,
            _ => (1.0 - common) * FIRST,
        };
        Self { common, first, other: (1.0 - common - first) / others.max(1) as f64 }
    }

    fn of_series(&self, key: Option<usize>) -> f64 {
        match key {
            None => self.common * OVERLAP_OF_ONE,
            Some(0) if self.common == 0.0 => self.first * OVERLAP_OF_ONE,
            Some(0) => self.first * OVERLAP,
            Some(_) => self.other * OVERLAP,
        }
    }
}
