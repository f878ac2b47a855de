//! Fits coefficients to measured times: least squares of logarithms, where each coefficient is held near its guess.
//!
//! Few numbers, many rows, and a guess for each with the reason for it: what the rows do not tell keeps its guess.

use bigtpu_machine::{Array, DataType};

use super::coefficients::{Coefficients, PARAMETERS};
use super::demand::Demand;
use super::pace::Pace;

/// A measured execution of a model, and what the model asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitSample {
    /// What all operators ask for.
    pub demand: Demand,
    /// Units of a core.
    pub array: Array,
    /// Cores that ran.
    pub cores: u32,
    /// Bandwidth of main memory, in bytes a ns.
    pub gbps: f64,
    /// Type of the elements.
    pub data_type: DataType,
    /// Measured time.
    pub ns: f64,
    /// How much the row counts.
    pub weight: f64,
}

impl FitSample {
    /// The expected time in ns.
    #[must_use]
    pub fn expected(&self, coefficients: &Coefficients) -> f64 {
        let pace = self.pace(coefficients);
        pace.parts(&self.demand).together() + pace.start()
    }

    fn pace(&self, coefficients: &Coefficients) -> Pace {
        Pace::new(&self.array, self.cores, self.gbps, self.data_type, coefficients)
    }

    /// Whether both ran on the same cores with elements of the same type.
    fn runs_like(&self, other: &Self) -> bool {
        let of = |own: &Self| (own.array, own.cores, own.gbps, own.data_type);
        of(self) == of(other)
    }

    /// Logarithm of expected over measured time.
    #[must_use]
    pub fn error(&self, coefficients: &Coefficients) -> f64 {
        (self.expected(coefficients) / self.ns).ln()
    }
}

/// Errors beyond this one count in proportion, not squared: single rows of another network are no reason to move all.
const ROBUST: f64 = 0.15;
/// Steps of the fit: it is at rest long before.
const MOST_STEPS: usize = 40;

/// The coefficients that the samples give. Each stays near its value in `from`, as far as its `spread`, times `freedom`.
#[must_use]
pub fn fit(samples: &[FitSample], from: &Coefficients, freedom: f64) -> Coefficients {
    let start: Vec<f64> = from.values.iter().map(|value| value.ln()).collect();
    let spreads: Vec<f64> = PARAMETERS.iter().map(|own| own.spread * freedom).collect();
    let mut at = start.clone();
    let mut cost = cost(samples, &at, &start, &spreads);
    let mut damping = 1e-3;
    for _ in 0..MOST_STEPS {
        let (matrix, vector) = normal_equations(samples, &at, &start, &spreads);
        let mut better = false;
        for _ in 0..8 {
            let Some(step) = solved(damped(&matrix, damping), vector.clone()) else { break };
            let next: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at - step).collect();
            let found = self::cost(samples, &next, &start, &spreads);
            if found < cost {
                better = cost - found > 1e-9 * cost;
                (at, cost) = (next, found);
                damping = (damping / 4.0_f64).max(1e-9);
                break;
            }
            damping *= 6.0;
        }
        if !better {
            break;
        }
    }
    coefficients(&at)
}

fn coefficients(logs: &[f64]) -> Coefficients {
    let mut made = Coefficients::guessed();
    made.values.iter_mut().zip(logs).for_each(|(value, log)| *value = log.exp());
    made
}

/// Squared near 0, linear further out.
fn robust(error: f64) -> f64 {
    2.0 * ((1.0 + (error / ROBUST).powi(2)).sqrt() - 1.0)
}

/// Errors of all samples. Samples of the same cores and type have one pace.
fn errors(samples: &[FitSample], coefficients: &Coefficients) -> Vec<f64> {
    let mut paces: Vec<(&FitSample, Pace)> = Vec::new();
    let mut all = Vec::with_capacity(samples.len());
    for sample in samples {
        let known = paces.iter().find(|(own, _)| own.runs_like(sample)).map(|(_, pace)| *pace);
        let pace = known.unwrap_or_else(|| {
            let pace = sample.pace(coefficients);
            paces.push((sample, pace));
            pace
        });
        let expected = pace.parts(&sample.demand).together() + pace.start();
        all.push((expected / sample.ns).ln());
    }
    all
}

