//! Steps: the iterations of a run, what each took, and which of them stand out (`docs/analysis.md`).

mod regular;
mod repetition;
mod work;

use std::collections::HashMap;
use std::ops::Range;

use bigtpu_measure::{CoreTime, DumpModel, KernelSlice, MomentActivity, Spans, Times};
use regex_lite::Regex;
use serde::{Deserialize, Serialize};

pub use regular::StepTimes;
use regular::mark;
use repetition::{Repetition, occurrences};

use crate::units::UnitWork;

/// How steps were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StepSource {
    /// The sequence of kernels repeats.
    Repetition,
    /// Kernels whose names match a pattern begin them.
    Kernel,
    /// Events of the host's trace hold the calls that launched them.
    Host,
}

impl StepSource {
    /// As a view says it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Repetition => "the kernels repeat",
            Self::Kernel => "by a kernel's name",
            Self::Host => "by the host's markers",
        }
    }
}

/// One iteration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Step {
    /// Number, from 0.
    pub number: u64,
    /// Name of its marker in the host's trace; else empty.
    pub name: String,
    /// What the commands that start in it did, on all cores. It starts with its first launch, and ends where the next step starts; the
    /// last one with its last launch.
    #[serde(flatten)]
    pub work: UnitWork,
    /// Launches, on the core whose launches make the steps.
    pub launches: u64,
    /// ns in which a TIU computed and nothing was transferred. The five phases sum to the step's time.
    pub compute_only_ns: i64,
    /// ns of both at once.
    pub overlapped_ns: i64,
    /// ns of transfers that nothing hides.
    pub transfer_only_ns: i64,
    /// ns in which only system commands ran.
    pub sync_ns: i64,
    /// ns in which nothing ran.
    pub idle_ns: i64,
    /// Its launches are those of the other steps.
    pub is_regular: bool,
    /// One of the first steps, and slower than the usual one.
    pub is_warm_up: bool,
    /// Its time is far from the usual.
    pub is_outlier: bool,
    /// Phase of a warm-up step or an outlier that differs most from the usual one.
    pub cause: Option<MomentActivity>,
}

impl Step {
    /// Its time in ns.
    #[must_use]
    pub fn ns(&self) -> i64 {
        self.work.end_ns - self.work.start_ns
    }

    /// The times of its phases in ns.
    #[must_use]
    pub fn phases(&self) -> [(MomentActivity, i64); 5] {
        [
            (MomentActivity::Compute, self.compute_only_ns),
            (MomentActivity::Overlap, self.overlapped_ns),
            (MomentActivity::Transfer, self.transfer_only_ns),
            (MomentActivity::Sync, self.sync_ns),
            (MomentActivity::Idle, self.idle_ns),
        ]
    }
}

/// The steps of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Steps {
    /// How they were found.
    pub source: StepSource,
    /// Kernel of a step's first launch.
    pub first_kernel: String,
    /// ns from the run's start to the first step.
    pub before_ns: i64,
    /// ns from the last step to the run's end.
    pub after_ns: i64,
    /// Statistics.
    pub times: StepTimes,
    /// In order.
    pub steps: Vec<Step>,
}

/// A step before its times are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) start_ns: i64,
    pub(crate) end_ns: i64,
    pub(crate) launches: u64,
    pub(crate) is_regular: bool,
}

impl Steps {
    /// The step that a command belongs to which starts at a time (ns): the last one that starts there or before. `None` before the first
    /// one, and from the end of the last one on.
    #[must_use]
    pub fn step_at(&self, start_ns: i64) -> Option<&Step> {
        self.index_at(start_ns).and_then(|index| self.steps.get(index))
    }

    /// As [`Steps::step_at`], the number of the step, and in which ns its commands start. Commands come in the order of their starts: whoever
    /// looks for the step of each asks again only where the last span ends.
    #[must_use]
    pub fn span_at(&self, start_ns: i64) -> Option<(Range<i64>, u64)> {
        let index = self.index_at(start_ns)?;
        let (step, last) = (self.steps.get(index)?, self.steps.last()?);
        let end_ns = self.steps.get(index + 1).map_or(last.work.end_ns, |next| next.work.start_ns);
        Some((step.work.start_ns..end_ns, step.number))
    }

    /// The greatest number of a step; 0 without any.
    #[must_use]
    pub fn greatest_number(&self) -> u64 {
        self.steps.iter().map(|step| step.number).max().unwrap_or(0)
    }

