//! Steps: the iterations of a run, what each took, and which of them stand out (`docs/analysis.md`).

mod regular;
mod repetition;
mod spans;
mod work;

use bigtpu_measure::{CoreTime, DumpModel, MomentActivity, Spans, Times};
use serde::{Deserialize, Serialize};

pub use regular::StepTimes;
use regular::mark;
pub(crate) use spans::Part;
pub use spans::StepSpans;

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

impl Steps {
    /// What each step took. `model` and `times` are those of the run in which they were found; `None` without any step.
    #[must_use]
    pub fn timed(spans: &StepSpans, model: &DumpModel<'_>, times: &Times) -> Option<Self> {
        let StepSpans { source, first_kernel, parts } = spans;
        let (from, to) = times.window;
        let (first, last) = (parts.first()?, parts.last()?);
        let (before_ns, after_ns) = (first.start_ns - from, (to - last.end_ns).max(0));
        let CoreTime { compute, transfer, work, sync, .. } = &times.all;
        let mut coverages = [compute, transfer, work, sync].map(Spans::coverage);
        let mut steps: Vec<Step> = parts
            .iter()
            .zip(0..)
            .map(|(part, number)| {
                let &Part { ref name, start_ns, end_ns, launches, is_regular } = part;
                let [c, t, w, s] =
                    coverages.each_mut().map(|coverage| coverage.covered(start_ns, end_ns));
                Step {
                    number,
                    name: name.clone(),
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
        Some(Self { source: *source, first_kernel, before_ns, after_ns, times, steps })
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;
    use bigtpu_measure::planted::Planted;
    use regex_lite::Regex;

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
        let spans = StepSpans::repeated(&model).unwrap();
        let steps = Steps::timed(&spans, &model, &times).unwrap();
        assert_eq!((steps.first_kernel.as_str(), steps.before_ns, steps.after_ns), ("a", 0, 0));
        let ns: Vec<i64> = steps.steps.iter().map(Step::ns).collect();
        // The last step ends with its last launch.
        assert_eq!(ns, [300, 100, 100, 100, 150, 80]);
        for step in &steps.steps {
            let sum: i64 = step.phases().iter().map(|(_, ns)| ns).sum();
            assert_eq!(sum, step.ns());
        }
        for ns in -10..900 {
            let number = spans.number_at(ns);
            // The last step that has begun, until the last one has ended.
            let begun = steps.steps.iter().rfind(|step| step.work.start_ns <= ns);
            let is_over = steps.steps.last().unwrap().work.end_ns <= ns;
            let expected = begun.filter(|_| !is_over).map(|step| step.number);
            assert_eq!(number, expected, "{ns}");
            let span = spans.span_at(ns);
            assert_eq!(span.as_ref().map(|(_, number)| *number), number);
            let holds = |mut span: std::ops::Range<i64>| {
                span.contains(&ns) && span.all(|ns| spans.number_at(ns) == number)
            };
            assert!(span.is_none_or(|(span, _)| holds(span)), "{ns}");
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
        let at = |pattern: &str| StepSpans::at_kernels(&model, &Regex::new(pattern).unwrap());
        let steps = Steps::timed(&at("^b$").unwrap(), &model, &times).unwrap();
        let starts: Vec<i64> = steps.steps.iter().map(|step| step.work.start_ns).collect();
        assert_eq!(starts, [50, 150, 250]);
        assert_eq!((steps.before_ns, steps.steps[2].is_regular), (50, false));
        assert_eq!(at("c"), None);
    }
}
