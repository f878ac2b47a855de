//! How long a changed run takes.

use std::collections::BTreeMap;
use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_measure::layers::LayerLabel;
use bigtpu_sim::Time;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assemble::WaitStart;
use crate::change::{ChangeError, Resource, ResourceChange, name_matches};
use crate::costs::{Changed, Hidden, Unknown};
use crate::dependence::Node;
use crate::graph::Scale;
use crate::input::Class;
use crate::launch::{CoreLaunch, LaunchParts, Span};
use crate::predictor::{Predictor, TaskFactors};
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
    /// ns from the first start to the last end in the prediction, summed over the launches of all cores.
    pub predicted_ns: i64,
}

/// How long a changed run takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// ns.
    pub measured_ns: i64,
    /// ns.
    pub predicted_ns: i64,
    /// ns: the run if idle time without a known cause changes as much as the changes allow, the shorter and the longer. Both are
    /// `predicted_ns` where no such time is on the path.
    pub range_ns: (i64, i64),
    /// Kernels, those that took longest first.
    pub by_kernel: Vec<KernelTime>,
    /// Ends of all tasks, ns from the first event.
    ends: Vec<Time>,
    changes: Vec<ResourceChange>,
}

/// Share of a predicted change that is not sure in a run with ports.
const PORTS: f64 = 0.25;

/// Share by which the time of a run is off because its parts are measured in whole cycles.
pub(crate) const CYCLES: f64 = 0.001;
/// Share by which the time of a run is off if its commands are not known: which of them wait for one another is
/// concluded from times alone, and what binds only after a change shows in none. A pipelined run of two cores in
/// capture mode 0 takes 2.1 % longer with half the TIU clock than predicted.
pub(crate) const TIMES_ALONE: f64 = 0.025;

impl Predictor {
    /// How long the run takes with all changes together.
    ///
    /// # Errors
    /// When a change names a kernel that did not run.
    pub fn predict(&self, changes: &[ResourceChange]) -> Result<Prediction, ChangeError> {
        let replay = &self.replay;
        replay.check_present(changes)?;
        self.check_layers(changes)?;
        let costs = self.changed(changes, Hidden::Nothing);
        let mut ends = Vec::new();
        let predicted_ns = replay.run(&costs, &mut ends);
        let starts = Starts { replay, ends: &ends, costs: &costs };
        let mut by_kernel = replay.kernel_times(&starts);
        by_kernel.sort_by_key(|kernel| std::cmp::Reverse(kernel.measured_ns));
        let range_ns = self.range(changes, predicted_ns);
        let (measured_ns, changes) = (replay.measured_ns(), changes.to_vec());
        Ok(Prediction { measured_ns, predicted_ns, range_ns, by_kernel, ends, changes })
    }

