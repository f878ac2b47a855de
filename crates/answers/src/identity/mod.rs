//! Whose run it is: workload, chip, host, device and call. Runs that have all of it in common repeat one another.
//!
//! Names of directories say it as far as they can; what ran says the rest: runs of different programs are never repetitions of each
//! other, and names of directories in which the same program ran are those of hosts.

mod place;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use bigtpu_messages::{Message, message};
use serde::Serialize;

pub use place::{RunPlace, device_and_call, host_names, rank_of_directory};
pub(crate) use program::LEAST_ALIKE;
pub use program::RunProgram;

/// The workload of runs that nothing names.
const UNNAMED: &str = "default";

/// What runs have in common that repeat one another. A part that is not known, or that is pooled, is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Unit {
    /// Workload, where it has a name.
    #[serde(serialize_with = "workload_name")]
    pub workload: Option<String>,
    /// What tells programs apart that the workload's name does not: the chip, or a repetition's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Host, where the runs' directories name several.
    pub host: Option<String>,
    /// Device.
    pub device: Option<u32>,
    /// Call: how often profiling had been enabled in the process before.
    pub call: Option<u32>,
}

fn workload_name<S: serde::Serializer>(name: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(name.as_deref().unwrap_or(UNNAMED))
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.workload.clone(),
            self.part.clone(),
            self.host.clone(),
            self.device.map(|device| format!("dev{device}")),
            self.call.map(|call| format!("call {call}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { UNNAMED } else { "" })?;
        f.write_str(&parts.join(" "))
    }
}

impl Unit {
    /// The workload's name.
    #[must_use]
    pub fn workload(&self) -> &str {
        self.workload.as_deref().unwrap_or(UNNAMED)
    }
}

/// A run that is to be told apart from others.
#[derive(Debug, Clone)]
pub struct PlacedRun<'a> {
    /// What its directories say.
    pub place: &'a RunPlace,
    /// What ran.
    pub program: &'a RunProgram,
    /// Its side: of a comparison 0 or 1.
    pub side: usize,
}

/// What tells runs apart beside their names.
#[derive(Debug, Clone, Default)]
pub struct Pooling<'a> {
    /// The name of the workload of all runs.
    pub workload: Option<&'a str>,
    /// Runs of different hosts are repetitions.
    pub pools_hosts: bool,
    /// Runs of different devices are.
    pub pools_devices: bool,
    /// Runs of different calls are.
    pub pools_calls: bool,
}

