//! Derives what is asked for, and nothing that is deeper.

use std::sync::Arc;

use bigtpu_measure::{CommandWaits, DumpModel, Flows, Reuse, sync_flows};
use bigtpu_replay::EventDependences;
use bigtpu_timeline::Profile;

use super::answers::{Answers, Parts};
use super::replayed::{Replayed, replayed};
use super::{Analysis, Causes, Drawn, MOST_REPLAYED};
use crate::buffering::Buffering;
use crate::findings::{Findings, OfProgram};
use crate::gaps::GapTable;
use crate::round_trips::RoundTrips;

/// What commands tell of each other.
struct Related {
    reuse: Reuse,
    flows: Flows,
    waits: CommandWaits,
}

impl Analysis {
    /// Derives down to the causes.
    pub(super) fn derive_causes(&self, profile: &Profile<'_>) -> (Causes, Replayed) {
        let Related { reuse, flows, waits } = self.related(profile);
        let replay = replayed(EventDependences::find(profile, &self.table, &flows, waits));
        (Causes::new(reuse, flows, &replay, profile), replay)
    }

    /// Derives down to what time lines draw.
    pub(super) fn derive_drawn(&self, profile: &Profile<'_>) -> (Causes, Drawn, Replayed) {
        let Related { reuse, flows, waits } = self.related(profile);
        let model = DumpModel::new(profile, &self.table, &self.launches, reuse, &flows);
        let ((mut gaps, times), dependences) = rayon::join(
            || GapTable::find(&model),
            || EventDependences::find(profile, &self.table, &flows, waits),
        );
        gaps.explain(&model, |id, event| dependences.as_ref().ok()?.cause(id, event));
        let replay = replayed(dependences);
        if let Ok(replay) = &replay {
            gaps.replay_costs(replay);
        }
        let path = replay.as_ref().ok().map(|replay| &**replay.critical_path());
        let units = Some(self.own_units(profile, &model, &times, path));
        (Causes::new(reuse, flows, &replay, profile), Drawn { gaps, units }, replay)
    }

    /// Derives everything.
    pub(super) fn derive_answers(
        &self,
        profile: &Profile<'_>,
    ) -> (Causes, Drawn, Answers, Replayed) {
        let Related { reuse, flows, waits } = self.related(profile);
        let table = &self.table;
        let model = DumpModel::new(profile, table, &self.launches, reuse, &flows);
        let beside = |waits: CommandWaits| {
            let buffering = Buffering::find(profile, table, &waits, &model);
            let (round_trips, shared_loads) = RoundTrips::find(profile, table, &model);
            let is_static = profile.is_static;
            let found = OfProgram { buffering, round_trips, shared_loads, is_static };
            (found, EventDependences::find(profile, table, &flows, waits))
        };
        let hardware = self.chip_hardware(profile);
        let placed = self.placed(profile);
        let steps = placed.steps.as_ref();
        let (mut findings, dependences) = Findings::collect(&model, hardware, waits, steps, beside);
        findings.explain_gaps(|id, event| dependences.as_ref().ok()?.cause(id, event));
        let mut gaps = std::mem::take(&mut findings.gap_table);
        let kernels = Arc::clone(&findings.kernels);
        let ((summary, report), replay) =
            rayon::join(|| self.summed(profile, findings), || replayed(dependences));
        if let Ok(replay) = &replay {
            gaps.replay_costs(replay);
        }
        let parts = Parts { profile, model: &model, gaps: &gaps, replay: &replay };
        let report = self.finished(report, &parts, placed);
        let answers = Answers { summary, kernels, report };
        // The report has the units.
        let drawn = Drawn { gaps, units: None };
        (Causes::new(reuse, flows, &replay, profile), drawn, answers, replay)
    }

    fn related(&self, profile: &Profile<'_>) -> Related {
        let table = &self.table;
        // Reuse first: its last part is for one thread.
        let (reuse, (flows, waits)) = rayon::join(
            || Reuse::compute(profile, table),
            || rayon::join(|| sync_flows(profile, table), || CommandWaits::find(profile, table)),
        );
        Related { reuse, flows, waits }
    }
}

impl Causes {
    fn new(reuse: Reuse, flows: Flows, replay: &Replayed, profile: &Profile<'_>) -> Self {
        let replay = replay.as_ref().ok();
        Self {
            reuse,
            flows,
            critical_path: replay.map(|replay| Arc::clone(replay.critical_path())),
            event_causes: replay.map(|replay| Arc::clone(replay.event_causes())),
            replay: replay.filter(|_| profile.event_count() <= MOST_REPLAYED).cloned(),
        }
    }
}
