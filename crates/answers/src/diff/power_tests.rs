//! How often the gate detects a change, and how often it fails without one, on simulated runs.
//!
//! Runs are normal with a deviation of 2 %; the limit is +3 %. The rows of the tables of `docs/proof/ci.md` are what these tests print
//! (`--nocapture`).

use super::design::Design;
use super::random::Random;
use super::shift::{Bounds, Noise, Shift};
use super::stat::median;
use super::testing::run;
use super::{SourcedRun, Value};

const SESSIONS: u32 = 1500;
/// Sessions that are simulated where runs are put together from whole reports.
const FEW_SESSIONS: u32 = 600;
const LIMIT: f64 = 0.03;
/// Standard deviation of runs, and of what the runs of an occasion have in common.
const NOISE: f64 = 0.02;

impl Random {
    /// Times of runs in ns, ascending; `outliers` of them take 20 % longer.
    fn runs(&mut self, n: usize, change: f64, outliers: f64) -> Vec<f64> {
        let mut runs: Vec<f64> = (0..n)
            .map(|_| {
                let time = 1e6 * (1.0 + change) * (1.0 + NOISE * self.normal());
                if self.uniform() < outliers { time * 1.2 } else { time }
            })
            .collect();
        runs.sort_by(f64::total_cmp);
        runs
    }

    /// What the runs of an occasion have in common.
    fn offset(&mut self) -> f64 {
        1.0 + NOISE * self.normal()
    }

    /// The time of a run in ns.
    fn time(&mut self, factor: f64) -> f64 {
        1e6 * factor * (1.0 + NOISE * self.normal())
    }
}

/// Prints what the tables of `docs/proof/ci.md` say.
fn say(what: &str, runs: impl std::fmt::Debug, change: f64, share: f64) {
    println!("{what}, runs {runs:?}, change {:.0} %: {:.1} % fail", 100.0 * change, 100.0 * share);
}

fn share(sessions: u32, mut fails: impl FnMut() -> bool) -> f64 {
    f64::from((0..sessions).filter(|_| fails()).count() as u32) / f64::from(sessions)
}

/// What the runs of a session are like: the sides run one after the other.
#[derive(Clone, Copy, Default)]
struct Session {
    /// Runs a side.
    runs: usize,
    /// True change.
    change: f64,
    /// Share of the runs that take 20 % longer.
    outliers: f64,
    /// Share by which each run takes longer than the one before.
    drift: f64,
    /// Whether each side has an offset of its own.
    has_offsets: bool,
}

impl Session {
    /// Share of the sessions in which the limit fails.
    fn failing(self) -> f64 {
        let Self { runs, change, outliers, drift, has_offsets } = self;
        let mut random = Random(31 + runs as u64);
        let failing = share(FEW_SESSIONS, || {
            let mut side = |from: usize, factor: f64| -> Vec<(f64, usize)> {
                let offset = if has_offsets { random.offset() } else { 1.0 };
                let mut time = |at: usize| {
                    let time = random.time(factor * offset * (1.0 + drift * at as f64));
                    if random.uniform() < outliers { time * 1.2 } else { time }
                };
                (from..from + runs).map(|at| (time(at), 0)).collect()
            };
            let (before, after) = (side(0, 1.0), side(runs, 1.0 + change));
            fails(&before, &after, false)
        });
        let what = format!("outliers {outliers}, drift {drift}, offsets {has_offsets}");
        say(&what, runs, change, failing);
        failing
    }
}

#[test]
fn changes_beyond_the_limit_are_caught() {
    for (runs, change, least) in
        [(5, 0.05, 0.35), (5, 0.10, 0.80), (10, 0.05, 0.72), (10, 0.10, 0.98), (20, 0.05, 0.95)]
    {
        let session = Session { runs, change, ..Session::default() };
        let caught = session.failing();
        assert!(caught >= least, "{runs} runs a side: {caught} of {change}");
        let caught = Session { outliers: 0.05, ..session }.failing();
        assert!(caught >= least - 0.25, "{runs} runs a side with outliers: {caught} of {change}");
    }
}

#[test]
fn unchanged_runs_rarely_fail() {
    for (runs, most) in [(5, 0.02), (10, 0.005), (20, 0.001)] {
        for outliers in [0.0, 0.05] {
            let failed = Session { runs, outliers, ..Session::default() }.failing();
            assert!(failed <= most, "{runs} runs a side, outliers {outliers}: {failed}");
        }
    }
}

