//! How often the gate detects a change, and how often it fails without one, on simulated runs.
//!
//! Runs are normal with a deviation of 2 %; the limit is +3 %. `docs/ci.md` shows the same figures.

use super::shift::{Bounds, Noise, Shift};
use super::stat::median;

const SESSIONS: u32 = 1500;
const LIMIT: f64 = 0.03;

/// Uniform numbers from a fixed seed (splitmix64), made normal by the polar method.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.uniform()).cos()
    }

    /// Times of runs in ns, ascending; `outliers` of them take 20 % longer.
    fn runs(&mut self, n: usize, change: f64, outliers: f64) -> Vec<f64> {
        let mut runs: Vec<f64> = (0..n)
            .map(|_| {
                let time = 1e6 * (1.0 + change) * (1.0 + 0.02 * self.normal());
                if self.uniform() < outliers { time * 1.2 } else { time }
            })
            .collect();
        runs.sort_by(f64::total_cmp);
        runs
    }
}

/// Share of the sessions in which the limit fails.
fn failing(n: usize, change: f64, outliers: f64) -> f64 {
    let mut random = Random(n as u64);
    let mut bounds = Bounds::default();
    let fails = (0..SESSIONS).filter(|_| {
        let before = random.runs(n, 0.0, outliers);
        let after = random.runs(n, change, outliers);
        let shift = Shift::of(&before, &after, &mut bounds).unwrap();
        shift.noise() == Noise::Beyond && shift.estimate / median(&before).unwrap() > LIMIT
    });
    f64::from(fails.count() as u32) / f64::from(SESSIONS)
}

#[test]
fn changes_beyond_the_limit_are_caught() {
    for (n, least, least_with_outliers) in [(5, 0.88, 0.70), (10, 0.96, 0.94), (20, 0.99, 0.99)] {
        let caught = failing(n, 0.05, 0.0);
        assert!(caught >= least, "{n} runs a side: {caught}");
        let caught = failing(n, 0.05, 0.05);
        assert!(caught >= least_with_outliers, "{n} runs a side with outliers: {caught}");
    }
}

#[test]
fn unchanged_runs_rarely_fail() {
    for (n, most) in [(5, 0.02), (10, 0.005), (20, 0.001)] {
        for outliers in [0.0, 0.05] {
            let failed = failing(n, 0.0, outliers);
            assert!(failed <= most, "{n} runs a side, outliers {outliers}: {failed}");
        }
    }
}

/// The interval holds the true change as often as it says.
#[test]
fn intervals_hold_the_true_change() {
    for n in [3, 5, 10, 20] {
        let mut random = Random(100 + n as u64);
        let mut bounds = Bounds::default();
        let mut confidence = 0.0;
        let held = (0..SESSIONS).filter(|_| {
            let (before, after) = (random.runs(n, 0.0, 0.0), random.runs(n, 0.05, 0.0));
            let interval = Shift::of(&before, &after, &mut bounds).unwrap().interval.unwrap();
            confidence = interval.confidence;
            (interval.low..=interval.high).contains(&5e4)
        });
        let held = f64::from(held.count() as u32) / f64::from(SESSIONS);
        assert!((held - confidence).abs() < 0.025, "{n} runs: {held}, said {confidence}");
    }
}
