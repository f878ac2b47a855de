//! What a model could gain: by full concurrency, then by each kind of layer at its peak.

use bigtpu_measure::layers::Module;
use bigtpu_timeline::Profile;

use crate::engine_summary::EngineSummary;
use crate::layer_kind::{LayerKind, of_all_kinds};
use crate::peak::{Peak, rounded};

/// A step towards the best time.
#[derive(Debug, Clone, PartialEq)]
pub struct Gain {
    /// What changes.
    pub name: String,
    /// Time that it saves, in us.
    pub reduced: f64,
    /// Time with this step and those before it, in us.
    pub current: f64,
    /// How much of the TIU's and GDMA's time runs side by side, in percent.
    pub concurrency: f64,
    /// The model's operations at the peak over the time, in percent.
    pub mac_utilization: f64,
    /// What the step assumes.
    pub remark: String,
}

/// The steps of a model, by its kinds of layers.
#[must_use]
pub fn gains(
    profile: &Profile<'_>,
    summary: &EngineSummary,
    module: &Module,
    kinds: &[LayerKind],
) -> Vec<Gain> {
    let mhz = profile.clocks.tiu_mhz as f64;
    let peak = Peak::for_chip(profile);
    let total = summary.total_ns as f64 / 1000.0;
    let us = of_all_kinds(kinds).us(mhz);
    let concurrency = rounded(summary.overall_overlap().concurrency * 100.0, 2);
    let conv = peak.tops("Conv", &module.mode);
    let ideal = if conv > 0.0 { module.flops as f64 / conv / 1e6 } else { 0.0 };
    let step = |name: &str, reduced, current, concurrency, remark: &str| Gain {
        name: name.to_owned(),
        reduced,
        current,
        concurrency,
        mac_utilization: rounded(if current == 0.0 { 0.0 } else { ideal / current * 100.0 }, 3),
        remark: remark.to_owned(),
    };
    let mut steps = vec![
        step(
            "origin",
            0.0,
            total,
            concurrency,
            "排除CPU耗时及输入输出在runtime空间和用户空间的搬运耗时",
        ),
        step("100% Concurrency", total - us, us, 100.0, "TIU和GDMA的并行度100%"),
    ];
    for (of_kind, word) in [(false, "Model"), (true, "Layer")] {
        let mut current = us;
        for kind in kinds {
            let tops = peak.tops(if of_kind { &kind.name } else { "Conv" }, &module.mode);
            let best = if tops > 0.0 { kind.tiu.alg_ops as f64 / tops / 1e6 } else { 0.0 };
            let reduced = kind.us(mhz) - best;
            current -= reduced;
            let name = format!("{} tiuTime: {:.2} us -> {best:.2} us", kind.name, kind.us(mhz));
            let remark = format!("{}的耗时用{word}PeakTops得到的理论耗时替换", kind.name);
            steps.push(step(&name, reduced, current, 100.0, &remark));
        }
    }
    steps
}