    /// Shortest and longest time of the run with other assumptions about what is not known: idle time that no dependence explains is
    /// kept in the prediction, but may be a wait for what is changed, so that it shrinks by the greatest change, or grows by the greatest
    /// slowdown; and the part of transfers that depends on a bandwidth is known as well as the fit is.
    fn range(&self, changes: &[ResourceChange], predicted_ns: i64) -> (i64, i64) {
        let all = changes.iter().map(ResourceChange::time_factor).chain(self.commands_factor());
        let all: Vec<f64> = all.filter(|time| *time != 1.0).collect();
        let times = || all.iter().copied();
        let least =
            times().map(|time| if time > 1.0 { 1.0 / time } else { time }).fold(1.0, f64::min);
        let most = times().fold(1.0, f64::max);
        let moves = changes.iter().any(|change| change.resource.is_bandwidth());
        let error = if moves { self.confidence().dma_share_error } else { 0.0 };
        let mut walls: Vec<i64> = [least, most]
            .into_iter()
            .flat_map(|idle| {
                [1.0 - error, 1.0 + error].map(|bandwidth| Unknown { idle, bandwidth })
            })
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|unknown| {
                if unknown == Unknown::AS_PREDICTED {
                    return predicted_ns;
                }
                let costs = self.changed(changes, Hidden::Nothing).with_unknown(unknown);
                self.replay.run(&costs, &mut Vec::new())
            })
            .collect();
        // What single commands take is known as well as the rules for them are.
        let TaskFactors { least: shorter, most: longer, .. } = &self.commands;
        for of_task in [shorter, longer].into_iter().filter(|of_task| !of_task.is_empty()) {
            let costs = self.changed(changes, Hidden::Nothing).with_commands(of_task);
            walls.push(self.replay.run(&costs, &mut Vec::new()));
        }
        // Dependences that were concluded from times may be none, and others may bind that no time shows: so much of the change is
        // not sure. Times are of whole cycles.
        let change = (predicted_ns - self.replay.measured_ns()).abs() as f64;
        let unsure = self.unsure() * change + self.unsure_of_time() * predicted_ns as f64;
        let unsure = if least == 1.0 && most == 1.0 { 0 } else { unsure.ceil() as i64 };
        walls.extend([predicted_ns - unsure, predicted_ns + unsure].map(|ns| ns.max(0)));
        // Work without a name may be that of a kernel which changes.
        if let Some(costs) = self.changed(changes, Hidden::Nothing).with_unnamed(changes) {
            let wall = self.replay.run(&costs, &mut Vec::new());
            walls.extend([wall - unsure, wall + unsure].map(|ns| ns.max(0)));
        }
        if !self.knows_waits {
            // Any command may be a wait for what is changed.
            walls.extend([least, most].map(|f| (self.replay.measured_ns() as f64 * f) as i64));
        }
        let (short, long) = (walls.iter().min(), walls.iter().max());
        (short.copied().unwrap_or(predicted_ns), long.copied().unwrap_or(predicted_ns))
    }

    /// What the time of all commands together is multiplied by where single commands change.
    fn commands_factor(&self) -> Option<f64> {
        let factors = &self.commands.predicted;
        let times = (0..).zip(factors).map(|(node, factor)| {
            let ns = self.replay.graph.duration(node) as f64;
            (ns, ns * f64::from(*factor))
        });
        let (before, after) = times.fold((0.0, 0.0), |sum, ns| (sum.0 + ns.0, sum.1 + ns.1));
        (before > 0.0 && after > 0.0).then(|| after / before)
    }

    /// Share of a predicted time that is not sure, whatever changes.
    #[must_use]
    pub fn unsure_of_time(&self) -> f64 {
        if self.knows_commands { CYCLES } else { TIMES_ALONE }
    }

    /// Share of a predicted change that is not sure: that of the dependences which were concluded from times, and with ports more,
    /// because few of the commands that they wait for are known.
    #[must_use]
    pub fn unsure(&self) -> f64 {
        let of_ports = if self.has_ports { PORTS } else { 0.0 };
        self.confidence().inferred.max(of_ports)
    }

    fn check_layers(&self, changes: &[ResourceChange]) -> Result<(), ChangeError> {
        for change in changes {
            let Resource::Layer(pattern) = &change.resource else { continue };
            let names = &self.layers.names;
            if !names.iter().any(|layer| layer.matches(|name| name_matches(pattern, name))) {
                let layers = names.iter().map(LayerLabel::to_string).collect();
                return Err(ChangeError::Layer { pattern: pattern.clone(), layers });
            }
        }
        Ok(())
    }

    /// Start and end of each event of a prediction of this run, by track of the profile, in ns from the first event.
    #[must_use]
    pub fn times(&self, prediction: &Prediction) -> Vec<Vec<(Time, Time)>> {
        let costs = self.changed(&prediction.changes, Hidden::Nothing);
        let starts = Starts { replay: &self.replay, ends: &prediction.ends, costs: &costs };
        let tracks: Vec<_> = self.replay.tracks_with_lengths().collect();
        let nodes = tracks.into_par_iter().map(|(_, first, events)| first..first + events as Node);
        nodes.map(|nodes| starts.times(nodes)).collect()
    }

    /// Wall time of a changed run in ns.
    pub(crate) fn wall(&self, changes: &[ResourceChange], hidden: Hidden) -> i64 {
        self.wall_into(changes, hidden, &mut Vec::new())
    }

    /// Wall time of a changed run in ns; the memory of `ends` is used again.
    pub(crate) fn wall_into(
        &self,
        changes: &[ResourceChange],
        hidden: Hidden,
        ends: &mut Vec<Time>,
    ) -> i64 {
        self.replay.run(&self.changed(changes, hidden), ends)
    }

    pub(crate) fn changed(&self, changes: &[ResourceChange], hidden: Hidden) -> Changed<'_> {
        let replay = &self.replay;
        Changed::new(&replay.model, &self.bandwidth_ns, &replay.kernels, changes, hidden)
            .with_layers(&self.layers, changes)
            .with_commands(&self.commands.predicted)
    }
}

