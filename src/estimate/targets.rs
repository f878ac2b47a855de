//! Targets of an estimate: machines, and which operator runs on which.

use anyhow::{Result, anyhow, bail};
use bigtpu_machine::{Machine, PresetSet, resolve, resolve_one};
use bigtpu_model::{HOST, Mapping, Model, Semantics, Target as EngineId};

use crate::args::estimate::Args;

/// Without a machine, nothing takes time.
pub(super) const NO_TARGET: &str = "no target: name machines with --on, such as --on aks,h100-sxm (all: bigtpuprofile estimate --list)";

/// One column of the comparison.
pub(crate) struct Target {
    /// Its name.
    pub(crate) name: String,
    /// Machines that its mapping names.
    pub(crate) machines: Vec<Machine>,
    /// Which operator runs where.
    pub(crate) mapping: Mapping,
}

/// Machines by name: what the model's file describes, files of `--on`, presets.
struct Known<'a> {
    described: &'a [Machine],
    read: Vec<Machine>,
    set: PresetSet,
}

/// The targets that the command line names; without `--on`, the mapping of the model's file.
pub(crate) fn targets(model: &Model, args: &Args) -> Result<Vec<Target>> {
    let is_upmem = model.settings.semantics == Semantics::Upmem;
    let set = if is_upmem { PresetSet::Upmem } else { PresetSet::All };
    let mut known = Known { described: &model.machines, read: Vec::new(), set };
    let mut places = Vec::new();
    for text in &args.on {
        if let Some(described) = known.described(text) {
            places.push(described.name.clone());
            continue;
        }
        let machines = resolve(text, set)?;
        for machine in &machines {
            known_memory(machine)?;
            places.push(machine.name.clone());
        }
        known.read.extend(machines);
    }
    let mut mapping = model.mapping.clone();
    for text in &args.map {
        let parts = text
            .split_once(':')
            .filter(|(context, place)| !context.is_empty() && !place.is_empty());
        let (context, place) = parts
            .ok_or_else(|| anyhow!("--map {text}: write CONTEXT:MACHINE or CONTEXT:MACHINE,t"))?;
        mapping.targets.insert(context.to_owned(), EngineId::parse(place));
    }
    if places.is_empty() {
        if mapping.targets.is_empty() {
            bail!(NO_TARGET);
        }
        let name = if args.map.is_empty() { "mapping of the file" } else { "mapping of --map" };
        return Ok(vec![known.target(name.to_owned(), mapping)?]);
    }
    // A machine of --on replaces the file's mapping; what --map names stays elsewhere.
    mapping.targets.retain(|context, _| {
        args.map.iter().any(|text| text.split(':').next() == Some(context.as_str()))
    });
    let target = |name: String| {
        let rest = Some(EngineId { machine: name.clone(), always: false, first_use: false });
        known.target(name, Mapping { rest, ..mapping.clone() })
    };
    places.into_iter().map(target).collect()
}

/// All machines of `--on`, for a model that has no mapping.
pub(crate) fn machines(args: &Args) -> Result<Vec<Machine>> {
    let mut found = Vec::new();
    for text in &args.on {
        for machine in resolve(text, PresetSet::All)? {
            known_memory(&machine)?;
            found.push(machine);
        }
    }
    if found.is_empty() {
        bail!(NO_TARGET);
    }
    Ok(found)
}

/// Times depend on the bandwidth.
fn known_memory(machine: &Machine) -> Result<()> {
    if machine.memory.gbps.is_none() {
        bail!(
            "the memory bandwidth of {} is not known; describe the machine in a file and give that to --on",
            machine.name
        );
    }
    Ok(())
}

impl Known<'_> {
    fn described(&self, name: &str) -> Option<&Machine> {
        self.read.iter().chain(self.described).find(|machine| machine.is_named(name))
    }

    fn find(&self, name: &str) -> Result<Machine> {
        if let Some(own) = self.described(name) {
            return Ok(own.clone());
        }
        let found = resolve_one(name, self.set)?;
        known_memory(&found)?;
        Ok(found)
    }

    /// A target with the machines that its mapping names.
    fn target(&self, name: String, mut mapping: Mapping) -> Result<Target> {
        let mut machines: Vec<Machine> = Vec::new();
        for place in mapping.targets.values_mut().chain(&mut mapping.rest) {
            if place.machine == HOST {
                continue;
            }
            let machine = self.find(&place.machine)?;
            // From here on one name for one machine, however it was spelled.
            place.machine.clone_from(&machine.name);
            if !machines.iter().any(|known| known.name == machine.name) {
                machines.push(machine);
            }
        }
        Ok(Target { name, machines, mapping })
    }
}
