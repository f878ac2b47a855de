//! A run that can be predicted with changes: its graph, and how its transfers divide into latency and bandwidth.

use std::sync::Arc;

use bigtpu_chip::{Engine, Family};
use bigtpu_measure::layers::LayerLabel;
use bigtpu_measure::{Activity, CommandKind, CommandTable};
use bigtpu_messages::{Notes, message};
use bigtpu_timeline::{EngineId, Profile};

use crate::change::MOST_FACTOR;
use crate::confidence::{Confidence, KindUse};
use crate::dependence::{Certainty, DependenceKind};
use crate::fit::Fit;
use crate::input::{Bound, Class, Input, Task};
use crate::plain::TaskKind;
use crate::replay::Replay;

/// Layers of a static model.
#[derive(Debug, Default)]
pub(crate) struct TaskLayers {
    pub(crate) names: Vec<LayerLabel>,
    /// Index of each task's layer in the names; an index that no layer has for tasks without a layer. Empty without
    /// layers.
    pub(crate) of_task: Vec<u32>,
}

/// What the duration of a command is multiplied by, and within which bounds this is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommandFactor {
    /// As predicted.
    pub factor: f64,
    /// At least.
    pub least: f64,
    /// At most.
    pub most: f64,
}

impl CommandFactor {
    /// A factor that is known.
    #[must_use]
    pub fn exact(factor: f64) -> Self {
        Self { factor, least: factor, most: factor }
    }
}

/// What the duration of each task is multiplied by; all are empty if no single command changes.
#[derive(Debug, Default)]
pub(crate) struct TaskFactors {
    pub(crate) predicted: Vec<f32>,
    pub(crate) least: Vec<f32>,
    pub(crate) most: Vec<f32>,
}

/// A run that can be predicted with changes.
#[derive(Debug)]
pub struct Predictor {
    pub(crate) replay: Arc<Replay>,
    /// ns of each task's duration that depend on a bandwidth.
    pub(crate) bandwidth_ns: Vec<u32>,
    /// Whether the records tell waits from work.
    pub(crate) knows_waits: bool,
    /// Whether any command explains a record.
    pub(crate) knows_commands: bool,
    /// Whether ports worked: also those that nothing binds to the cores, for which launches may wait all the same.
    pub(crate) has_ports: bool,
    pub(crate) layers: TaskLayers,
    pub(crate) commands: TaskFactors,
    confidence: Confidence,
}

impl Predictor {
    /// Fits the transfers of the run that `replay` is the graph of.
    #[must_use]
    pub fn fit(
        replay: impl Into<Arc<Replay>>,
        profile: &Profile<'_>,
        table: &CommandTable,
    ) -> Self {
        let replay = replay.into();
        let input = Input::new(profile, table);
        let fit = Fit::compute(&input);
        let knows_waits = knows_waits(&input);
        let knows_commands = input.knows_commands();
        let confidence = confidence(&input, &replay, &fit, knows_waits);
        let has_ports = has_ports(profile);
        let layers = TaskLayers::default();
        let bandwidth_ns = fit.bandwidth_ns;
        let commands = TaskFactors::default();
        Self {
            replay,
            bandwidth_ns,
            knows_waits,
            knows_commands,
            has_ports,
            layers,
            commands,
            confidence,
        }
    }

    /// Adds names of layers, and the layer of each event: for each engine, an index into the names by event.
    #[must_use]
    pub fn with_layers<'l>(
        self,
        names: Vec<LayerLabel>,
        of_events: impl IntoIterator<Item = (EngineId, &'l [Option<u32>])>,
    ) -> Self {
        let mut of_task = vec![u32::MAX; self.replay.events];
        for (engine_id, layers) in of_events {
            let track = self.replay.tracks_with_lengths().find(|(own, ..)| *own == engine_id);
            let Some((_, first, events)) = track else { continue };
            let slots = of_task.iter_mut().skip(first as usize).take(events);
            for (slot, layer) in slots.zip(layers) {
                *slot = layer.unwrap_or(*slot);
            }
        }
        Self { layers: TaskLayers { names, of_task }, ..self }
    }

