//! How long a changed run takes.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_sim::Time;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::change::{Change, ChangeError, Resource};
use crate::costs::{Changed, Hidden};
use crate::dependence::Node;
use crate::input::Class;
use crate::predictor::Predictor;
use crate::replay::Replay;

/// Kernel, start and end of each core's part of each launch, by core and number of the launch.
type Spans = BTreeMap<(u32, u32), (Option<u32>, i64, i64)>;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// ns.
    pub measured_ns: i64,
    /// ns.
    pub predicted_ns: i64,
    /// Kernels, those that took longest first.
    pub by_kernel: Vec<KernelTime>,
    /// Ends of all nodes, ns from the first event.
    ends: Vec<Time>,
    starts: Vec<Time>,
    /// Number of the first event of each track, and the number of events.
    bounds: Vec<usize>,
}

impl Prediction {
    /// Predicted start and end of each event of a track of the profile, in ns from the first event.
    pub fn times(&self, track: usize) -> impl Iterator<Item = (Time, Time)> {
        let first = self.bounds.get(track).copied().unwrap_or(0);
        let end = self.bounds.get(track + 1).copied().unwrap_or(first);
        let times = self.starts.iter().zip(&self.ends).map(|(s, e)| (*s, *e));
        times.skip(first).take(end - first)
    }
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
        let starts = replay.starts(&ends, &costs);
        let measured = replay.graph.replay();
        let before: Vec<Time> = (0..replay.graph.len() as Node).map(|n| measured.end(n)).collect();
        let plain = self.changed(&[], Hidden::Nothing);
        let first = replay.starts(&before, &plain);
        let spans = [replay.spans(&first, &before), replay.spans(&starts, &ends)];
        let mut by_kernel = replay.kernel_times(&spans);
        by_kernel.sort_by_key(|kernel| std::cmp::Reverse(kernel.measured_ns));
        let bounds = replay.tracks.iter().map(|t| t.1 as usize).chain([replay.events]).collect();
        Ok(Prediction {
            measured_ns: replay.measured_ns(),
            predicted_ns,
            by_kernel,
            ends,
            starts,
            bounds,
        })
    }

    /// Wall time of a changed run in ns.
    pub(crate) fn wall(&self, changes: &[Change], hidden: Hidden) -> i64 {
        self.replay.graph.replay_into(&self.changed(changes, hidden), &mut Vec::new())
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

    /// Starts of all events: a wait with a known message starts when its engine comes to it.
    fn starts(&self, ends: &[Time], costs: &Changed<'_>) -> Vec<Time> {
        use bigtpu_sim::Costs;
        let mut starts: Vec<Time> = (0..self.events)
            .into_par_iter()
            .map(|n| ends.get(n).map_or(0, |end| end - costs.duration(n as Node)))
            .collect();
        for wait in &self.waits {
            let at = wait.node as usize;
            let before = ends.get(wait.before as usize).copied().unwrap_or(0);
            if let (Some(start), Some(end)) = (starts.get_mut(at), ends.get(at)) {
                *start = (before + wait.lag).min(*end);
            }
        }
        starts
    }

    /// Start and end of each core's part of each launch.
    fn spans(&self, starts: &[Time], ends: &[Time]) -> Spans {
        let mut spans = Spans::new();
        for run in &self.runs {
            let start = starts.get(run.first as usize).copied().unwrap_or(0);
            let end = ends.get(run.last as usize).copied().unwrap_or(0);
            let span =
                spans.entry((run.core, run.number)).or_insert((run.kernel, i64::MAX, i64::MIN));
            *span = (span.0.or(run.kernel), span.1.min(start), span.2.max(end));
        }
        spans
    }

    fn kernel_times(&self, spans: &[Spans; 2]) -> Vec<KernelTime> {
        let mut times: BTreeMap<u32, KernelTime> = BTreeMap::new();
        let [measured, predicted] = spans;
        for (launch, (kernel, start, end)) in measured {
            let Some(kernel) = kernel else { continue };
            let Some(name) = self.kernels.get(*kernel as usize) else { continue };
            let time = times.entry(*kernel).or_insert_with(|| KernelTime {
                kernel: name.clone(),
                launches: 0,
                measured_ns: 0,
                predicted_ns: 0,
            });
            time.launches += 1;
            time.measured_ns += end - start;
            time.predicted_ns += predicted.get(launch).map_or(0, |(_, s, e)| e - s);
        }
        times.into_values().collect()
    }
}
