//! A run that can be predicted with changes: its graph, and how its transfers divide into latency and bandwidth.

use bigtpu_chip::Engine;
use bigtpu_measure::CommandTable;
use bigtpu_timeline::Profile;

use crate::confidence::Confidence;
use crate::dependence::{Certainty, DependenceKind};
use crate::fit::Fit;
use crate::input::{Bound, Class, Input, Task};
use crate::replay::Replay;

/// A run that can be predicted with changes.
#[derive(Debug)]
pub struct Predictor {
    pub(crate) replay: Replay,
    /// ns of each task's duration that depend on a bandwidth.
    pub(crate) bandwidth_ns: Vec<u32>,
    confidence: Confidence,
}

impl Predictor {
    /// Fits the transfers of the run that `replay` is the graph of.
    #[must_use]
    pub fn of(replay: Replay, profile: &Profile<'_>, table: &CommandTable) -> Self {
        let input = Input::of(profile, table);
        let fit = Fit::of(&input);
        let confidence = confidence(&input, &replay, &fit);
        let mut bandwidth_ns = vec![0; replay.task.len()];
        for (task, ns) in replay.task.iter().zip(fit.bandwidth_ns) {
            if let Some(own) = bandwidth_ns.get_mut(*task as usize) {
                *own = ns;
            }
        }
        Self { replay, bandwidth_ns, confidence }
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

fn confidence(input: &Input<'_>, replay: &Replay, fit: &Fit) -> Confidence {
    let uses = &replay.uses;
    let count = |certainty| {
        let of = uses.iter().filter(|u| u.used && u.certainty == certainty);
        of.map(|u| u.found).sum::<u64>() as f64
    };
    let [certain, checked, inferred] =
        [Certainty::Certain, Certainty::Checked, Certainty::Inferred].map(count);
    let all = (certain + checked + inferred).max(1.0);
    let mut notes = Vec::new();
    let of_kind = |kind| uses.iter().find(|u| u.kind == kind);
    let commands = of_kind(DependenceKind::Command).filter(|u| u.used && u.found > 0);
    if let Some(unused) = of_kind(DependenceKind::Command).filter(|u| !u.used) {
        notes.push(format!("cmd_id_dep is not used: {}", unused.reason));
    } else if commands.is_none() {
        notes.push(
            "commands do not name their dependences: they are inferred from times".to_owned(),
        );
    }
    let transfers = input.classes.iter().any(|c| matches!(c.task, Task::Transfer(_)));
    if transfers && fit.fitted < 0.5 {
        notes.push(
            "most transfers of an engine have the same size: their whole time is assumed to depend on the bandwidth"
                .to_owned(),
        );
    }
    let on_ddr = |c: &Class| c.task == Task::Transfer(Bound::Ddr);
    let known = input.tracks.iter().any(|t| {
        t.engine_id.engine != Engine::Tiu
            && (0..t.len().min(1000)).any(|i| t.dependence(i).is_some())
    });
    if !known && input.classes.iter().any(on_ddr) {
        notes.push(
            "without full command bits, a transfer of unknown direction counts as a DDR transfer"
                .to_owned(),
        );
    }
    Confidence {
        certain: certain / all,
        checked: checked / all,
        inferred: inferred / all,
        dma_fit_error: fit.error,
        dma_fitted: fit.fitted,
        unexplained: replay.critical_path().unexplained(),
        kinds: uses.clone(),
        notes,
    }
}