    /// Adds events that take another time: their engine, their index, and what their duration is multiplied by, beside
    /// what it is multiplied by already.
    #[must_use]
    pub fn with_commands(
        mut self,
        factors: impl IntoIterator<Item = (EngineId, usize, CommandFactor)>,
    ) -> Self {
        let events = self.replay.events;
        let TaskFactors { predicted, least, most } = &mut self.commands;
        for all in [&mut *predicted, &mut *least, &mut *most] {
            all.resize(events, 1.0);
        }
        let mut engine: Option<(EngineId, usize, usize)> = None;
        for (engine_id, event, own) in factors {
            if engine.is_none_or(|(known, ..)| known != engine_id) {
                let tracks = self.replay.tracks_with_lengths();
                engine = tracks
                    .map(|(id, first, events)| (id, first as usize, events))
                    .find(|(own, ..)| *own == engine_id);
            }
            let Some((_, first, _)) = engine.filter(|(.., events)| event < *events) else {
                continue;
            };
            let multiply = |all: &mut Vec<f32>, factor: f64| {
                if let Some(known) = all.get_mut(first + event) {
                    *known = (f64::from(*known) * factor).clamp(0.0, MOST_FACTOR) as f32;
                }
            };
            multiply(predicted, own.factor);
            multiply(least, own.least);
            multiply(most, own.most);
        }
        self
    }

    /// Returns for each event of an engine what it does, and the ns of its duration that depend on the bandwidth of
    /// what bounds it; the rest, such as the latency of a transfer, does not. Empty for an engine without events.
    pub fn bandwidth_times(&self, engine: EngineId) -> impl Iterator<Item = (TaskKind, u32)> {
        let track = self.replay.tracks_with_lengths().find(|(own, ..)| *own == engine);
        let (first, events) = track.map_or((0, 0), |(_, first, events)| (first as usize, events));
        let model = &self.replay.model;
        let classes = model.class.iter().skip(first).take(events);
        classes.zip(self.bandwidth_ns.iter().skip(first)).map(|(class, ns)| {
            let task = model.classes.get(*class as usize).map_or(Task::Control, |c| c.task);
            (task.into(), *ns)
        })
    }

    /// The graph.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// What predictions rest on.
    #[must_use]
    pub fn confidence(&self) -> &Confidence {
        &self.confidence
    }
}

/// Whether the records tell waits from work: those of BM1688 and BM1684X, and those of the TIU of CV84X6, do so only if the commands are
/// known in full.
fn knows_waits(input: &Input<'_>) -> bool {
    match input.profile.chip.family {
        Family::Bm1688 | Family::Bm1684x => input.kinds.iter().any(CommandKind::is_full),
        Family::Cv84x6 => input.kinds.iter().any(|kind| {
            kind.engine == Engine::Tiu && (kind.is_full() || kind.activity == Activity::Wait)
        }),
        _ => true,
    }
}

fn has_ports(profile: &Profile<'_>) -> bool {
    profile.tracks().any(|track| track.engine_id.engine == Engine::Cdma && !track.events.is_empty())
}

fn confidence(input: &Input<'_>, replay: &Replay, fit: &Fit, knows_waits: bool) -> Confidence {
    let uses = &replay.uses;
    let count = |certainty| {
        let of = uses.iter().filter(|u| u.used && u.certainty == certainty);
        of.map(|u| u.found).sum::<u64>() as f64
    };
    let [certain, checked, inferred] =
        [Certainty::Certain, Certainty::Checked, Certainty::Inferred].map(count);
    let all = (certain + checked + inferred).max(1.0);
    let mut notes = Notes::default();
    let of_kind = |kind| uses.iter().find(|u| u.kind == kind);
    let commands = of_kind(DependenceKind::Command).filter(|u| u.used && u.found > 0);
    if let Some(why) = of_kind(DependenceKind::Command).and_then(KindUse::doubt) {
        notes.push(message!("whatif-commands-not-used", why = why));
    } else if commands.is_none() {
        notes.push(message!("whatif-no-dependences"));
    }
    if !knows_waits {
        notes.push(message!("whatif-waits-unknown"));
    }
    let transfers = input.classes.iter().any(|c| matches!(c.task, Task::Transfer(_)));
    if transfers && fit.fitted < 0.5 {
        notes.push(message!("whatif-one-size"));
    }
    let on_ddr = |c: &Class| c.task == Task::Transfer(Bound::Ddr);
    let known = input.tracks.iter().any(|t| {
        t.engine_id.engine != Engine::Tiu
            && (0..t.len().min(1000)).any(|i| t.dependence(i).is_some())
    });
    if !known && input.classes.iter().any(on_ddr) {
        notes.push(message!("whatif-unknown-direction"));
    }
    Confidence {
        certain: certain / all,
        checked: checked / all,
        inferred: inferred / all,
        dma_fit_error: fit.error,
        dma_fitted: fit.fitted,
        dma_share_error: fit.share_error,
        unexplained: replay.critical_path().unexplained(),
        kinds: uses.clone(),
        notes,
    }
}
