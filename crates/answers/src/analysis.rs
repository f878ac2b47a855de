//! What is derived from a profile once and shown by several views.

use std::sync::Arc;

use bigtpu_compat::Summary;
use bigtpu_host_trace::HostTrace;
use bigtpu_machine::{Hardware, Overrides};
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{
    CommandTable, CommandWaits, DumpModel, Flows, KernelTotals, Launches, Reuse, Times, sync_flows,
};
use bigtpu_messages::Message;
use bigtpu_replay::{
    CriticalPath, EventCauses, EventDependences, Predictor, Refusal, Relief, Replay,
};
use bigtpu_timeline::{EngineId, Profile};
use regex_lite::Regex;

use crate::balance::layer_imbalances;
use crate::buffering::Buffering;
use crate::cause_place::{Loss, most_layer, name_kernel, name_layer};
use crate::findings::{Findings, OfProgram};
use crate::gains::replay_gains;
use crate::gaps::{GapTable, Gaps};
use crate::host::{HostLaunch, HostOptions, HostReport};
use crate::layer_path::{layer_of, layer_runs, layers_of_events, pieces_by_layer};
use crate::report::{NoteFacts, PathReport, Report};
use crate::roofline::layer_rooflines;
use crate::round_trips::RoundTrips;
use crate::steps::Steps;
use crate::units::{BlockRow, LayerRow};
use crate::verdict::RunVerdict;
use crate::work::WorkRow;

/// The graph of a run of at most so many events is kept: it takes about 50 bytes an event.
pub const MOST_REPLAYED: usize = 400_000;

/// Everything that is derived from a profile once and that several views show.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Every command, decoded once.
    pub table: CommandTable,
    /// Totals of cores, ports and the whole dump.
    pub summary: Summary,
    /// Which send released which wait.
    pub flows: Flows,
    /// Kernel launches of cores and ports.
    pub launches: Launches,
    /// Kernel functions, those that took longest first: in the order of the report's.
    pub kernels: Arc<[KernelTotals]>,
    /// All answers.
    pub report: Report,
    /// What the run waited for; `None` where the run can't be replayed.
    pub critical_path: Option<Arc<CriticalPath>>,
    /// What each event waited for, and its slack; `None` where the run can't be replayed.
    pub event_causes: Option<Arc<EventCauses>>,
    /// The graph of the run, for views that replay it; `None` for a run of more than [`MOST_REPLAYED`] events, or one that can't be
    /// replayed.
    pub replay: Option<Arc<Replay>>,
    /// Which call of the host launched what; none without a host trace.
    pub host_launches: Vec<HostLaunch>,
    /// The gaps of each engine: more than the report lists.
    pub gaps: Arc<GapTable>,
    reuse: Reuse,
    overrides: Overrides,
    /// The runs without a fault whose sentence names no place yet, each with its rule.
    unplaced: Vec<(String, Relief)>,
}

impl Analysis {
    /// Derives everything.
    #[must_use]
    pub fn derive(profile: &Profile<'_>) -> Self {
        Self::with_hardware(profile, &Overrides::default())
    }

    /// Derives everything, with roofs that replace those of the chip facts.
    #[must_use]
    pub fn with_hardware(profile: &Profile<'_>, overrides: &Overrides) -> Self {
        Self::and_replay(profile, overrides).0
    }

    /// Derives everything as [`Analysis::with_hardware`] does. Also returns what predictions start from, or why the run
    /// can't be replayed.
    pub fn with_predictor(
        profile: &Profile<'_>,
        overrides: &Overrides,
    ) -> (Self, Result<Predictor, Refusal>) {
        let (analysis, replay) = Self::and_replay(profile, overrides);
        let predictor = replay.map(|replay| Predictor::fit(replay, profile, &analysis.table));
        (analysis, predictor)
    }

