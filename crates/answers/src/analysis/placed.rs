//! Where steps are, and what the host launched: the launches of kernels tell it.

use bigtpu_measure::{DumpModel, Flows, Reuse};
use bigtpu_timeline::Profile;

use super::Analysis;
use crate::host::{HostLaunch, HostMatches};
use crate::steps::StepSpans;

/// Where steps are, and what the host launched.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    /// Steps by the kernels.
    pub(super) steps: Option<StepSpans>,
    /// With a host's trace.
    pub(super) host: Option<OfHost>,
}

/// What a host's trace tells of launches.
#[derive(Debug, Clone)]
pub(super) struct OfHost {
    pub(super) matches: HostMatches,
    pub(super) launches: Vec<HostLaunch>,
    /// Steps by its markers.
    pub(super) steps: Option<StepSpans>,
}

impl Placed {
    pub(super) fn find(analysis: &Analysis, profile: &Profile<'_>) -> Self {
        // Launches depend on nothing else of the model.
        let flows = Flows::default();
        let Analysis { table, launches, inputs, .. } = analysis;
        let model = DumpModel::new(profile, table, launches, Reuse::default(), &flows);
        let pattern = inputs.step.as_ref();
        let host = inputs.host.as_ref().map(|host| {
            let matches = HostMatches::find(&model, host);
            let launches = matches.launches(&model);
            let steps = matches.steps(&host.trace, pattern);
            OfHost { matches, launches, steps }
        });
        let steps = match pattern {
            Some(pattern) => StepSpans::at_kernels(&model, pattern),
            None => StepSpans::repeated(&model),
        };
        Self { steps, host }
    }
}
