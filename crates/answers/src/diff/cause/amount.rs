//! What the runs of a side did: medians by kernel or layer, engine, reason and core.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_replay::Reason;

use crate::diff::SourcedRun;
use crate::diff::compared::Work;
use crate::diff::design::Value;
use crate::diff::stat::median;

/// What a piece of the critical path is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// Kernel or layer; empty outside of both.
    pub(super) owner: String,
    pub(super) engine: String,
    pub(super) reason: Reason,
}

impl Key {
    /// Whether the engine is one of a core, and not a port.
    fn is_of_core(&self) -> bool {
        self.engine != "CDMA"
    }
}

/// The cores, or ports, that have commands.
pub(super) fn working(of_cores: &BTreeMap<u32, Amount>) -> impl Iterator<Item = u32> {
    of_cores.iter().filter(|(_, amount)| amount.commands > 0.0).map(|(core, _)| *core)
}

/// What commands did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Amount {
    pub(super) ns: f64,
    pub(super) commands: f64,
    pub(super) bytes: f64,
    pub(super) ops: f64,
    pub(super) uarch_ops: f64,
}

impl Amount {
    fn from_work(work: &Work) -> Option<Self> {
        let Work { ns, commands, bytes, ops, uarch_ops, .. } = work;
        Some(Self {
            ns: (*ns)?,
            commands: (*commands)?,
            bytes: (*bytes)?,
            ops: (*ops)?,
            uarch_ops: (*uarch_ops)?,
        })
    }

    /// So many times as much of it.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            ns: self.ns * factor,
            commands: self.commands * factor,
            bytes: self.bytes * factor,
            ops: self.ops * factor,
            uarch_ops: self.uarch_ops * factor,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.ns += other.ns;
        self.commands += other.commands;
        self.bytes += other.bytes;
        self.ops += other.ops;
        self.uarch_ops += other.uarch_ops;
    }

    /// Returns the median of each number over `runs` runs; a run that is not in `of_runs` counts as 0.
    fn median(of_runs: &[Self], runs: usize) -> Self {
        let of = |number: fn(&Self) -> f64| {
            let mut values: Vec<f64> = of_runs.iter().map(number).collect();
            values.resize(runs, 0.0);
            values.sort_by(f64::total_cmp);
            median(&values).unwrap_or(0.0)
        };
        Self {
            ns: of(|a| a.ns),
            commands: of(|a| a.commands),
            bytes: of(|a| a.bytes),
            ops: of(|a| a.ops),
            uarch_ops: of(|a| a.uarch_ops),
        }
    }
}

/// The runs of a side.
#[derive(Debug, Clone, Default)]
pub(super) struct Side {
    /// ns on the critical path in the runs that have it there.
    pub(super) path: BTreeMap<Key, BTreeMap<usize, f64>>,
    /// Runs that have a critical path.
    pub(super) runs: Vec<usize>,
    /// Work of each core, or port, by key.
    pub(super) work: BTreeMap<Key, BTreeMap<u32, Amount>>,
    /// Every run says what its commands did.
    pub(super) has_work: bool,
    /// Kernels, or layers of a static model.
    pub(super) owners: BTreeSet<String>,
    /// The owners are layers.
    pub(super) has_layers: bool,
    /// How often each kernel is launched, all cores together.
    launches: BTreeMap<String, f64>,
}

impl Side {
    pub(super) fn from_runs(runs: &[SourcedRun]) -> Self {
        let mut side = Self { has_work: !runs.is_empty(), ..Self::default() };
        let mut work: BTreeMap<(Key, u32), Vec<Amount>> = BTreeMap::new();
        let mut launches: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (number, SourcedRun { report, .. }) in runs.iter().enumerate() {
            side.has_work &= !report.work.is_empty();
            for row in &report.work {
                let owner = row.owner().to_owned();
                side.has_layers |= row.is_of_layer();
                if !owner.is_empty() {
                    side.owners.insert(owner.clone());
                }
                let key = Key { owner, engine: row.engine.clone(), reason: row.reason };
                work.entry((key, row.index)).or_default().extend(Amount::from_work(row));
            }
            for kernel in &report.kernels {
                launches.entry(kernel.kernel.clone()).or_default().extend(kernel.launches);
            }
            let Some(path) = report.critical_path.as_ref().filter(|path| path.is_known()) else {
                continue;
            };
            side.runs.push(number);
            // A run may have several pieces of one name: layers of the same label.
            for piece in &path.pieces {
                let owner = piece.owner().to_owned();
                let key = Key { owner, engine: piece.engine.clone(), reason: piece.reason };
                let of_runs = side.path.entry(key).or_default();
                *of_runs.entry(number).or_default() += piece.ns.unwrap_or(0.0);
            }
        }
        for ((key, core), of_runs) in work {
            let amount = Amount::median(&of_runs, runs.len());
            side.work.entry(key).or_default().insert(core, amount);
        }
        for (kernel, mut of_runs) in launches {
            of_runs.sort_by(f64::total_cmp);
            side.launches.extend(median(&of_runs).map(|launches| (kernel, launches)));
        }
        side
    }

    /// Launches of a kernel on each of the cores that run it; unknown of layers, and outside of both.
    pub(super) fn launches_of_core(&self, owner: &str) -> Option<f64> {
        let launches = self.launches.get(owner)?;
        let of_owner = self.work.iter().filter(|(key, _)| key.owner == owner && key.is_of_core());
        let cores: BTreeSet<u32> = of_owner.flat_map(|(_, cores)| working(cores)).collect();
        (*launches > 0.0 && !cores.is_empty()).then(|| launches / cores.len() as f64)
    }

    /// ns on the critical path by run; 0 where the path does not have it.
    pub(super) fn path(&self, key: &Key) -> Vec<Value> {
        let of_runs = self.path.get(key);
        let ns = |run: &usize| of_runs.and_then(|of_runs| of_runs.get(run)).copied().unwrap_or(0.0);
        self.runs.iter().map(|run| (*run, ns(run))).collect()
    }
}