/// Whatever drift the runs of a side do not rule out is no change: with few runs it is too small to be found, and yet enough to move the
/// other side beyond the limit.
#[test]
fn a_drift_that_does_not_show_rarely_fails() {
    for runs in [3, 5, 10, 20] {
        for drift in [0.003, 0.01, 0.02] {
            let failed = Session { runs, drift, ..Session::default() }.failing();
            assert!(failed <= 0.08, "{runs} runs a side, drift {drift}: {failed}");
        }
    }
    // A change beyond what may be drift is still found.
    for (runs, drift, change, least) in [
        (5, 0.01, 0.20, 0.97),
        (10, 0.01, 0.20, 0.99),
        (5, 0.003, 0.10, 0.80),
        (10, 0.003, 0.10, 0.93),
        (20, 0.003, 0.10, 0.94),
    ] {
        let caught = Session { runs, drift, change, ..Session::default() }.failing();
        assert!(caught >= least, "{runs} runs a side, drift {drift}: {caught} of {change}");
    }
}

/// The interval holds the true change as often as it says.
#[test]
fn intervals_hold_the_true_change() {
    for n in [3, 5, 10, 20] {
        let mut random = Random(100 + n as u64);
        let mut bounds = Bounds::default();
        let mut confidence = 0.0;
        let held = share(SESSIONS, || {
            let (before, after) = (random.runs(n, 0.0, 0.0), random.runs(n, 0.05, 0.0));
            let interval = Shift::compute(&before, &after, &mut bounds).unwrap().interval.unwrap();
            confidence = interval.confidence;
            (interval.low..=interval.high).contains(&5e4)
        });
        assert!((held - confidence).abs() < 0.025, "{n} runs: {held}, said {confidence}");
    }
}