/// The unit of each run, and what there is to say about them.
#[must_use]
pub fn units(runs: &[PlacedRun<'_>], pooling: &Pooling<'_>) -> (Vec<Unit>, Vec<Message>) {
    let names_are_workloads = pooling.workload.is_none() && programs_differ_by_name(runs);
    let mut units: Vec<Unit> =
        runs.iter().map(|run| of_names(run.place, names_are_workloads, pooling)).collect();
    drop_single_host(runs, &mut units);
    let notes = split_by_program(runs, &mut units);
    (units, notes)
}

/// On some side, runs of different names are of different programs: so the names are those of workloads.
fn programs_differ_by_name(runs: &[PlacedRun<'_>]) -> bool {
    let sides: BTreeSet<usize> = runs.iter().map(|run| run.side).collect();
    sides.into_iter().any(|side| {
        let own: Vec<&PlacedRun<'_>> = runs.iter().filter(|run| run.side == side).collect();
        let programs: Vec<&RunProgram> = own.iter().map(|run| run.program).collect();
        let classes = RunProgram::classes(&programs);
        // Of runs of one device and call, because devices and calls may do different work.
        let mut first: BTreeMap<_, (&PlacedRun<'_>, usize)> = BTreeMap::new();
        own.iter().zip(classes).any(|(run, class)| {
            let RunPlace { host, device, call, .. } = run.place;
            let (one, of_one) = first.entry((host, device, call)).or_insert((run, class));
            let is_named = one.place.name != run.place.name || one.place.own != run.place.own;
            is_named && *of_one != class
        })
    })
}

fn of_names(place: &RunPlace, names_are_workloads: bool, pooling: &Pooling<'_>) -> Unit {
    let join = |parts: [&Option<String>; 2]| {
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join("/"))
    };
    let (workload, host) = match names_are_workloads {
        true => (join([&place.name, &place.own]), place.host.clone()),
        false => (None, join([&place.host, &place.name])),
    };
    Unit {
        workload: pooling.workload.map(str::to_owned).or(workload),
        part: None,
        host: host.filter(|_| !pooling.pools_hosts),
        device: place.device.filter(|_| !pooling.pools_devices),
        call: place.call.filter(|_| !pooling.pools_calls),
    }
}

/// Where each side has one host, or none, hosts tell nothing apart: their names may differ from side to side.
fn drop_single_host(runs: &[PlacedRun<'_>], units: &mut [Unit]) {
    let mut hosts: BTreeMap<usize, BTreeSet<Option<String>>> = BTreeMap::new();
    for (run, unit) in runs.iter().zip(units.iter()) {
        hosts.entry(run.side).or_default().insert(unit.host.clone());
    }
    if hosts.values().all(|of_side| of_side.len() < 2) {
        units.iter_mut().for_each(|unit| unit.host = None);
    }
}

/// Runs of a unit that are not of the same program become units of their own, on both sides alike.
fn split_by_program(runs: &[PlacedRun<'_>], units: &mut [Unit]) -> Vec<Message> {
    let mut by_unit: BTreeMap<Unit, Vec<usize>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate() {
        by_unit.entry(unit.clone()).or_default().push(number);
    }
    let mut notes = Vec::new();
    for (unit, members) in by_unit {
        let own: Vec<(usize, &PlacedRun<'_>)> =
            members.iter().filter_map(|at| Some((*at, runs.get(*at)?))).collect();
        let sides: BTreeSet<usize> = own.iter().map(|(_, run)| run.side).collect();
        let of_side = |side: usize| own.iter().filter(move |(_, run)| run.side == side);
        let classes: BTreeMap<usize, usize> = sides
            .iter()
            .flat_map(|side| {
                let programs: Vec<&RunProgram> =
                    of_side(*side).map(|(_, run)| run.program).collect();
                of_side(*side)
                    .map(|(at, _)| *at)
                    .zip(RunProgram::classes(&programs))
                    .collect::<Vec<_>>()
            })
            .collect();
        if classes.values().all(|class| *class == 0) {
            continue;
        }
        let labels = labels(&own, &classes);
        for (at, label) in &labels {
            if let Some(unit) = units.get_mut(*at) {
                unit.part = Some(label.clone());
            }
        }
        let names: BTreeSet<&str> = labels.values().map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().collect();
        notes.push(message!(
            "diff-programs-differ",
            unit = unit.to_string(),
            programs = names.join(", ")
        ));
    }
    notes
}

/// A name for the program of each run: the chip where it differs, else the repetition, else a number. A program of the other side that is a
/// version of one has its name.
fn labels(
    own: &[(usize, &PlacedRun<'_>)],
    classes: &BTreeMap<usize, usize>,
) -> BTreeMap<usize, String> {
    let mut of_classes: BTreeMap<(usize, usize), Vec<&PlacedRun<'_>>> = BTreeMap::new();
    for (at, run) in own {
        let class = classes.get(at).copied().unwrap_or(0);
        of_classes.entry((run.side, class)).or_default().push(run);
    }
    let chips: BTreeSet<&str> = own.iter().map(|(_, run)| run.program.chip.as_str()).collect();
    let mut named: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (key, members) in &of_classes {
        let Some(first) = members.first() else { continue };
        // The most alike of the other sides that have names already.
        let others = named.iter().filter(|((side, _), _)| *side != key.0);
        let alike = others.filter_map(|(other, name)| {
            let one = of_classes.get(other)?.first()?;
            let is_taken = named.iter().any(|(taken, of)| taken.0 == key.0 && of == name);
            (!is_taken).then(|| (one.program.overlap(first.program), name.clone()))
        });
        let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let name = best.filter(|(overlap, _)| *overlap >= LEAST_ALIKE).map(|(_, name)| name);
        let name = name.unwrap_or_else(|| {
            let of_side = || of_classes.iter().filter(|(other, _)| other.0 == key.0);
            let is_only = |of: &dyn Fn(&PlacedRun<'_>) -> Option<String>| {
                let mine = of(first)?;
                let others = of_side().filter(|(other, _)| *other != key).flat_map(|(_, m)| m);
                let is_other = others.into_iter().all(|run| of(run).as_ref() != Some(&mine));
                (is_other && members.iter().all(|run| of(run).as_ref() == Some(&mine)))
                    .then_some(mine)
            };
            let chip = |run: &PlacedRun<'_>| (chips.len() > 1).then(|| run.program.chip.clone());
            let of_name =
                |run: &PlacedRun<'_>| run.place.own.clone().or_else(|| run.place.run.clone());
            is_only(&chip)
                .or_else(|| is_only(&of_name))
                .unwrap_or_else(|| format!("program {}", key.1 + 1))
        });
        named.insert(*key, name);
    }
    let label = |(at, run): &(usize, &PlacedRun<'_>)| {
        let class = classes.get(at).copied()?;
        Some((*at, named.get(&(run.side, class))?.clone()))
    };
    own.iter().filter_map(label).collect()
}

#[cfg(test)]
mod tests;