fn cost(samples: &[FitSample], at: &[f64], start: &[f64], spreads: &[f64]) -> f64 {
    let errors = errors(samples, &coefficients(at));
    let rows: f64 =
        samples.iter().zip(errors).map(|(sample, error)| sample.weight * robust(error)).sum();
    let held = at.iter().zip(start).zip(spreads).map(|((at, start), s)| ((at - start) / s).powi(2));
    rows + held.sum::<f64>()
}

type Matrix = Vec<Vec<f64>>;

/// Normal equations of the Gauss-Newton method, with the slope of each error by differences.
fn normal_equations(
    samples: &[FitSample],
    at: &[f64],
    start: &[f64],
    spreads: &[f64],
) -> (Matrix, Vec<f64>) {
    const STEP: f64 = 1e-5;
    let errors = self::errors(samples, &coefficients(at));
    // What is linear further out is a smaller weight there.
    let weights: Vec<f64> = samples
        .iter()
        .zip(&errors)
        .map(|(s, error)| s.weight / ROBUST.powi(2) / (1.0 + (error / ROBUST).powi(2)).sqrt())
        .collect();
    let slopes: Matrix = (0..at.len())
        .map(|number| {
            let mut moved = at.to_vec();
            moved.iter_mut().skip(number).take(1).for_each(|log| *log += STEP);
            let moved = self::errors(samples, &coefficients(&moved));
            moved.iter().zip(&errors).map(|(moved, error)| (moved - error) / STEP).collect()
        })
        .collect();
    let dot = |one: &[f64], other: &[f64]| -> f64 {
        one.iter().zip(other).zip(&weights).map(|((a, b), w)| a * b * w).sum()
    };
    let held: Vec<f64> = spreads.iter().map(|spread| spread.powi(-2)).collect();
    let mut matrix: Matrix =
        slopes.iter().map(|one| slopes.iter().map(|other| dot(one, other)).collect()).collect();
    for (number, (row, held)) in matrix.iter_mut().zip(&held).enumerate() {
        row.iter_mut().skip(number).take(1).for_each(|cell| *cell += held);
    }
    let away = at.iter().zip(start).zip(&held).map(|((at, start), held)| (at - start) * held);
    let vector = slopes.iter().zip(away).map(|(slope, away)| dot(slope, &errors) + away).collect();
    (matrix, vector)
}

fn damped(matrix: &Matrix, damping: f64) -> Matrix {
    let mut own = matrix.clone();
    for (number, row) in own.iter_mut().enumerate() {
        row.iter_mut().skip(number).take(1).for_each(|cell| *cell *= 1.0 + damping);
    }
    own
}

/// Solves linear equations by elimination; `None` where they have no one solution.
fn solved(mut matrix: Matrix, mut vector: Vec<f64>) -> Option<Vec<f64>> {
    let count = vector.len();
    for column in 0..count {
        let size =
            |row: &usize| matrix.get(*row).and_then(|row| row.get(column)).map_or(0.0, |x| x.abs());
        let pivot = (column..count).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        matrix.swap(column, pivot);
        vector.swap(column, pivot);
        let (head, below) = matrix.split_at_mut_checked(column + 1)?;
        let row = head.last()?;
        let (value, diagonal) = (*vector.get(column)?, *row.get(column)?);
        if diagonal.abs() < 1e-300 {
            return None;
        }
        for (other, result) in below.iter_mut().zip(vector.iter_mut().skip(column + 1)) {
            let times = other.get(column)? / diagonal;
            other.iter_mut().zip(row).skip(column).for_each(|(cell, from)| *cell -= times * from);
            *result -= times * value;
        }
    }
    let mut solution = vec![0.0; count];
    for column in (0..count).rev() {
        let row = matrix.get(column)?;
        let known: f64 = row.iter().zip(&solution).skip(column + 1).map(|(a, x)| a * x).sum();
        let value = (vector.get(column)? - known) / row.get(column)?;
        *solution.get_mut(column)? = value;
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let solution = solved(vec![vec![0.0, 2.0], vec![3.0, 1.0]], vec![4.0, 5.0]).unwrap();
        assert!((solution[0] - 1.0).abs() < 1e-12 && (solution[1] - 2.0).abs() < 1e-12);
        assert_eq!(solved(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![1.0, 2.0]), None);
    }
}
