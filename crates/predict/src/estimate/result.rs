//! What an estimate gives: every execution, and the sums of both phases.

use crate::estimate::cost::Cost;
use crate::estimate::expected::MeasuredEvidence;
use bigtpu_messages::Notes;
use bigtpu_model::LlmPhase;

/// One execution of an operator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EstimateStep {
    /// Part of the run.
    pub phase: LlmPhase,
    /// Executions that it stands for: 1, but for a measured part.
    pub executions: u64,
    /// Start in ns.
    pub start_ns: f64,
    /// Machine, an index into [`Estimate::machines`].
    pub machine: usize,
    /// Cost, transfers included.
    pub cost: Cost,
}

/// The target that is the measured run itself, beside those that are predicted.
pub const MEASURED_TARGET: &str = "measured";

/// A model on a target.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Name of the target.
    pub target: String,
    /// Names of the machines, the host first.
    pub machines: Vec<String>,
    /// One step an operator, in order.
    pub steps: Vec<EstimateStep>,
    /// Sums of summarization and generation.
    pub phases: [Cost; 2],
    /// Passes: executions of the last layer.
    pub passes: u64,
    /// Tokens that were generated.
    pub gen_tokens: u64,
    /// Whether every energy is known.
    pub energy_known: bool,
    /// Whether the bandwidth of every link that carried data is known; if not, its transfers count
    /// no time.
    pub transfers_known: bool,
    /// No machine takes less, in ns: arithmetic of convolutions and products at the peak, or weights, inputs and outputs at
    /// the bandwidth of main memory. `None` of measured runs, and of formulas of another tool.
    pub bound_ns: Option<f64>,
    /// Least and greatest time in ns that the errors of measured predictions make likely; `None` where no prediction of
    /// this kind was measured.
    pub range_ns: Option<[f64; 2]>,
    /// Measured times that the range is made of; `None` of formulas of another tool.
    pub evidence: Option<MeasuredEvidence>,
    /// What the numbers assume.
    pub notes: Notes,
}

impl Estimate {
    /// Time of the whole run in ns.
    #[must_use]
    pub fn time_ns(&self) -> f64 {
        self.phases.iter().map(|phase| phase.time_ns).sum()
    }

    /// Time of the whole run without transfers between host and device, in ns.
    #[must_use]
    pub fn device_ns(&self) -> f64 {
        let sent = |phase: &Cost| {
            phase.time.host_to_device.unwrap_or(0.0) + phase.time.device_to_host.unwrap_or(0.0)
        };
        self.phases.iter().map(|phase| phase.time_ns - sent(phase)).sum()
    }

    /// Energy of the whole run in pJ, if all of it is known.
    #[must_use]
    pub fn energy_pj(&self) -> Option<f64> {
        self.energy_known.then(|| self.phases.iter().map(|phase| phase.energy.sum()).sum())
    }

    /// Mean power in W, if the energy is known.
    #[must_use]
    pub fn power_w(&self) -> Option<f64> {
        // 1 pJ / ns = 1 mW.
        self.energy_pj().filter(|_| self.time_ns() > 0.0).map(|pj| pj / self.time_ns() / 1e3)
    }

    /// Generated tokens a second.
    #[must_use]
    pub fn tokens_per_s(&self) -> Option<f64> {
        let [_, generation] = &self.phases;
        (self.gen_tokens > 0 && generation.time_ns > 0.0)
            .then(|| self.gen_tokens as f64 / generation.time_ns * 1e9)
    }

    /// Energy of a generated token in mJ.
    #[must_use]
    pub fn mj_per_token(&self) -> Option<f64> {
        let [_, generation] = &self.phases;
        (self.gen_tokens > 0 && self.energy_known)
            .then(|| generation.energy.sum() / 1e9 / self.gen_tokens as f64)
    }
}
