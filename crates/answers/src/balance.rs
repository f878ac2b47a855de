//! How evenly the cores share the work, and for which core the others wait (`docs/analysis.md`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use bigtpu_measure::layers::{LayerRuns, Layers};
use bigtpu_measure::{DumpModel, Spans, Times, ratio, round4};

/// A kernel over the cores that ran it, at least two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Imbalance {
    /// Kernel function.
    pub kernel: String,
    /// Cores that ran it.
    pub cores: u64,
    /// Time in which any engine of a core worked within the kernel's launches, in ns; `(core, ns)`. Waiting for
    /// the others is no work.
    pub core_ns: Vec<(u32, i64)>,
    /// The core that worked longest: the straggler.
    pub slowest: u32,
    /// ns that it worked.
    pub slowest_ns: i64,
    /// Mean of the cores in ns.
    pub mean_ns: f64,
    /// The slowest over the mean, less 1: 0 where all took the same.
    pub imbalance: f64,
    /// ns that the run lost by it: what the slowest core's work exceeds that of the others, round by round where
    /// the launches can be compared (another core may be the slowest in each), else in all. Where all cores ran as
    /// many events, a core is slower, and the slowest of the others represents them; else for the mean of all
    /// cores, since the work can be split evenly.
    pub lost_ns: i64,
    /// Launches that can be compared: the n-th of each core; 0 where the cores' numbers of launches differ.
    pub rounds: u64,
    /// Launches left out, over all cores: those of rounds in which a core's launch lacks commands. A kernel without
    /// any other round, or whose launches can't be compared, is left out whole.
    #[serde(default)]
    pub left_out: u64,
    /// From the first to the last start of a round, in ns, over all rounds.
    pub start_skew_ns: i64,
    /// From the first to the last end of a round, in ns, over all rounds.
    pub end_skew_ns: i64,
}

/// A core's launches of a kernel.
#[derive(Default)]
struct OnCore {
    launches: Vec<(i64, i64)>,
    /// ns of work in each launch.
    work: Vec<i64>,
    events: Vec<u64>,
    has_missing_commands: Vec<bool>,
    work_ns: i64,
}

impl OnCore {
    /// Keeps these launches only.
    fn keep(&mut self, rounds: &[usize]) {
        self.work = rounds.iter().filter_map(|&n| self.work.get(n).copied()).collect();
        self.launches = rounds.iter().filter_map(|&n| self.launches.get(n).copied()).collect();
        self.events = rounds.iter().filter_map(|&n| self.events.get(n).copied()).collect();
    }
}

/// Leaves out the rounds in which a launch lacks commands. Returns how many launches these are, `None` where nothing
/// is left to compare.
fn leave_out_incomplete(cores: &mut BTreeMap<u32, OnCore>) -> Option<u64> {
    let lacks =
        |core: &OnCore, n: usize| core.has_missing_commands.get(n).is_none_or(|lacks| *lacks);
    let is_whole = |core: &OnCore| !core.has_missing_commands.contains(&true);
    if cores.values().all(is_whole) {
        return Some(0);
    }
    let rounds = cores.values().map(|core| core.launches.len()).max().unwrap_or(0);
    let complete: Vec<usize> =
        (0..rounds).filter(|&n| !cores.values().any(|core| lacks(core, n))).collect();
    let can_compare = cores.values().all(|core| core.launches.len() == rounds);
    if complete.is_empty() || !can_compare {
        return None;
    }
    cores.values_mut().for_each(|core| core.keep(&complete));
    Some(((rounds - complete.len()) * cores.len()) as u64)
}

/// A run of a kernel or a layer on a core.
struct RunOnCore {
    /// Number of its kernel or layer.
    name: u32,
    start: i64,
    end: i64,
    events: u64,
    has_missing_commands: bool,
}

/// Kernels that ran on several cores: those that lose most first.
#[must_use]
pub fn imbalances(model: &DumpModel<'_>, times: &Times) -> Vec<Imbalance> {
    let cores = model.core_launches.iter().map(|slices| {
        slices.iter().map(|slice| RunOnCore {
            name: slice.kernel,
            start: slice.start,
            end: slice.end,
            events: slice.events,
            has_missing_commands: slice.has_missing_commands,
        })
    });
    of_runs(cores, times, |kernel| model.kernel_name(kernel))
}

