//! The report, made of what was found.

use std::sync::Arc;

use bigtpu_compat::Summary;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{DumpModel, KernelTotals, Times};
use bigtpu_replay::{CriticalPath, Relief};
use bigtpu_timeline::{EngineId, Profile};

use super::placed::Placed;
use super::replayed::Replayed;
use super::units::LayersOfRun;
use super::{Analysis, MOST_REPLAYED};
use crate::balance::layer_imbalances;
use crate::cause_place::{Loss, most_layer, name_kernel, name_layer};
use crate::findings::Findings;
use crate::gains::replay_gains;
use crate::gaps::{GapTable, Gaps};
use crate::layer_path::layer_of;
use crate::report::{PathReport, Report};
use crate::roofline::layer_rooflines;
use crate::units::{BlockRow, LayerRow};
use crate::verdict::RunVerdict;
use crate::work::WorkRow;

/// See [`super::Depth::Answers`].
#[derive(Debug, Clone)]
pub(super) struct Answers {
    pub(super) summary: Summary,
    pub(super) kernels: Arc<[KernelTotals]>,
    pub(super) report: Report,
}

/// What a report is finished with.
pub(super) struct Parts<'m, 'a, 'p> {
    pub(super) profile: &'m Profile<'p>,
    pub(super) model: &'m DumpModel<'a>,
    pub(super) gaps: &'m GapTable,
    pub(super) replay: &'m Replayed,
}

impl Parts<'_, '_, '_> {
    fn path(&self) -> Option<&CriticalPath> {
        self.replay.as_ref().ok().map(|replay| &**replay.critical_path())
    }
}

impl Analysis {
    /// The totals, and a report that knows nothing of the replayed run.
    pub(super) fn summed(
        &self,
        profile: &Profile<'_>,
        findings: Findings<'_, '_>,
    ) -> (Summary, Report) {
        let summary = Summary::add_up(profile, &self.table);
        let report = Report::new(profile, &self.table, &summary, self.facts.clone(), findings);
        (summary, report)
    }

    /// Adds what the replayed run, its layers, its steps and the host tell.
    pub(super) fn finished(
        &self,
        mut report: Report,
        parts: &Parts<'_, '_, '_>,
        placed: &Placed,
    ) -> Report {
        let Parts { profile, model, gaps, replay } = *parts;
        let path = replay.as_ref().map(|replay| &**replay.critical_path());
        report.critical_path = PathReport::from_path(path);
        if replay.is_ok() {
            report.gaps = Gaps::from_table(model, gaps);
        }
        if let Ok(path) = path {
            report.work.extend(WorkRow::of_idle(profile, path, None));
        }
        let (together, mut unplaced) = replay_gains(&mut report.advice, replay.as_deref().ok());
        report.advice_together = together;
        if profile.event_count() > MOST_REPLAYED {
            // Of a long run the place of the greatest cause is enough.
            let first = report.advice.first();
            unplaced.retain(|(rule, _)| first.is_some_and(|first| first.id == *rule));
        }
        for (rule, relief) in &unplaced {
            name_kernel(&mut report.advice, rule, model, relief);
        }
        let wall_ns = report.intervals.overall.wall_ns;
        report.verdict = RunVerdict::choose(&report.advice, replay.as_deref().ok(), wall_ns);
        let (spans, path) = (placed.steps.as_ref(), parts.path());
        self.add_work(&mut report.steps, spans, profile, path, wall_ns);
        if let Some(layers) = &self.inputs.layers {
            self.add_layers(&mut report, parts, layers, &unplaced);
        }
        if placed.host.is_some() {
            let times = Times::compute(model);
            report.host = self.host_report(profile, model, &times, path, wall_ns);
        }
        report
    }

    /// Adds the layers of a static model. `unplaced`: the runs without a fault whose sentence names no place yet, each with its rule.
    fn add_layers(
        &self,
        report: &mut Report,
        parts: &Parts<'_, '_, '_>,
        layers: &Layers,
        unplaced: &[(String, Relief)],
    ) {
        let Parts { profile, model, .. } = *parts;
        let wall_ns = report.intervals.overall.wall_ns;
        let LayersOfRun { runs, of_event, rows, pieces } =
            self.layers_of_run(profile, layers, parts.path(), wall_ns);
        report.work = WorkRow::of_layers(profile, &self.table, layers, &of_event);
        if let Some(path) = parts.path() {
            let idle = WorkRow::of_idle(profile, path, Some((layers, &of_event)));
            report.work.extend(idle);
            report.verdict.name_layer(&rows, wall_ns);
            report.critical_path.pieces = pieces;
        }
        if let Some(expected) = report.expected.take() {
            let named = |id: EngineId, event: usize| {
                let id = layer_of(&of_event, id, event)? as usize + 1;
                Some((id as u64, layers.label(id)?))
            };
            report.expected = Some(expected.by_layer(model, &named, wall_ns));
        }
        let times = Times::compute(model);
        let layer_of = |id, event| layer_of(&of_event, id, event);
        let row = |layer| rows.iter().find(|row| row.id == u64::from(layer) + 1);
        for (rule, relief) in unplaced {
            let Some(loss) = most_layer(model, relief, layer_of) else { continue };
            let Some(most) = row(loss.most).map(LayerRow::title) else { continue };
            let loss = Loss { most, share: loss.share, places: loss.places };
            name_layer(&mut report.advice, rule, &mut report.verdict, loss);
        }
        let hardware = self.chip_hardware(profile);
        report.balance.layers = layer_imbalances(layers, &runs, &times);
        report.gaps.name_layers(layers, &of_event);
        report.roofline.layers = layer_rooflines(layers, &runs, &rows, &times, &hardware);
        report.blocks = BlockRow::all(&rows, &runs, wall_ns);
        report.layers = rows;
    }
}