    /// Its index.
    fn index_at(&self, start_ns: i64) -> Option<usize> {
        self.steps.last().filter(|last| start_ns < last.work.end_ns)?;
        self.steps.partition_point(|step| step.work.start_ns <= start_ns).checked_sub(1)
    }

    /// Finds the steps by repetition of the kernel sequence; `None` where none repeats.
    #[must_use]
    pub fn repeated(model: &DumpModel<'_>, times: &Times) -> Option<Self> {
        let cores = Cores::with(model, |slices| slices.len())?;
        let found = Repetition::find(&cores.kernels)?;
        let parts = occurrences(&cores.kernels, found);
        let kernel = cores.kernels.get(found.first).copied();
        let parts = cores.parts(model, parts);
        Self::of_parts(StepSource::Repetition, model, times, kernel, parts)
    }

    /// Each launch of a kernel whose name matches begins a step; `None` where no name does.
    #[must_use]
    pub fn at_kernels(model: &DumpModel<'_>, times: &Times, pattern: &Regex) -> Option<Self> {
        let is_first: Vec<bool> = model.kernels.iter().map(|k| pattern.is_match(k)).collect();
        let begins = |kernel: u32| is_first.get(kernel as usize).is_some_and(|is| *is);
        let begun = |slices: &[KernelSlice]| slices.iter().filter(|s| begins(s.kernel)).count();
        let cores = Cores::with(model, begun)?;
        let kernels = &cores.kernels;
        let mut at: Vec<usize> =
            (0..kernels.len()).filter(|&i| kernels.get(i).is_some_and(|k| begins(*k))).collect();
        let first = kernels.get(*at.first()?).copied();
        at.push(kernels.len());
        let launches = |from: usize, to: usize| kernels.get(from..to).unwrap_or_default();
        let pairs = || at.iter().zip(at.iter().skip(1));
        // A step is regular if another one has the same launches.
        let mut counts: HashMap<&[u32], usize> = HashMap::new();
        for (from, to) in pairs() {
            *counts.entry(launches(*from, *to)).or_default() += 1;
        }
        let is_usual = |of: &[u32]| counts.get(of).is_some_and(|count| *count > 1);
        let parts = pairs().map(|(from, to)| (*from, to - from, is_usual(launches(*from, *to))));
        let parts = cores.parts(model, parts.collect());
        Self::of_parts(StepSource::Kernel, model, times, first, parts)
    }

    pub(crate) fn of_parts(
        source: StepSource,
        model: &DumpModel<'_>,
        times: &Times,
        first_kernel: Option<u32>,
        parts: Vec<Part>,
    ) -> Option<Self> {
        let (from, to) = times.window;
        let (first, last) = (parts.first()?, parts.last()?);
        let (before_ns, after_ns) = (first.start_ns - from, (to - last.end_ns).max(0));
        let CoreTime { compute, transfer, work, sync, .. } = &times.all;
        let mut coverages = [compute, transfer, work, sync].map(Spans::coverage);
        let mut steps: Vec<Step> = parts
            .into_iter()
            .zip(0..)
            .map(|(part, number)| {
                let Part { name, start_ns, end_ns, launches, is_regular } = part;
                let [c, t, w, s] =
                    coverages.each_mut().map(|coverage| coverage.covered(start_ns, end_ns));
                Step {
                    number,
                    name,
                    work: UnitWork { start_ns, end_ns, ..UnitWork::default() },
                    launches,
                    compute_only_ns: w - t,
                    overlapped_ns: c + t - w,
                    transfer_only_ns: w - c,
                    sync_ns: s,
                    idle_ns: end_ns - start_ns - w - s,
                    is_regular,
                    ..Step::default()
                }
            })
            .collect();
        let times = mark(&mut steps);
        let first_kernel = first_kernel.map_or("", |k| model.kernel_name(k)).to_owned();
        Some(Self { source, first_kernel, before_ns, after_ns, times, steps })
    }
}

/// The cores whose launches make the steps: they all run the same sequence.
struct Cores<'a> {
    kernels: Vec<u32>,
    cores: Vec<&'a [KernelSlice]>,
}

impl<'a> Cores<'a> {
    /// The first core with the greatest `rank`, and those that run the same kernels in the same order.
    fn with(model: &DumpModel<'a>, rank: impl Fn(&[KernelSlice]) -> usize) -> Option<Self> {
        let all = || model.core_launches.iter().map(Vec::as_slice);
        let best = all().rev().max_by_key(|slices| rank(slices)).filter(|s| rank(s) > 0)?;
        let kernels = best.iter().map(|slice| slice.kernel);
        let is_same = |slices: &&[KernelSlice]| slices.iter().map(|s| s.kernel).eq(kernels.clone());
        Some(Self { cores: all().filter(is_same).collect(), kernels: kernels.collect() })
    }

