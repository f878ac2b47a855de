//! What is derived from a profile once and shown by several views.

use std::sync::{Arc, OnceLock};

use bigtpu_compat::Summary;
use bigtpu_hardware::{Hardware, Overrides};
use bigtpu_measure::{CommandTable, Flow, Launches, Model, Reuse, sync_flows};
use bigtpu_replay::{CriticalPath, Refusal, Replay};
use bigtpu_timeline::Profile;

use crate::findings::Findings;
use crate::replay::replay;
use crate::report::{PathReport, Report};

/// Everything that is derived from a profile once and that several views show.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Every command, decoded once.
    pub table: CommandTable,
    /// Totals of cores, ports and the whole dump.
    pub summary: Summary,
    /// Which send released which wait.
    pub flows: Vec<Flow>,
    /// Kernel launches of cores and ports.
    pub launches: Launches,
    /// All answers.
    pub report: Report,
    /// What the run waited for; `None` where the run can't be replayed.
    pub critical_path: Option<CriticalPath>,
    reuse: Reuse,
    overrides: Overrides,
    replay: OnceLock<Arc<Result<Replay, Refusal>>>,
}

impl Analysis {
    /// Derives everything.
    #[must_use]
    pub fn of(profile: &Profile<'_>) -> Self {
        Self::with_hardware(profile, &Overrides::default())
    }

    /// The same with roofs that replace those of the chip facts.
    #[must_use]
    pub fn with_hardware(profile: &Profile<'_>, overrides: &Overrides) -> Self {
        let (table, launches) = rayon::join(|| CommandTable::of(profile), || Launches::of(profile));
        let (summary, (flows, reuse)) = rayon::join(
            || Summary::of(profile, &table),
            || rayon::join(|| sync_flows(profile, &table), || Reuse::of(profile, &table)),
        );
        let model = Model::new(profile, &table, &launches, reuse, &flows);
        let hardware =
            Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64).with(overrides);
        let (mut report, path) = rayon::join(
            || Report::new(profile, &summary, Findings::of(&model, hardware)),
            || replay(profile, &table, &flows).map(|replay| replay.critical_path().clone()),
        );
        report.critical_path = PathReport::of(path.as_ref());
        let critical_path = path.ok();
        let overrides = overrides.clone();
        let replay = OnceLock::new();
        Self { table, summary, flows, launches, report, critical_path, reuse, overrides, replay }
    }

    /// The roofs of the profile's chip at the clock in use, with those that replace them.
    #[must_use]
    pub fn hardware(&self, profile: &Profile<'_>) -> Hardware {
        Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64).with(&self.overrides)
    }

    /// The task graph of the run, or why there is none. `profile` is the one that this was derived from.
    pub fn replay(&self, profile: &Profile<'_>) -> &Result<Replay, Refusal> {
        self.replay.get_or_init(|| Arc::new(replay(profile, &self.table, &self.flows)))
    }

    /// The events as the pure functions of this crate take them. `profile` is the one that this was derived from.
    #[must_use]
    pub fn model<'a>(&'a self, profile: &'a Profile<'_>) -> Model<'a> {
        Model::new(profile, &self.table, &self.launches, self.reuse, &self.flows)
    }
}
