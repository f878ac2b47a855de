//! What is derived from a profile once and shown by several views.

use std::sync::{Arc, OnceLock};

use bigtpu_measure::CommandTable;
use bigtpu_replay::{Refusal, Replay};
use bigtpu_timeline::Profile;

use crate::facts::{Facts, Model};
use crate::findings::Findings;
use crate::flows::{Flow, sync_flows};
use crate::replay::replay;
use crate::report::Report;
use crate::summary::Summary;
use bigtpu_hardware::{Hardware, Overrides};

/// Everything that is derived from a profile once and that several views show. What only some views ask
/// for is derived when the first of them does.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// Every command, decoded once.
    pub table: CommandTable,
    /// Totals of cores, ports and the whole dump.
    pub summary: Summary,
    /// Which send released which wait.
    pub flows: Vec<Flow>,
    overrides: Overrides,
    facts: OnceLock<Facts>,
    report: OnceLock<Report>,
    replay: OnceLock<Arc<Result<Replay, Refusal>>>,
}

impl Analysis {
    /// Derives what every view needs.
    #[must_use]
    pub fn of(profile: &Profile<'_>) -> Self {
        let table = CommandTable::of(profile);
        let (summary, flows) = rayon::join(|| Summary::of(profile), || sync_flows(profile));
        Self { table, summary, flows, ..Self::default() }
    }

    /// The same with roofs that replace those of the chip facts.
    #[must_use]
    pub fn with_hardware(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    /// The roofs of the profile's chip at the clock in use, with those that replace them.
    #[must_use]
    pub fn hardware(&self, profile: &Profile<'_>) -> Hardware {
        Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64).with(&self.overrides)
    }

    /// Every event, described. `profile` is the one that this was derived from.
    pub fn facts(&self, profile: &Profile<'_>) -> &Facts {
        self.facts.get_or_init(|| Facts::of(profile))
    }

    /// The task graph of the run, or why there is none. `profile` is the one that this was derived from.
    pub fn replay(&self, profile: &Profile<'_>) -> &Result<Replay, Refusal> {
        self.replay.get_or_init(|| Arc::new(replay(profile, &self.table, &self.flows)))
    }

    /// The events as the pure functions of this crate take them.
    #[must_use]
    pub fn model<'a>(&'a self, profile: &'a Profile<'_>) -> Model<'a> {
        Model::new(profile, self.facts(profile), &self.flows)
    }

    /// All answers. `profile` is the one that this was derived from.
    pub fn report(&self, profile: &Profile<'_>) -> &Report {
        self.report.get_or_init(|| {
            let model = self.model(profile);
            Report::new(profile, &self.summary, Findings::of(&model, self.hardware(profile)))
        })
    }
}
