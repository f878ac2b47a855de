//! Measured rows: the coefficients that they give, and how far each is off when its family of networks is left out.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::coefficients::Coefficients;
use super::demand::Width;
use super::evidence::{Measured, MeasuredEvidence, Mostly, Residuals};
use super::fit::{FitSample, fit};
use super::pace::Pace;

/// A measured row.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyRow {
    /// What was measured, and what the model asks for.
    pub sample: FitSample,
    /// Networks of one family are alike: they are left out together.
    pub family: String,
    /// Some layers ran in another type, and which is not known.
    pub mixed: bool,
}

/// How much a row of mixed types counts.
const MIXED_WEIGHT: f64 = 0.35;

impl StudyRow {
    /// What the network mostly computes.
    #[must_use]
    pub fn mostly(&self) -> Mostly {
        let FitSample { array, cores, gbps, data_type, demand, .. } = &self.sample;
        let pace = Pace::new(array, *cores, *gbps, *data_type, &Coefficients::guessed());
        Mostly::from_parts(&pace.parts(demand))
    }

    fn group(&self) -> (Measured, Width, Mostly) {
        let FitSample { array, cores, data_type, .. } = &self.sample;
        (Measured::from_chip(array, *cores), Width::from_type(*data_type), self.mostly())
    }
}

/// A family with many rows counts more than one with few, but not in proportion.
fn weighted(rows: &[StudyRow]) -> Vec<FitSample> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(&row.family).or_default() += 1.0);
    let weight = |row: &StudyRow| {
        let of_family = counts.get(row.family.as_str()).map_or(1.0, |count| count.sqrt().recip());
        of_family * if row.mixed { MIXED_WEIGHT } else { 1.0 }
    };
    let sum: f64 = counts.values().map(|count| count.sqrt()).sum();
    let mean = (sum / rows.len().max(1) as f64).max(f64::MIN_POSITIVE);
    rows.iter().map(|row| FitSample { weight: weight(row) / mean, ..row.sample }).collect()
}

/// The coefficients that all rows give.
#[must_use]
pub fn fit_rows(rows: &[StudyRow], from: &Coefficients, freedom: f64) -> Coefficients {
    fit(&weighted(rows), from, freedom)
}

/// Logarithms of expected over measured time, each row by coefficients that its group was not fitted to.
#[must_use]
pub fn left_out<K: Ord + Clone + Send + Sync>(
    rows: &[StudyRow],
    group: impl Fn(&StudyRow) -> K + Sync,
    from: &Coefficients,
    freedom: f64,
) -> Vec<f64> {
    let groups: BTreeSet<K> = rows.iter().map(&group).collect();
    let groups: Vec<K> = groups.into_iter().collect();
    let fits: Vec<(K, Coefficients)> = groups
        .par_iter()
        .map(|out| {
            let kept: Vec<StudyRow> =
                rows.iter().filter(|row| group(row) != *out).cloned().collect();
            (out.clone(), fit_rows(&kept, from, freedom))
        })
        .collect();
    let error = |row: &StudyRow| {
        let own = fits.iter().find(|(out, _)| *out == group(row));
        own.map_or(0.0, |(_, coefficients)| row.sample.error(coefficients))
    };
    rows.iter().map(error).collect()
}

/// Families that a group must have before its own quantiles count as much as those of all rows.
const ENOUGH_FAMILIES: f64 = 3.0;

/// Residuals of all groups, from the errors of rows whose families were left out, and for chips that were not measured
/// from those of rows whose chips were.
#[must_use]
pub fn residuals(rows: &[StudyRow], of_families: &[f64], of_chips: &[f64]) -> Vec<Residuals> {
    let mut all = Vec::new();
    for chip in Measured::ALL {
        let errors = if chip == Measured::Other { of_chips } else { of_families };
        let whole = Quantiles::compute(rows.iter().zip(errors));
        for width in Width::ALL {
            for mostly in Mostly::ALL {
                let is_it = |row: &StudyRow| {
                    let (own, of_width, of_kind) = row.group();
                    (own == chip || chip == Measured::Other)
                        && (of_width, of_kind) == (width, mostly)
                };
                let own: Vec<(&StudyRow, &f64)> =
                    rows.iter().zip(errors).filter(|(row, _)| is_it(row)).collect();
                all.push(of_group((chip, width, mostly), &own, &whole));
            }
        }
    }
    all
}

fn of_group(
    (chip, width, mostly): (Measured, Width, Mostly),
    own: &[(&StudyRow, &f64)],
    whole: &Quantiles,
) -> Residuals {
    let families: BTreeSet<&str> = own.iter().map(|(row, _)| row.family.as_str()).collect();
    let quantiles = Quantiles::compute(own.iter().copied());
    let share = families.len() as f64 / (families.len() as f64 + ENOUGH_FAMILIES);
    let mixed =
        |own: f64, all: f64| if own.is_finite() { share * own + (1.0 - share) * all } else { all };
    let range = [mixed(quantiles.low, whole.low).exp(), mixed(quantiles.high, whole.high).exp()];
    let mut errors: Vec<f64> = own.iter().map(|(_, error)| (error.exp() - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    Residuals {
        chip,
        width,
        mostly,
        rows: own.len() as u32,
        families: families.len() as u32,
        range,
        median_error: errors.get(errors.len() / 2).copied(),
    }
}

/// Logarithms of measured over expected time that one in ten stays below and exceeds. Each family counts once,
/// whatever the number of its rows: the next model is of a family of its own.
struct Quantiles {
    low: f64,
    high: f64,
}

impl Quantiles {
    fn compute<'a>(rows: impl Iterator<Item = (&'a StudyRow, &'a f64)>) -> Self {
        let rows: Vec<(&StudyRow, f64)> = rows.map(|(row, error)| (row, -error)).collect();
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        rows.iter().for_each(|(row, _)| *counts.entry(&row.family).or_default() += 1.0);
        let weight = |row: &StudyRow| counts.get(row.family.as_str()).map_or(1.0, |n| n.recip());
        let mut sorted: Vec<(f64, f64)> =
            rows.iter().map(|(row, error)| (*error, weight(row))).collect();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let sum: f64 = sorted.iter().map(|(_, weight)| weight).sum();
        let at = |share: f64| {
            let mut below = 0.0;
            let found = sorted.iter().find(|(_, weight)| {
                below += weight;
                below >= share * sum
            });
            found.map_or(f64::NAN, |(error, _)| *error)
        };
        Self { low: at(0.1), high: at(0.9) }
    }
}

/// Evidence from the user's own rows: the spread of measured times around times that were expected without each row's
/// family.
#[must_use]
pub fn own_evidence(rows: &[StudyRow], errors: &[f64]) -> MeasuredEvidence {
    let whole = Quantiles::compute(rows.iter().zip(errors));
    let families: BTreeSet<&str> = rows.iter().map(|row| row.family.as_str()).collect();
    let mut distances: Vec<f64> = errors.iter().map(|error| (error.exp() - 1.0).abs()).collect();
    distances.sort_by(f64::total_cmp);
    MeasuredEvidence {
        rows: rows.len() as u32,
        families: families.len() as u32,
        of: "rows of your own".to_owned(),
        median_error: distances.get(distances.len() / 2).copied(),
        ratios: Some([whole.low.exp(), whole.high.exp()]),
        source: "--calibrate".to_owned(),
        is_own: true,
    }
}