    fn and_replay(
        profile: &Profile<'_>,
        overrides: &Overrides,
    ) -> (Self, Result<Arc<Replay>, Refusal>) {
        let (table, launches) =
            rayon::join(|| CommandTable::decode(profile), || Launches::collect(profile));
        // Reuse first: its last part is for one thread.
        let (reuse, (flows, waits)) = rayon::join(
            || Reuse::compute(profile, &table),
            || rayon::join(|| sync_flows(profile, &table), || CommandWaits::find(profile, &table)),
        );
        let model = DumpModel::new(profile, &table, &launches, reuse, &flows);
        let hardware =
            Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64).with(overrides);
        let beside = |waits: CommandWaits| {
            let buffering = Buffering::find(profile, &table, &waits, &model);
            let (round_trips, shared_loads) = RoundTrips::find(profile, &table, &model);
            let is_static = profile.is_static;
            let found = OfProgram { buffering, round_trips, shared_loads, is_static };
            (found, EventDependences::find(profile, &table, &flows, waits))
        };
        let (mut findings, dependences) = Findings::collect(&model, hardware, waits, beside);
        findings.explain_gaps(|id, event| dependences.as_ref().ok()?.cause(id, event));
        let mut gaps = std::mem::take(&mut findings.gap_table);
        let kernels = Arc::clone(&findings.kernels);
        let ((summary, mut report), replay) = rayon::join(
            || {
                let summary = Summary::add_up(profile, &table);
                let report = Report::new(profile, &table, &summary, findings);
                (summary, report)
            },
            || dependences.and_then(EventDependences::replay).map(Arc::new),
        );
        let path = replay.as_ref().map(|replay| replay.critical_path());
        report.critical_path = PathReport::from_path(path.map(Arc::as_ref));
        if let Ok(replay) = &replay {
            gaps.replay_costs(replay);
            report.gaps = Gaps::from_table(&model, &gaps);
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
            name_kernel(&mut report.advice, rule, &model, relief);
        }
        let wall_ns = report.intervals.overall.wall_ns;
        report.verdict = RunVerdict::choose(&report.advice, replay.as_deref().ok(), wall_ns);
        if let Some(steps) = &mut report.steps {
            steps.add_work(profile, &table, path.ok().map(Arc::as_ref), wall_ns);
        }
        let critical_path = path.ok().cloned();
        let event_causes = replay.as_ref().ok().map(|replay| replay.event_causes().clone());
        let kept = replay.as_ref().ok().filter(|_| profile.event_count() <= MOST_REPLAYED).cloned();
        let overrides = overrides.clone();
        let analysis = Self {
            table,
            summary,
            flows,
            launches,
            kernels,
            report,
            critical_path,
            event_causes,
            replay: kept,
            host_launches: Vec::new(),
            gaps: Arc::new(gaps),
            reuse,
            overrides,
            unplaced,
        };
        (analysis, replay)
    }

    /// Looks for steps anew: each launch of a kernel whose name matches begins one. `profile` is the one that this was
    /// derived from. Returns whether any name matches; without, the report has no steps.
    pub fn find_steps(&mut self, profile: &Profile<'_>, pattern: &Regex) -> bool {
        let model = self.model(profile);
        let mut steps = Steps::at_kernels(&model, &Times::compute(&model), pattern);
        self.add_work(profile, steps.as_mut());
        self.report.steps = steps;
        self.report.steps.is_some()
    }

    /// Adds the layers of a static model to the report. `profile` is the one that this was derived from.
    pub fn add_layers(&mut self, profile: &Profile<'_>, layers: &Layers) {
        let wall_ns = self.report.intervals.overall.wall_ns;
        let runs = layer_runs(profile, layers);
        let mut rows = LayerRow::all(profile, &self.table, layers, &runs, wall_ns);
        let of_event = layers_of_events(profile, &runs);
        self.report.work = WorkRow::of_layers(profile, &self.table, layers, &of_event);
        if let Some(path) = &self.critical_path {
            let pieces = pieces_by_layer(path, profile, &self.table, layers, &of_event);
            for row in &mut rows {
                let own = pieces.iter().filter(|piece| piece.layer_id == Some(row.id));
                row.work.path_ns = Some(own.map(|piece| piece.ns).sum());
            }
            let idle = WorkRow::of_idle(profile, path, Some((layers, &of_event)));
            self.report.work.extend(idle);
            self.report.verdict.name_layer(&rows, wall_ns);
            self.report.critical_path.pieces = pieces;
        }
        if let Some(expected) = self.report.expected.take() {
            let named = |id: EngineId, event: usize| {
                let id = layer_of(&of_event, id, event)? as usize + 1;
                Some((id as u64, layers.label(id)?))
            };
            let by_layer = expected.by_layer(&self.model(profile), &named, wall_ns);
            self.report.expected = Some(by_layer);
        }
        let (model, hardware) = (self.model(profile), self.chip_hardware(profile));
        let times = Times::compute(&model);
        let layer_of = |id, event| layer_of(&of_event, id, event);
        let row = |layer| rows.iter().find(|row| row.id == u64::from(layer) + 1);
        let place = |(rule, relief): &(String, Relief)| {
            let loss = most_layer(&model, relief, layer_of)?;
            let most = row(loss.most)?.title();
            Some((rule.clone(), Loss { most, share: loss.share, places: loss.places }))
        };
        let places: Vec<(String, Loss<Message>)> = self.unplaced.iter().filter_map(place).collect();
        for (rule, loss) in places {
            let Report { advice, verdict, .. } = &mut self.report;
            name_layer(advice, &rule, verdict, loss);
        }
        self.report.balance.layers = layer_imbalances(layers, &runs, &times);
        self.report.gaps.name_layers(layers, &of_event);
        self.report.roofline.layers = layer_rooflines(layers, &runs, &rows, &times, &hardware);
        self.report.blocks = BlockRow::all(&rows, &runs, wall_ns);
        self.report.layers = rows;
    }

    /// Adds what a host trace tells of the run: the report's part `host`. `profile` is the one that this was derived from.
    pub fn add_host(
        &mut self,
        profile: &Profile<'_>,
        host: &HostTrace,
        options: HostOptions<'_>,
        notes: Vec<NoteFacts>,
    ) {
        let model = self.model(profile);
        let (mut report, launches) =
            HostReport::compute(&model, &Times::compute(&model), host, options, notes);
        self.add_work(profile, report.steps.as_mut());
        self.report.host = Some(report);
        self.host_launches = launches;
    }

    /// Adds up what the commands of steps did.
    fn add_work(&self, profile: &Profile<'_>, steps: Option<&mut Steps>) {
        if let Some(steps) = steps {
            let wall_ns = self.report.intervals.overall.wall_ns;
            steps.add_work(profile, &self.table, self.critical_path.as_deref(), wall_ns);
        }
    }

    /// The roofs of the profile's chip at the clock in use, with those that replace them.
    #[must_use]
    pub fn chip_hardware(&self, profile: &Profile<'_>) -> Hardware {
        Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64).with(&self.overrides)
    }

    /// The events as the pure functions of this crate take them. `profile` is the one that this was derived from.
    #[must_use]
    pub fn model<'a>(&'a self, profile: &'a Profile<'_>) -> DumpModel<'a> {
        DumpModel::new(profile, &self.table, &self.launches, self.reuse, &self.flows)
    }
}