/// Layers of a static model that ran on several cores: those that lose most first. `runs`: those of each core.
pub(crate) fn layer_imbalances(
    layers: &Layers,
    runs: &[LayerRuns],
    times: &Times,
) -> Vec<Imbalance> {
    let labels: Vec<String> =
        (1..).zip(&layers.layers).map(|(id, layer)| layer.label(id).to_string()).collect();
    // A layer that several cores share has an entry for each, of the same name: the first one stands for all.
    let mut first: BTreeMap<&str, u32> = BTreeMap::new();
    let number_of: Vec<u32> =
        (0..).zip(&labels).map(|(number, label)| *first.entry(label).or_insert(number)).collect();
    let cores = runs.iter().map(|runs| {
        runs.slices.iter().filter_map(|slice| {
            Some(RunOnCore {
                name: *number_of.get(slice.layer)?,
                start: slice.start,
                end: slice.end,
                events: slice.events,
                has_missing_commands: false,
            })
        })
    });
    of_runs(cores, times, |number| labels.get(number as usize).map_or("", String::as_str))
}

/// What ran on several cores. `cores`: the runs of each core.
fn of_runs<'n, R: Iterator<Item = RunOnCore>>(
    cores: impl Iterator<Item = R>,
    times: &Times,
    name: impl Fn(u32) -> &'n str,
) -> Vec<Imbalance> {
    let mut kernels: BTreeMap<u32, BTreeMap<u32, OnCore>> = BTreeMap::new();
    for ((number, runs), time) in (0..).zip(cores).zip(&times.cores) {
        let work = &time.work;
        let mut work = work.coverage();
        for run in runs {
            let on_core = kernels.entry(run.name).or_default().entry(number).or_default();
            on_core.launches.push((run.start, run.end));
            on_core.work.push(work.covered(run.start, run.end));
            on_core.events.push(run.events);
            on_core.has_missing_commands.push(run.has_missing_commands);
        }
    }
    let mut left_out: BTreeMap<u32, u64> = BTreeMap::new();
    kernels.retain(|kernel, cores| {
        let launches = leave_out_incomplete(cores);
        left_out.insert(*kernel, launches.unwrap_or(0));
        launches.is_some()
    });
    // Launches that interleave share their time.
    for (number, time) in (0..).zip(&times.cores) {
        let work = &time.work;
        for on_core in kernels.values_mut().filter_map(|cores| cores.get_mut(&number)) {
            let windows = Spans::union(on_core.launches.iter().copied());
            on_core.work_ns = if windows.len() == on_core.launches.len() {
                on_core.work.iter().sum()
            } else {
                let mut work = work.coverage();
                windows.iter().map(|(from, to)| work.covered(from, to)).sum()
            };
        }
    }
    let several = kernels.into_iter().filter(|(_, cores)| cores.len() > 1);
    let of_kernel = |(kernel, cores): (u32, BTreeMap<u32, OnCore>)| Imbalance {
        left_out: left_out.get(&kernel).copied().unwrap_or(0),
        ..imbalance(name(kernel), &cores)
    };
    let mut found: Vec<Imbalance> = several.map(of_kernel).collect();
    found.sort_by(|a, b| (b.lost_ns, &a.kernel).cmp(&(a.lost_ns, &b.kernel)));
    found
}

fn imbalance(kernel: &str, cores: &BTreeMap<u32, OnCore>) -> Imbalance {
    let core_ns: Vec<(u32, i64)> =
        cores.iter().map(|(core, on_core)| (*core, on_core.work_ns)).collect();
    let n = core_ns.len() as i64;
    let sum: i64 = core_ns.iter().map(|(_, ns)| ns).sum();
    let slowest = core_ns.iter().rev().max_by_key(|(_, ns)| *ns).copied().unwrap_or_default();
    let mut skews = (0, 0);
    let mut rounds = cores.values().map(|c| c.launches.len()).max().unwrap_or(0);
    if cores.values().any(|c| c.launches.len() != rounds) {
        rounds = 0;
    }
    for round in 0..rounds {
        let of_round = || cores.values().filter_map(|c| c.launches.get(round));
        let spread = |value: fn(&(i64, i64)) -> i64| {
            let (least, most) = (of_round().map(value).min(), of_round().map(value).max());
            most.unwrap_or(0) - least.unwrap_or(0)
        };
        skews = (skews.0 + spread(|l| l.0), skews.1 + spread(|l| l.1));
    }
    Imbalance {
        kernel: kernel.to_owned(),
        cores: n as u64,
        slowest: slowest.0,
        slowest_ns: slowest.1,
        mean_ns: round4(sum as f64 / n as f64),
        imbalance: round4(ratio(slowest.1 * n, sum) - if sum > 0 { 1.0 } else { 0.0 }),
        lost_ns: lost(cores, rounds),
        core_ns,
        rounds: rounds as u64,
        left_out: 0,
        start_skew_ns: skews.0,
        end_skew_ns: skews.1,
    }
}

/// Whether the cores did the same: then a core that takes longer is slower, else it has more work.
fn did_the_same(cores: &BTreeMap<u32, OnCore>) -> bool {
    let events = || cores.values().map(|core| core.events.iter().sum::<u64>());
    let (least, most) = (events().min().unwrap_or(0), events().max().unwrap_or(0));
    (most - least) * 50 <= most
}

