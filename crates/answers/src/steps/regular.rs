//! Which steps are usual: statistics, warm-up, outliers.

use bigtpu_measure::{Distribution, Durations, MomentActivity, round4};
use serde::{Deserialize, Serialize};

use super::Step;

/// A time is far from the median beyond this many standard deviations, estimated from the median absolute deviation,
const FAR: f64 = 3.5;
/// and beyond this share of the median.
const LEAST_SHARE: f64 = 0.05;
/// Standard deviation of a normal distribution over its median absolute deviation.
const DEVIATION: f64 = 1.4826;
/// Regular steps that are needed to call the first one warm-up, and to call any an outlier.
const LEAST_FOR_WARM_UP: u64 = 3;
const LEAST_FOR_OUTLIERS: u64 = 5;

/// Statistics of the steady steps: those that are regular and no warm-up, outliers included.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct StepTimes {
    /// Steps.
    pub count: u64,
    /// Steady ones.
    pub steady: u64,
    /// Distribution of the steady steps' times.
    #[serde(flatten)]
    pub durations: Distribution,
    /// The fastest in ns.
    pub min_ns: i64,
    /// Standard deviation over the mean.
    pub spread: f64,
    /// The first step in ns.
    pub first_ns: i64,
    /// Warm-up steps.
    pub warm_up: u64,
    /// ns that these took longer than as many usual steps.
    pub warm_up_ns: i64,
    /// Steady steps whose time is far from the usual.
    pub outliers: u64,
    /// Steps whose launches differ from those of the others.
    pub irregular: u64,
}

/// Marks warm-up and outliers, and sums up.
pub(super) fn mark(steps: &mut [Step]) -> StepTimes {
    let regular: Durations = steps.iter().filter(|s| s.is_regular).map(Step::ns).collect();
    let median = regular.percentile(50);
    let deviations: Durations = regular.sorted_ns().iter().map(|ns| (ns - median).abs()).collect();
    let far = (FAR * DEVIATION * deviations.percentile(50) as f64).max(median as f64 * LEAST_SHARE);
    let is_far = |ns: i64| (ns - median).abs() as f64 > far;
    let usual = usual_phases(steps);
    let mut is_first = regular.count() >= LEAST_FOR_WARM_UP;
    let last = steps.len().saturating_sub(1);
    for (at, step) in steps.iter_mut().enumerate() {
        let ns = step.ns();
        is_first &= is_far(ns) && ns > median;
        step.is_warm_up = is_first;
        let is_judged = step.is_regular && regular.count() >= LEAST_FOR_OUTLIERS;
        // The last step has no gap behind it: that it is short says nothing.
        step.is_outlier = !is_first && is_judged && is_far(ns) && (at < last || ns > median);
        if step.is_warm_up || step.is_outlier {
            let differs = step.phases().into_iter().zip(usual).map(|((phase, ns), usual)| {
                let more = if step.ns() > median { ns - usual } else { usual - ns };
                (more, phase)
            });
            step.cause = differs.max_by_key(|(more, _)| *more).map(|(_, phase)| phase);
        }
    }
    let of = |is: fn(&Step) -> bool| steps.iter().filter(move |step| is(step));
    let steady: Durations = of(|s| s.is_regular && !s.is_warm_up).map(Step::ns).collect();
    let mean = steady.mean();
    let squares: f64 = steady.sorted_ns().iter().map(|ns| (*ns as f64 - mean).powi(2)).sum();
    let deviation = (squares / (steady.count().max(2) - 1) as f64).sqrt();
    let durations = Distribution::compute(&steady);
    StepTimes {
        count: steps.len() as u64,
        steady: steady.count(),
        durations,
        min_ns: steady.min(),
        spread: if mean > 0.0 { round4(deviation / mean) } else { 0.0 },
        first_ns: steps.first().map_or(0, Step::ns),
        warm_up: of(|s| s.is_warm_up).count() as u64,
        warm_up_ns: of(|s| s.is_warm_up).map(|step| step.ns() - durations.p50_ns).sum(),
        outliers: of(|s| s.is_outlier).count() as u64,
        irregular: of(|s| !s.is_regular).count() as u64,
    }
}

/// Median of each phase over the regular steps.
fn usual_phases(steps: &[Step]) -> [i64; 5] {
    let regular: Vec<[(MomentActivity, i64); 5]> =
        steps.iter().filter(|s| s.is_regular).map(Step::phases).collect();
    std::array::from_fn(|i| {
        let of_phase = regular.iter().filter_map(|phases| phases.get(i).map(|(_, ns)| *ns));
        of_phase.collect::<Durations>().percentile(50)
    })
}