/// Whether the gate fails on these times, as `diff` reads them from reports.
fn fails(before: &[(f64, usize)], after: &[(f64, usize)], pairs: bool) -> bool {
    let (design, values) = designed(before, after, pairs);
    let [old, new] = &values;
    let shift = design.drifting([old, new], &mut Bounds::default()).unwrap();
    let mut sorted: Vec<f64> = old.iter().map(|(_, value)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    shift.noise() == Noise::Beyond && shift.estimate / median(&sorted).unwrap() > LIMIT
}

/// Runs with these times and numbers of occasions.
fn designed(
    before: &[(f64, usize)],
    after: &[(f64, usize)],
    pairs: bool,
) -> (Design, [Vec<Value>; 2]) {
    thread_local! {
        static RUN: SourcedRun = run(&[("k", 1_000)], 0);
    }
    let side = |times: &[(f64, usize)]| -> Vec<SourcedRun> {
        let run = |(ns, occasion): &(f64, usize)| {
            let mut run = RUN.with(Clone::clone);
            run.report.set_wall(ns.round());
            run.occasion = Some(occasion.to_string());
            run
        };
        times.iter().map(run).collect()
    };
    let values = |times: &[(f64, usize)]| {
        times.iter().map(|(ns, _)| ns.round()).enumerate().collect::<Vec<Value>>()
    };
    let (old, new) = (side(before), side(after));
    (Design::choose([&old, &new], pairs), [values(before), values(after)])
}

/// The sides are of different days or machines, each with an offset of its own of 2 %.
#[test]
fn an_offset_between_occasions_rarely_fails_with_several_baselines() {
    let rate = |occasions: [usize; 2], change: f64| {
        let mut random = Random(7);
        let mut side = |n: usize, factor: f64| -> Vec<(f64, usize)> {
            (0..n)
                .flat_map(|occasion| {
                    let offset = random.offset() * factor;
                    let runs: Vec<_> = (0..5).map(|_| (random.time(offset), occasion)).collect();
                    runs
                })
                .collect()
        };
        share(FEW_SESSIONS, || {
            let before = side(occasions[0], 1.0);
            let after = side(occasions[1], 1.0 + change);
            fails(&before, &after, false)
        })
    };
    // One occasion a side: no test tells its offset from a change, but what may be drift is none.
    for (runs, least, most) in [(5, 0.04, 0.11), (20, 0.08, 0.18)] {
        let one = Session { runs, has_offsets: true, ..Session::default() }.failing();
        assert!((least..most).contains(&one), "{runs} runs: {one}");
    }
    for (occasions, least, change) in
        [([5, 1], 0.85, 0.10), ([3, 3], 0.55, 0.05), ([5, 5], 0.85, 0.05)]
    {
        let (failed, caught) = (rate(occasions, 0.0), rate(occasions, change));
        say("occasions", occasions, 0.0, failed);
        say("occasions", occasions, change, caught);
        assert!(failed <= 0.06, "{occasions:?}: {failed} fail without a change");
        assert!(caught >= least, "{occasions:?}: {caught} of +{change} caught");
    }
}

/// Each run takes 1 % longer than the one before.
#[test]
fn drift_is_said_and_pairs_leave_it_out() {
    let one_after_the_other = |n: usize, change: f64| {
        let mut random = Random(11 + n as u64);
        let mut said = 0;
        let failed = share(FEW_SESSIONS, || {
            let mut side = |from: usize, factor: f64| -> Vec<(f64, usize)> {
                let runs = from..from + n;
                runs.map(|at| (random.time(factor * (1.0 + 0.01 * at as f64)), 0)).collect()
            };
            let (before, after) = (side(0, 1.0), side(n, 1.0 + change));
            let (design, _) = designed(&before, &after, false);
            said += u32::from(design.notes.iter().any(|note| note.id.starts_with("diff-drift")));
            fails(&before, &after, false)
        });
        let said = f64::from(said) / f64::from(FEW_SESSIONS);
        say("drift 0.01", n, change, failed);
        println!("the drift is found in {:.1} %", 100.0 * said);
        (failed, said)
    };
    let (failed, said) = one_after_the_other(10, 0.0);
    assert!(failed <= 0.02 && said >= 0.98, "{failed} fail, {said} said");
    // Five runs are too few to see it each time, and so no change of its size counts.
    let (failed, said) = one_after_the_other(5, 0.0);
    assert!(failed <= 0.08 && said <= 0.4, "{failed} fail, {said} said");
    let in_turn = |n: usize, change: f64| {
        let mut random = Random(13 + n as u64);
        share(FEW_SESSIONS, || {
            let offset = random.offset();
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for pair in 0..n {
                // Before, after, after, before, and so on.
                let (first, second) = (2 * pair, 2 * pair + 1);
                let (old, new) = if pair % 2 == 0 { (first, second) } else { (second, first) };
                let factor = |at: usize| offset * (1.0 + 0.01 * at as f64);
                before.push((random.time(factor(old)), 0));
                after.push((random.time(factor(new) * (1.0 + change)), 0));
            }
            fails(&before, &after, true)
        })
    };
    for (n, least) in [(6, 0.88), (10, 0.94)] {
        let (failed, caught) = (in_turn(n, 0.0), in_turn(n, 0.05));
        say("pairs", n, 0.0, failed);
        say("pairs", n, 0.05, caught);
        assert!(failed <= 0.02, "{n} pairs: {failed} fail without a change");
        assert!(caught >= least, "{n} pairs: {caught} of +5 % caught");
    }
}

/// Half of the runs take 20 % longer than the others: the noise of both together hides a change of 5 %.
#[test]
fn runs_with_two_modes_are_compared_mode_by_mode() {
    let rate = |n: usize, change: f64| {
        let mut random = Random(17 + n as u64);
        let mut plain = 0;
        let failed = share(FEW_SESSIONS, || {
            let mut side = |factor: f64| -> Vec<(f64, usize)> {
                let mut time = || {
                    let mode = if random.uniform() < 0.5 { 1.2 } else { 1.0 };
                    (random.time(factor * mode), 0)
                };
                (0..n).map(|_| time()).collect()
            };
            let (before, after) = (side(1.0), side(1.0 + change));
            let sorted = |side: &[(f64, usize)]| {
                let mut times: Vec<f64> = side.iter().map(|(ns, _)| *ns).collect();
                times.sort_by(f64::total_cmp);
                times
            };
            let shift = Shift::compute(&sorted(&before), &sorted(&after), &mut Bounds::default());
            let shift = shift.unwrap();
            let base = median(&sorted(&before)).unwrap();
            plain += u32::from(shift.noise() == Noise::Beyond && shift.estimate / base > LIMIT);
            fails(&before, &after, false)
        });
        let plain = f64::from(plain) / f64::from(FEW_SESSIONS);
        say("two modes", n, change, failed);
        say("two modes that are not looked for", n, change, plain);
        (failed, plain)
    };
    let (caught, plain) = rate(10, 0.05);
    assert!(caught >= 0.55 && plain <= 0.60, "{caught} of +5 % caught, {plain} without modes");
    let (failed, _) = rate(10, 0.0);
    assert!(failed <= 0.06, "{failed} fail without a change");
    let (caught, _) = rate(20, 0.05);
    assert!(caught >= 0.85, "{caught} of +5 % caught");
}
