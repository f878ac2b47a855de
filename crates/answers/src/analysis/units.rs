//! What time lines draw beside commands and gaps: steps, layers and blocks with what their commands did, and what the host did.

use bigtpu_measure::layers::{LayerRuns, Layers};
use bigtpu_measure::{DumpModel, Times};
use bigtpu_replay::{CriticalPath, Piece};
use bigtpu_timeline::Profile;

use super::Analysis;
use crate::host::HostReport;
use crate::layer_path::{LayerOfEvent, layer_runs, layers_of_events, pieces_by_layer};
use crate::report::Report;
use crate::steps::{StepSpans, Steps};
use crate::units::{BlockRow, LayerRow};

/// Parts of a report that time lines draw, of a run whose report is not known.
#[derive(Debug, Clone)]
pub(super) struct OwnUnits {
    steps: Option<Steps>,
    host: Option<HostReport>,
    layers: Vec<LayerRow>,
    blocks: Vec<BlockRow>,
}

/// Steps, layers, blocks and the host: what time lines draw beside commands and gaps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnUnits<'r> {
    /// Iterations: by the host's markers where its trace has any, else by the kernels.
    pub steps: Option<&'r Steps>,
    /// Layers of a static model.
    pub layers: &'r [LayerRow],
    /// Its blocks.
    pub blocks: &'r [BlockRow],
    /// What a host's trace tells.
    pub host: Option<&'r HostReport>,
}

impl OwnUnits {
    pub(super) fn as_drawn(&self) -> DrawnUnits<'_> {
        let Self { steps, host, layers, blocks } = self;
        let by_host = host.as_ref().and_then(|host| host.steps.as_ref());
        DrawnUnits { steps: by_host.or(steps.as_ref()), layers, blocks, host: host.as_ref() }
    }
}

impl<'r> DrawnUnits<'r> {
    pub(super) fn of_report(report: &'r Report) -> Self {
        let Report { layers, blocks, host, .. } = report;
        Self { steps: report.iterations(), layers, blocks, host: host.as_ref() }
    }
}

/// The layers of a run, with what their commands did.
pub(super) struct LayersOfRun {
    pub(super) runs: Vec<LayerRuns>,
    pub(super) of_event: LayerOfEvent,
    pub(super) rows: Vec<LayerRow>,
    /// The critical path by layer.
    pub(super) pieces: Vec<Piece>,
}

impl Analysis {
    pub(super) fn own_units(
        &self,
        profile: &Profile<'_>,
        model: &DumpModel<'_>,
        times: &Times,
        path: Option<&CriticalPath>,
    ) -> OwnUnits {
        let wall_ns = times.window.1 - times.window.0;
        let spans = self.placed(profile).steps.as_ref();
        let mut steps = spans.and_then(|spans| Steps::timed(spans, model, times));
        self.add_work(&mut steps, spans, profile, path, wall_ns);
        let layers = self.inputs.layers.as_deref();
        let layers = layers.map(|layers| self.layers_of_run(profile, layers, path, wall_ns));
        let blocks = layers.as_ref().map(|of| BlockRow::all(&of.rows, &of.runs, wall_ns));
        OwnUnits {
            steps,
            host: self.host_report(profile, model, times, path, wall_ns),
            layers: layers.map(|of| of.rows).unwrap_or_default(),
            blocks: blocks.unwrap_or_default(),
        }
    }

    /// What the host's trace tells; `None` without one.
    pub(super) fn host_report(
        &self,
        profile: &Profile<'_>,
        model: &DumpModel<'_>,
        times: &Times,
        path: Option<&CriticalPath>,
        wall_ns: i64,
    ) -> Option<HostReport> {
        let (host, of) = self.inputs.host.as_ref().zip(self.placed(profile).host.as_ref())?;
        let steps = of.steps.as_ref();
        let mut report = HostReport::compute(model, times, host, &of.matches, steps);
        self.add_work(&mut report.steps, steps, profile, path, wall_ns);
        Some(report)
    }

    /// Adds up what the commands of steps did. `spans`: those of the steps.
    pub(super) fn add_work(
        &self,
        steps: &mut Option<Steps>,
        spans: Option<&StepSpans>,
        profile: &Profile<'_>,
        path: Option<&CriticalPath>,
        wall_ns: i64,
    ) {
        if let Some((steps, spans)) = steps.as_mut().zip(spans) {
            steps.add_work(spans, profile, &self.table, path, wall_ns);
        }
    }

    pub(super) fn layers_of_run(
        &self,
        profile: &Profile<'_>,
        layers: &Layers,
        path: Option<&CriticalPath>,
        wall_ns: i64,
    ) -> LayersOfRun {
        let runs = layer_runs(profile, layers);
        let mut rows = LayerRow::all(profile, &self.table, layers, &runs, wall_ns);
        let of_event = layers_of_events(profile, &runs);
        let mut pieces = Vec::new();
        if let Some(path) = path {
            pieces = pieces_by_layer(path, profile, &self.table, layers, &of_event);
            for row in &mut rows {
                let own = pieces.iter().filter(|piece| piece.layer_id == Some(row.id));
                row.work.path_ns = Some(own.map(|piece| piece.ns).sum());
            }
        }
        LayersOfRun { runs, of_event, rows, pieces }
    }
}
