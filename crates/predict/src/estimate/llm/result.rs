//! What the estimate of a language model gives.

use bigtpu_model::Operator;
use bigtpu_model::llm::{LlmLoad, Split, StoredBytes, Types};

use crate::estimate::expected::MeasuredEvidence;
use crate::estimate::llm::bound::{LlmBound, TimeByBound};
use crate::estimate::llm::offload::Offload;
use crate::estimate::llm::speculation::Speculation;
use crate::estimate::result::Estimate;
use crate::links::Links;

/// Times of a token after the first one, in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenTimes {
    /// Mean of all.
    pub mean: f64,
    /// The second token, with the shortest cache.
    pub first: f64,
    /// The last one.
    pub last: f64,
}

/// A language model on a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmEstimate {
    /// What was asked.
    pub request: LlmLoad,
    /// How it is divided.
    pub split: Split,
    /// Types of elements.
    pub types: Types,
    /// Operators of one device in both phases, one for each step.
    pub operators: Vec<Operator>,
    /// What each step is bound by; `None` where it takes no time.
    pub bounds: Vec<Option<LlmBound>>,
    /// A step for each operator, with all its executions. Time is that of a device, work and energy are those of all.
    pub estimate: Estimate,
    /// Times of further tokens; `None` if only one is generated.
    pub token_ns: Option<TokenTimes>,
    /// Time of both phases by bound.
    pub by_bound: [TimeByBound; 2],
    /// Bytes of the fullest device.
    pub stored: StoredBytes,
    /// Bytes that a device has, where they are known.
    pub device_bytes: Option<u64>,
    /// Links that were charged, where there are several devices.
    pub links: Option<Links>,
    /// What the proposals of a smaller model give.
    pub speculation: Option<Speculation>,
    /// What the host keeps.
    pub offload: Offload,
    /// Whether the model generates tokens; otherwise the time of the first token is that of its only pass.
    pub generates: bool,
    /// Whether measurements of the user made the times: a dump of this chip, or rows.
    pub calibrated: bool,
    /// No machine takes less than this for the first token and for a further one (the mean), in ns.
    pub bound_ns: [f64; 2],
    /// Least and greatest likely time of the first token and of a further one, in ns; `None` where no such time was
    /// measured.
    pub range_ns: [Option<[f64; 2]>; 2],
    /// What stands behind both.
    pub evidence: [MeasuredEvidence; 2],
}

impl LlmEstimate {
    /// Time until the first token is there, in ns.
    #[must_use]
    pub fn first_token_ns(&self) -> f64 {
        let [prompt, _] = &self.estimate.phases;
        prompt.time_ns
    }

    /// Whether everything fits into the memory of each device, where its size is known.
    #[must_use]
    pub fn fits(&self) -> Option<bool> {
        self.device_bytes.map(|bytes| self.stored.total() <= bytes as f64)
    }
}
