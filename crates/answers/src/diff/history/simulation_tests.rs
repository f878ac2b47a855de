//! How often a history has a false alarm, and how soon it finds a change, on simulated months. The rows of the table of `docs/ci.md` are
//! what these tests print (`--nocapture`).

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::diff::history::record::TOTAL;

const NIGHTS: usize = 30;
/// Months of the cases that `docs/ci.md` promises, and of the others.
const MONTHS: u64 = 200;
const FEW_MONTHS: u64 = 50;
/// Threads among which the months of a case are divided.
const THREADS: usize = 8;

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
}

/// Months of nights.
#[derive(Debug, Clone, Copy)]
struct Months {
    /// The wall time and so many less one kernels.
    series: usize,
    /// Standard deviation of the noise.
    noise: f64,
    /// Part of its variance that all series have in common.
    common: f64,
    /// Frequency of outliers of +20 % in single series, and in whole runs.
    outliers: [f64; 2],
    /// Which series take 5 % longer from a night between the 13th and the 20th on.
    step: Option<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Total,
    Kernel,
    All,
}

const CLEAN: Months =
    Months { series: 11, noise: 0.02, common: 0.0, outliers: [0.0; 2], step: None };

/// What became of the months, as shares of all.
#[derive(Debug, Default)]
struct Outcome {
    /// Months with an alarm that is none.
    false_alarm: f64,
    /// The step was found within four runs; within two of each other is the same.
    in_four: f64,
    /// ... at any time.
    found: f64,
    /// Of those found: named within a run of its place.
    placed: f64,
    /// Sentences that were said twice.
    repeated: usize,
}

impl Outcome {
    fn add(&mut self, other: &Self) {
        self.false_alarm += other.false_alarm;
        self.in_four += other.in_four;
        self.found += other.found;
        self.placed += other.placed;
        self.repeated += other.repeated;
    }
}

impl Months {
    fn outcome(self, seed: u64, months: u64) -> Outcome {
        let of_part = |part: u64| {
            let mut outcome = Outcome::default();
            for month in (part..months).step_by(THREADS) {
                self.month(&mut Random(seed * 1_000_003 + month), &mut outcome);
            }
            outcome
        };
        let mut outcome = Outcome::default();
        // The sums are of whole numbers: their order does not matter.
        std::thread::scope(|scope| {
            let parts = (0..THREADS as u64).map(|part| scope.spawn(move || of_part(part)));
            for part in parts.collect::<Vec<_>>() {
                outcome.add(&part.join().unwrap());
            }
        });
        let all = months as f64;
        outcome.placed /= outcome.found.max(1.0);
        for share in [&mut outcome.false_alarm, &mut outcome.in_four, &mut outcome.found] {
            *share /= all;
        }
        outcome
    }

    fn name(number: usize) -> String {
        if number == 0 { TOTAL.to_owned() } else { format!("kernel {number}") }
    }

    fn month(self, random: &mut Random, outcome: &mut Outcome) {
        let step_at = 12 + (random.uniform() * 8.0) as usize;
        let steps = |number: usize| match self.step {
            None => false,
            Some(Step::All) => true,
            Some(Step::Total) => number == 0,
            Some(Step::Kernel) => number == 1,
        };
        let mut builds: Vec<HistoryBuild> = Vec::new();
        for night in 0..NIGHTS {
            let shared = random.normal();
            let is_odd = random.uniform() < self.outliers[1];
            let mut times = BTreeMap::new();
            for number in 0..self.series {
                let own = random.normal();
                let noise = self.common.sqrt() * shared + (1.0 - self.common).sqrt() * own;
                let mut ns = 1e5 * (number + 1) as f64 * (1.0 + self.noise * noise);
                if random.uniform() < self.outliers[0] || is_odd {
                    ns *= 1.14 + 0.12 * random.uniform();
                }
                if night >= step_at && steps(number) {
                    ns *= 1.05;
                }
                times.insert(Self::name(number), ns.round());
            }
            builds.push(HistoryBuild {
                records: vec![tests::record(night, times)],
                ..HistoryBuild::default()
            });
        }
        let all = builds.len();
        let found = History::of(&mut builds, all, HistoryOptions::default());
        let slower = found.events.iter().filter(|event| event.kind == EventKind::Slower);
        let is_right = |event: &&HistoryEvent| {
            let names = std::iter::once(&event.name).chain(&event.also);
            let mut of_step =
                names.filter(|name| (0..self.series).any(|n| steps(n) && Self::name(n) == **name));
            event.found_at >= step_at
                && of_step.next().is_some()
                && event.number as usize + 3 > step_at
        };
        let (right, wrong): (Vec<_>, Vec<_>) = slower.partition(is_right);
        outcome.false_alarm += f64::from(u8::from(wrong.iter().any(|event| !event.follows)));
        if let Some(first) = right.iter().min_by_key(|event| event.found_at) {
            outcome.found += 1.0;
            outcome.in_four += f64::from(u8::from(first.found_at < step_at + 4));
            outcome.placed +=
                f64::from(u8::from((first.number as usize).abs_diff(step_at + 1) <= 1));
        }
        let sentences: Vec<String> = found.events.iter().map(HistoryEvent::sentence).collect();
        outcome.repeated += sentences.len() - sentences.iter().collect::<BTreeSet<_>>().len();
    }
}

