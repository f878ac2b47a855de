//! How long a changed run takes.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_sim::{Costs, Time};
use bigtpu_timeline::EngineId;
use foldhash::{HashMap, HashMapExt};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assemble::WaitStart;
use crate::change::{Change, ChangeError, Resource};
use crate::costs::{Changed, Hidden};
use crate::dependence::Node;
use crate::input::Class;
use crate::predictor::Predictor;
use crate::replay::Replay;

/// A kernel's time, measured and predicted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelTime {
    /// Kernel.
    pub kernel: String,
    /// Launches, each core's counted by itself.
    pub launches: u64,
    /// ns from the first start to the last end, summed over the launches of all cores.
    pub measured_ns: i64,
    /// The same in the prediction.
    pub predicted_ns: i64,
}

/// How long a changed run takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// ns.
    pub measured_ns: i64,
    /// ns.
    pub predicted_ns: i64,
    /// Kernels, those that took longest first.
    pub by_kernel: Vec<KernelTime>,
    /// Ends of all tasks, ns from the first event.
    ends: Vec<Time>,
    changes: Vec<Change>,
}

impl Predictor {
    /// How long the run takes with all changes together.
    ///
    /// # Errors
    /// When a change names a kernel that did not run.
    pub fn predict(&self, changes: &[Change]) -> Result<Prediction, ChangeError> {
        let replay = &self.replay;
        replay.check_present(changes)?;
        let costs = self.changed(changes, Hidden::Nothing);
        let mut ends = Vec::new();
        let predicted_ns = replay.graph.replay_into(&costs, &mut ends);
        let starts = Starts { ends: &ends, costs: &costs, waits: &replay.waits };
        let mut by_kernel = replay.kernel_times(&starts);
        by_kernel.sort_by_key(|kernel| std::cmp::Reverse(kernel.measured_ns));
        let (measured_ns, changes) = (replay.measured_ns(), changes.to_vec());
        Ok(Prediction { measured_ns, predicted_ns, by_kernel, ends, changes })
    }

    /// Start and end of each event of a prediction of this run, by track of the profile, in ns from the first event.
    #[must_use]
    pub fn times(&self, prediction: &Prediction) -> Vec<Vec<(Time, Time)>> {
        let costs = self.changed(&prediction.changes, Hidden::Nothing);
        let waits = &self.replay.waits;
        let starts = Starts { ends: &prediction.ends, costs: &costs, waits };
        let tracks: Vec<_> = self.replay.tracks_with_lengths().collect();
        let of_track = |(_, first, events): (EngineId, Node, usize)| {
            let nodes = first..first + events as Node;
            nodes.map(|node| (starts.of(node), starts.end(node))).collect()
        };
        tracks.into_par_iter().map(of_track).collect()
    }

    /// Wall time of a changed run in ns.
    pub(crate) fn wall(&self, changes: &[Change], hidden: Hidden) -> i64 {
        self.wall_into(changes, hidden, &mut Vec::new())
    }

    /// The same; the memory of `ends` is used again.
    pub(crate) fn wall_into(
        &self,
        changes: &[Change],
        hidden: Hidden,
        ends: &mut Vec<Time>,
    ) -> i64 {
        self.replay.graph.replay_into(&self.changed(changes, hidden), ends)
    }

    fn changed(&self, changes: &[Change], hidden: Hidden) -> Changed<'_> {
        let replay = &self.replay;
        Changed::new(
            &replay.model,
            &replay.graph,
            &self.bandwidth_ns,
            &replay.kernels,
            changes,
            hidden,
        )
    }
}

impl Replay {
    pub(crate) fn class(&self, node: Node) -> Option<&Class> {
        self.model.classes.get(*self.model.class.get(node as usize)? as usize)
    }

    /// Cores that ran, in order.
    pub(crate) fn cores(&self) -> Vec<u32> {
        let of_core = self.model.classes.iter().filter(|c| c.engine != Engine::Cdma);
        let mut cores: Vec<u32> = of_core.map(|c| c.index).collect();
        cores.sort_unstable();
        cores.dedup();
        cores
    }

    fn check_present(&self, changes: &[Change]) -> Result<(), ChangeError> {
        for change in changes {
            if let Resource::Core(core) = change.resource {
                let cores = self.cores();
                if !cores.contains(&core) {
                    let names: Vec<String> = cores.iter().map(u32::to_string).collect();
                    return Err(ChangeError::Core { core, cores: names.join(", ") });
                }
            }
            let Resource::Kernel(pattern) = &change.resource else { continue };
            let kernels: Vec<String> =
                self.kernels.iter().filter(|k| !k.is_empty()).cloned().collect();
            if !kernels.iter().any(|k| change.matches(k)) {
                return Err(ChangeError::Kernel { pattern: pattern.clone(), kernels });
            }
        }
        Ok(())
    }

    /// Each kernel's time, measured and predicted.
    fn kernel_times(&self, predicted: &Starts<'_>) -> Vec<KernelTime> {
        // Each core's part of each launch: kernel, measured span, predicted span.
        type Part = (Option<u32>, Span, Span);
        let mut parts: HashMap<(u32, u32), Part> = HashMap::with_capacity(self.runs.len());
        for run in &self.runs {
            let part = parts.entry((run.core, run.number)).or_default();
            part.0 = part.0.or(run.kernel);
            part.1.add(run.start, run.last_end);
            part.2.add(predicted.of(run.first), predicted.end(run.last));
        }
        let mut times: BTreeMap<u32, KernelTime> = BTreeMap::new();
        for (kernel, measured, predicted) in parts.into_values() {
            let Some(kernel) = kernel else { continue };
            let Some(name) = self.kernels.get(kernel as usize) else { continue };
            let time = times.entry(kernel).or_insert_with(|| KernelTime {
                kernel: name.clone(),
                launches: 0,
                measured_ns: 0,
                predicted_ns: 0,
            });
            time.launches += 1;
            time.measured_ns += measured.ns();
            time.predicted_ns += predicted.ns();
        }
        times.into_values().collect()
    }
}

/// From the first start to the last end of a launch; nothing yet where it ends before it starts.
struct Span {
    start: i64,
    end: i64,
}

impl Default for Span {
    fn default() -> Self {
        Self { start: i64::MAX, end: i64::MIN }
    }
}

impl Span {
    fn add(&mut self, start: i64, end: i64) {
        (self.start, self.end) = (self.start.min(start), self.end.max(end));
    }

    fn ns(&self) -> i64 {
        self.end - self.start
    }
}

/// When the events of a changed run start.
struct Starts<'r> {
    ends: &'r [Time],
    costs: &'r Changed<'r>,
    /// By node.
    waits: &'r [WaitStart],
}

impl Starts<'_> {
    fn end(&self, node: Node) -> Time {
        self.ends.get(node as usize).copied().unwrap_or(0)
    }

    /// A wait with a known message starts when its engine comes to it.
    fn of(&self, node: Node) -> Time {
        let end = self.end(node);
        match self.waits.binary_search_by_key(&node, |wait| wait.node) {
            Ok(at) => self.waits.get(at).map_or(end, |w| (self.end(w.before) + w.lag).min(end)),
            Err(_) => end - self.costs.duration(node),
        }
    }
}