impl Replay {
    /// Runs the graph with other times; see [`crate::graph::Graph::run`].
    pub(crate) fn run(&self, scale: &impl Scale, ends: &mut Vec<Time>) -> Time {
        self.graph.run(scale, ends)
    }

    /// Class of a node; `None` for those that are no event.
    pub(crate) fn class(&self, task: Node) -> Option<&Class> {
        self.model.classes.get(*self.model.class.get(task as usize)? as usize)
    }

    /// Cores that ran, in order.
    pub(crate) fn cores(&self) -> Vec<u32> {
        let of_core = self.model.classes.iter().filter(|c| c.engine != Engine::Cdma);
        let mut cores: Vec<u32> = of_core.map(|c| c.index).collect();
        cores.sort_unstable();
        cores.dedup();
        cores
    }

    fn check_present(&self, changes: &[ResourceChange]) -> Result<(), ChangeError> {
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
        let LaunchParts { of_cores, of_engines } = &self.launches;
        let mut spans = vec![Span::EMPTY; of_cores.len()];
        let mut waits = self.waits.as_slice();
        for part in of_engines {
            // Both are in the order of the commands.
            while let Some((_, later)) = waits.split_first().filter(|(w, _)| w.node < part.first) {
                waits = later;
            }
            let wait = waits.first().filter(|wait| wait.node == part.first);
            if let Some(span) = spans.get_mut(part.of as usize) {
                span.add(predicted.start(part.first, wait), predicted.end(part.last));
            }
        }
        let mut times: BTreeMap<u32, KernelTime> = BTreeMap::new();
        for (CoreLaunch { kernel, measured }, predicted) in of_cores.iter().zip(spans) {
            let Some(kernel) = kernel else { continue };
            let Some(name) = self.kernels.get(*kernel as usize) else { continue };
            let time = times.entry(*kernel).or_insert_with(|| KernelTime {
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

/// When the events of a changed run start.
struct Starts<'r> {
    replay: &'r Replay,
    /// End of each task.
    ends: &'r [Time],
    costs: &'r Changed<'r>,
}

impl Starts<'_> {
    fn end(&self, node: Node) -> Time {
        self.ends.get(node as usize).copied().unwrap_or(0)
    }

    /// Start of an event. A wait with a known message starts when its engine comes to it; `wait` is what is known of it.
    fn start(&self, node: Node, wait: Option<&WaitStart>) -> Time {
        let end = self.end(node);
        match wait {
            Some(wait) => (self.end(wait.before) + wait.lag).min(end),
            None => end - self.costs.duration(node, self.replay.graph.duration(node)),
        }
    }

    /// Start and end of some events.
    fn times(&self, nodes: Range<Node>) -> Vec<(Time, Time)> {
        let waits = &self.replay.waits;
        let first = waits.partition_point(|wait| wait.node < nodes.start);
        let mut waits = waits.iter().skip(first).peekable();
        nodes
            .map(|node| {
                let wait = waits.next_if(|wait| wait.node == node);
                (self.start(node, wait), self.end(node))
            })
            .collect()
    }
}