    /// The parts (first launch, launches, regular) as times: a step begins when its first launch does on any core,
    /// and ends where the next begins.
    fn parts(&self, model: &DumpModel<'_>, parts: Vec<(usize, usize, bool)>) -> Vec<Part> {
        let start = |at: usize| self.cores.iter().filter_map(|c| c.get(at)).map(|s| s.start).min();
        let all = model.core_launches.iter().flatten();
        let run_end = all.map(|slice| slice.end).max().unwrap_or_default();
        let parts = parts.into_iter().filter_map(|(at, launches, is_regular)| {
            let start_ns = start(at)?;
            let end_ns = start(at + launches).unwrap_or(run_end).max(start_ns);
            Some(Part {
                start_ns,
                end_ns,
                launches: launches as u64,
                is_regular,
                ..Part::default()
            })
        });
        parts.collect()
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;
    use bigtpu_measure::planted::Planted;

    use super::*;

    /// Steps of two kernels on two cores, each of which takes so long, with a gap of 20 ns behind.
    fn planted(steps: &[i64]) -> Planted {
        let mut planted = Planted::default();
        let mut now = 0;
        for ns in steps {
            for core in [0, 1] {
                // Core 1 starts later.
                let late = i64::from(core) * 5;
                planted.kernel(core, "a", now + late, now + 40 + late);
                planted.work(core, Engine::Tiu, now + late, now + 40 + late);
                planted.kernel(core, "b", now + 50 + late, now + ns - 20);
                planted.work(core, Engine::Gdma, now + 50 + late, now + ns - 20);
            }
            now += ns;
        }
        planted
    }

    #[test]
    fn steps_have_times_and_phases() {
        let planted = planted(&[300, 100, 100, 100, 150, 100]);
        let model = planted.model();
        let times = Times::compute(&model);
        let steps = Steps::repeated(&model, &times).unwrap();
        assert_eq!((steps.first_kernel.as_str(), steps.before_ns, steps.after_ns), ("a", 0, 0));
        let ns: Vec<i64> = steps.steps.iter().map(Step::ns).collect();
        // The last step ends with its last launch.
        assert_eq!(ns, [300, 100, 100, 100, 150, 80]);
        for step in &steps.steps {
            let sum: i64 = step.phases().iter().map(|(_, ns)| ns).sum();
            assert_eq!(sum, step.ns());
        }
        for ns in -10..900 {
            let span = steps.span_at(ns);
            assert_eq!(
                span.as_ref().map(|(_, number)| *number),
                steps.step_at(ns).map(|s| s.number)
            );
            let other = |(span, number): &(Range<i64>, u64)| {
                !span.contains(&ns)
                    || span.clone().any(|ns| steps.step_at(ns).unwrap().number != *number)
            };
            assert!(!span.as_ref().is_some_and(other), "{ns}: {span:?}");
        }
        let second = &steps.steps[1];
        assert_eq!((second.compute_only_ns, second.transfer_only_ns, second.idle_ns), (45, 30, 25));
        let first = &steps.steps[0];
        assert_eq!((first.is_warm_up, first.cause), (true, Some(MomentActivity::Transfer)));
        let slow: Vec<u64> =
            steps.steps.iter().filter(|s| s.is_outlier).map(|s| s.number).collect();
        assert_eq!(slow, [4]);
        assert_eq!(
            (steps.times.steady, steps.times.durations.p50_ns, steps.times.warm_up_ns),
            (5, 100, 200)
        );
    }

    #[test]
    fn a_kernels_name_begins_steps() {
        let planted = planted(&[100, 100, 100]);
        let model = planted.model();
        let times = Times::compute(&model);
        let steps = Steps::at_kernels(&model, &times, &Regex::new("^b$").unwrap()).unwrap();
        let starts: Vec<i64> = steps.steps.iter().map(|step| step.work.start_ns).collect();
        assert_eq!(starts, [50, 150, 250]);
        assert_eq!((steps.before_ns, steps.steps[2].is_regular), (50, false));
        assert_eq!(Steps::at_kernels(&model, &times, &Regex::new("c").unwrap()), None);
    }
}
