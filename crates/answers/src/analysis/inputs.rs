//! What an analysis takes beside the profile.

use std::sync::Arc;

use bigtpu_machine::Overrides;
use bigtpu_measure::layers::Layers;
use regex_lite::Regex;

use crate::host::HostInput;

/// What is known of a run beside its events.
#[derive(Debug, Clone, Default)]
pub struct AnalysisInputs {
    /// Roofs that replace those of the chip facts.
    pub overrides: Overrides,
    /// Layers of a static model.
    pub layers: Option<Arc<Layers>>,
    /// Names of the kernels that begin a step, and of the host's events that hold one. Without, steps are where the kernels repeat, and
    /// `ProfilerStep#N` holds one.
    pub step: Option<Regex>,
    /// The host's trace.
    pub host: Option<HostInput>,
}
