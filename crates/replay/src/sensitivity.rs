//! Sensitivity: the run time with one part faster, for each part.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::layers::LayerLabel;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::change::{Resource, ResourceChange};
use crate::costs::Hidden;
use crate::dependence::DependenceKind;
use crate::input::{Bound, Task};
use crate::predictor::Predictor;
use crate::replay::Replay;

/// The run with one part made faster; times in ns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SensitivityRow {
    /// The part as `--scale` names it.
    pub what: String,
    /// Run time with the part at 1.1 times its speed.
    pub faster_1_1_ns: i64,
    /// Run time with the part at twice its speed.
    pub faster_2_ns: i64,
    /// Run time if the part took no time: the lower bound for any optimization of it.
    pub infinite_ns: i64,
}

/// The parts whose speedup saves most time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// Greatest gain at twice the speed first.
    pub rows: Vec<SensitivityRow>,
    /// ns if all transfers were hidden.
    pub transfers_hidden_ns: i64,
    /// ns if all work of all engines took no time.
    pub engines_ideal_ns: i64,
}

/// Kernels looked at: the heaviest.
const KERNELS: usize = 10;

impl Predictor {
    /// The sensitivity to every resource that the run uses, and to the ten kernels that take longest.
    #[must_use]
    pub fn sensitivity(&self) -> Sensitivity {
        let mut parts: Vec<Resource> = Resource::NAMED
            .into_iter()
            .map(|(_, resource)| resource)
            .filter(|resource| self.replay.uses(resource))
            .collect();
        let cores = self.replay.cores();
        if cores.len() > 1 {
            parts.extend(cores.into_iter().map(Resource::Core));
        }
        parts.extend(self.replay.heaviest_kernels().into_iter().map(Resource::Kernel));
        parts.extend(self.heaviest_layers().into_iter().map(Resource::Layer));
        let speeds = [1.1, 2.0, f64::INFINITY];
        let runs: Vec<ResourceChange> = parts
            .iter()
            .flat_map(|part| speeds.map(|speed| ResourceChange::faster(part.clone(), speed)))
            .collect();
        let times: Vec<i64> = runs
            .par_iter()
            .map_init(Vec::new, |ends, change| {
                self.wall_into(std::slice::from_ref(change), Hidden::Nothing, ends)
            })
            .collect();
        let rows = parts.iter().zip(times.chunks(speeds.len()));
        let mut rows: Vec<SensitivityRow> = rows
            .map(|(part, times)| {
                let time = |i: usize| times.get(i).copied().unwrap_or(0);
                SensitivityRow {
                    what: part.to_string(),
                    faster_1_1_ns: time(0),
                    faster_2_ns: time(1),
                    infinite_ns: time(2),
                }
            })
            .collect();
        // One core of many that are alike is no answer.
        let wall = self.replay.measured_ns();
        rows.retain(|row| !row.what.starts_with("core:") || row.faster_2_ns < wall);
        rows.sort_by_key(|r| (r.faster_2_ns, r.infinite_ns));
        Sensitivity {
            rows,
            transfers_hidden_ns: self.wall(&[], Hidden::Transfers),
            engines_ideal_ns: self.wall(&[], Hidden::Work),
        }
    }
}

impl Predictor {
    /// Names of the layers with the most work, heaviest first.
    fn heaviest_layers(&self) -> Vec<String> {
        let mut work: BTreeMap<u32, i64> = BTreeMap::new();
        let durations = self.replay.graph.durations();
        for ((task, layer), ns) in (0..).zip(&self.layers.of_task).zip(durations) {
            let class = self.replay.class(task);
            if class.is_some_and(|c| matches!(c.task, Task::Compute | Task::Transfer(_))) {
                *work.entry(*layer).or_default() += ns;
            }
        }
        let mut work: Vec<(u32, i64)> = work.into_iter().collect();
        work.sort_by_key(|(layer, ns)| (-ns, *layer));
        let names = work.into_iter().filter_map(|(layer, _)| self.layers.names.get(layer as usize));
        names.take(KERNELS).map(LayerLabel::to_string).collect()
    }
}

impl Replay {
    /// Whether a run without the resource would be another one.
    fn uses(&self, resource: &Resource) -> bool {
        let any = |is: &dyn Fn(Task, Engine) -> bool| {
            self.model.classes.iter().any(|c| is(c.task, c.engine))
        };
        let kind = |is: fn(DependenceKind) -> bool| self.graph.has_kind(is);
        match resource {
            Resource::Engine(engine) => {
                any(&|t, e| e == *engine && matches!(t, Task::Compute | Task::Transfer(_)))
            }
            Resource::Ddr => any(&|t, _| t == Task::Transfer(Bound::Ddr)),
            Resource::L2m => any(&|t, _| t == Task::Transfer(Bound::L2m)),
            Resource::Link => any(&|t, _| t == Task::Transfer(Bound::Link)),
            Resource::Launch => kind(DependenceKind::is_launch),
            Resource::Sync => kind(DependenceKind::is_sync),
            Resource::TiuClock | Resource::Core(_) | Resource::Kernel(_) | Resource::Layer(_) => {
                false
            }
        }
    }

    /// Names of the kernels with the most work, heaviest first.
    fn heaviest_kernels(&self) -> Vec<String> {
        let mut work: BTreeMap<u32, i64> = BTreeMap::new();
        for (class, ns) in self.model.class.iter().zip(self.graph.durations()) {
            let Some(class) = self.model.classes.get(*class as usize) else { continue };
            if let Some(kernel) = class.kernel
                && matches!(class.task, Task::Compute | Task::Transfer(_))
            {
                *work.entry(kernel).or_default() += ns;
            }
        }
        let mut work: Vec<(u32, i64)> = work.into_iter().collect();
        work.sort_by_key(|(kernel, ns)| (-ns, *kernel));
        let names = work.into_iter().filter_map(|(k, _)| self.kernels.get(k as usize));
        names.filter(|n| !n.is_empty()).take(KERNELS).cloned().collect()
    }
}