/// The work time that represents the cores where none is slow and none has more to do.
fn reference(work: Vec<i64>, same: bool) -> i64 {
    if same { slowest_of_the_usual(work) } else { mean(&work) }
}

/// Work of each core in a round.
fn of_round(cores: &BTreeMap<u32, OnCore>, round: usize) -> Vec<i64> {
    cores.values().filter_map(|core| core.work.get(round).copied()).collect()
}

/// What the slowest core's work exceeds that of the others.
fn lost(cores: &BTreeMap<u32, OnCore>, rounds: usize) -> i64 {
    let same = did_the_same(cores);
    let excess = |work: Vec<i64>| -> i64 {
        let most = work.iter().copied().max().unwrap_or(0);
        most - reference(work, same)
    };
    let in_all = excess(cores.values().map(|core| core.work_ns).collect());
    in_all.max((0..rounds).map(|round| excess(of_round(cores, round))).sum())
}

fn mean(values: &[i64]) -> i64 {
    values.iter().sum::<i64>() / (values.len() as i64).max(1)
}

/// What takes this many percent of the (lower) median of the cores is slow; less is the usual spread.
const SLOW_PERCENT: i64 = 110;

/// The greatest of the values that are not slow: what a round takes without its stragglers.
fn slowest_of_the_usual(mut values: Vec<i64>) -> i64 {
    values.sort_unstable();
    let usual = values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0);
    let is_usual = |value: &i64| *value * 100 <= usual * SLOW_PERCENT;
    values.into_iter().rev().find(is_usual).unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn a_planted_straggler_is_found() {
        let mut planted = Planted::default();
        planted.kernel(0, "even", 0, 10).kernel(1, "even", 5, 15);
        planted.kernel(0, "skewed", 10, 20).kernel(1, "skewed", 20, 50);
        planted.kernel(0, "skewed", 30, 58).kernel(1, "skewed", 60, 70);
        planted.kernel(0, "alone", 80, 90);
        for (core, start, end) in
            [(0, 0, 10), (0, 10, 20), (0, 30, 40), (1, 5, 15), (1, 20, 50), (1, 60, 70)]
        {
            planted.work(core, Engine::Tiu, start, end);
        }
        planted.wait(0, Engine::Tiu, 40, 58);
        let model = planted.model();
        let found = imbalances(&model, &Times::compute(&model));
        let [skewed, even] = &found[..] else { panic!("{found:?}") };
        assert_eq!((skewed.kernel.as_str(), skewed.slowest, skewed.slowest_ns), ("skewed", 1, 40));
        // Work of the rounds: 10 and 30, 10 and 10.
        assert_eq!((skewed.mean_ns, skewed.imbalance, skewed.lost_ns), (30.0, 0.3333, 20));
        assert_eq!((skewed.rounds, skewed.start_skew_ns, skewed.end_skew_ns), (2, 40, 42));
        assert_eq!((even.imbalance, even.lost_ns, even.end_skew_ns), (0.0, 0, 5));
    }

    /// Each core is the slow one in every other launch: the totals are even, every round is not.
    #[test]
    fn stragglers_that_change_every_round_are_found() {
        let mut planted = Planted::default();
        for round in 0..4 {
            let at = round * 100;
            for core in 0..2 {
                let ns = if (round + i64::from(core)) % 2 == 0 { 80 } else { 50 };
                planted.kernel(core, "k", at, at + 80);
                planted.work(core, Engine::Tiu, at, at + ns);
            }
        }
        let model = planted.model();
        let found = imbalances(&model, &Times::compute(&model));
        assert_eq!((found[0].imbalance, found[0].lost_ns, found[0].rounds), (0.0, 120, 4));
    }

    #[test]
    fn rounds_with_missing_commands_are_left_out() {
        let mut planted = Planted::default();
        for (core, ns) in [(0, 50), (1, 90)] {
            planted.kernel(core, "k", 0, 50).work(core, Engine::Tiu, 0, 50);
            planted.kernel(core, "k", 100, 190).work(core, Engine::Tiu, 100, 100 + ns);
            if core == 1 {
                planted.has_missing_commands(core);
            }
            planted.kernel(core, "lossy", 200, 210).has_missing_commands(core);
        }
        let model = planted.model();
        let found = imbalances(&model, &Times::compute(&model));
        let [k] = &found[..] else { panic!("{found:?}") };
        assert_eq!((k.imbalance, k.lost_ns, k.rounds, k.left_out), (0.0, 0, 1, 2));
        assert_eq!(k.core_ns, [(0, 50), (1, 50)]);
    }
}