/// What `docs/ci.md` promises: at most one month in ten has a false alarm.
#[test]
fn a_month_without_a_change_rarely_has_an_alarm() {
    let outliers = |outliers| Months { outliers, ..CLEAN };
    let few = FEW_MONTHS;
    for (name, months, all) in [
        ("independent", CLEAN, MONTHS),
        ("common", Months { common: 1.0, ..CLEAN }, MONTHS),
        ("outliers of series", outliers([0.05, 0.0]), MONTHS),
        ("half common", Months { common: 0.5, ..CLEAN }, few),
        ("outliers of runs", outliers([0.0, 0.05]), few),
        ("1 %", Months { noise: 0.01, ..CLEAN }, few),
        ("3 %", Months { noise: 0.03, ..CLEAN }, few),
        ("1 series", Months { series: 1, ..CLEAN }, MONTHS),
        ("3 series", Months { series: 3, ..CLEAN }, few),
        ("40 series", Months { series: 40, ..CLEAN }, few / 2),
    ] {
        let found = months.outcome(1, all);
        println!("{name}: {:.1} % of the months", found.false_alarm * 100.0);
        assert!(found.false_alarm <= if all == MONTHS { 0.1 } else { 0.14 }, "{name}: {found:?}");
        assert_eq!(found.repeated, 0, "{name}");
    }
}

/// Four runs can't tell this step reliably, which `docs/ci.md` states: of 200 months 84 % are found within four runs, and 92 % of these are
/// placed. The bounds are about three standard deviations of 50 months lower.
const LIMIT_OF_FOUR: &str = "all times, all of 2 % common";

/// +5 % is found within four runs, and named within one run of its place, where four runs can tell.
#[test]
fn a_step_of_five_percent_is_found_within_four_runs() {
    let step = |step, noise, common| Months { step: Some(step), noise, common, ..CLEAN };
    let few = FEW_MONTHS;
    let of_one = Months { series: 1, ..step(Step::Total, 0.01, 0.0) };
    let of_forty = Months { series: 40, ..step(Step::Kernel, 0.01, 0.0) };
    let with_outliers = Months { outliers: [0.05, 0.0], ..step(Step::Kernel, 0.01, 0.0) };
    for (name, months, all, in_four) in [
        ("all times, 2 %", step(Step::All, 0.02, 0.0), MONTHS, 0.95),
        ("all times, half of 2 % common", step(Step::All, 0.02, 0.5), few, 0.95),
        ("all times, all of 1.5 % common", step(Step::All, 0.015, 1.0), few, 0.95),
        (LIMIT_OF_FOUR, step(Step::All, 0.02, 1.0), few, 0.7),
        ("a kernel, nearly all of 2 % common", step(Step::Kernel, 0.02, 0.95), few, 0.95),
        ("a kernel, 1 %", step(Step::Kernel, 0.01, 0.0), few, 0.95),
        ("a kernel, 1.5 %", step(Step::Kernel, 0.015, 0.0), few, 0.9),
        ("a kernel, 2 %", step(Step::Kernel, 0.02, 0.0), few, 0.65),
        ("the wall time, 1.5 %", step(Step::Total, 0.015, 0.0), MONTHS, 0.95),
        ("the wall time, 2 %", step(Step::Total, 0.02, 0.0), few, 0.75),
        ("the only time, 1 %", of_one, MONTHS, 0.95),
        ("a kernel of 40, 1 %", of_forty, few / 3, 0.95),
        ("a kernel, 1 %, outliers", with_outliers, few, 0.9),
    ] {
        let found = months.outcome(2, all);
        println!(
            "{name}: {:.1} % within four runs, {:.1} % at all, {:.1} % of these placed, {:.1} % of the months with a false alarm",
            found.in_four * 100.0,
            found.found * 100.0,
            found.placed * 100.0,
            found.false_alarm * 100.0
        );
        assert!(found.in_four >= in_four, "{name}: {found:?}");
        // A tenth is misplaced where the noise is 2 %. Shares of 200 months scatter by 2 points, those of 50 by 4.
        let placed = match all {
            MONTHS => 0.87,
            _ if name == LIMIT_OF_FOUR => 0.78,
            _ => 0.84,
        };
        assert!(found.placed >= placed, "{name}: {found:?}");
        assert!(found.false_alarm <= if all == MONTHS { 0.1 } else { 0.14 }, "{name}: {found:?}");
        assert_eq!(found.repeated, 0, "{name}");
    }
}
