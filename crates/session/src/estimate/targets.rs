//! Targets of an estimate: machines, and which operator runs on which.

use bigtpu_machine::{Machine, PresetSet, resolve, resolve_one};
use bigtpu_model::{HOST, Mapping, Model, Semantics, Target as EngineId};

use super::EstimateRequest;
use super::error::EstimateFailure;

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

/// The targets that are asked for; without machines, the mapping of the model's file.
pub(crate) fn targets(
    model: &Model,
    request: &EstimateRequest,
) -> Result<Vec<Target>, EstimateFailure> {
    let is_upmem = model.settings.semantics == Semantics::Upmem;
    let set = if is_upmem { PresetSet::Upmem } else { PresetSet::All };
    let mut known = Known { described: &model.machines, read: Vec::new(), set };
    let mut places = Vec::new();
    for text in &request.on {
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
    mapping.targets.extend(given(&request.map)?.targets);
    if places.is_empty() {
        if mapping.targets.is_empty() {
            return Err(EstimateFailure::NoTarget);
        }
        let name = if request.map.is_empty() { "mapping of the file" } else { "mapping of --map" };
        return Ok(vec![known.target(name.to_owned(), mapping)?]);
    }
    // A machine of --on replaces the file's mapping; what --map names stays elsewhere.
    mapping.targets.retain(|context, _| {
        request.map.iter().any(|text| text.split(':').next() == Some(context.as_str()))
    });
    let target = |name: String| {
        let rest = Some(EngineId { machine: name.clone(), always: false, first_use: false });
        known.target(name, Mapping { rest, ..mapping.clone() })
    };
    places.into_iter().map(target).collect()
}

/// The mapping of `--map`.
pub(crate) fn given(texts: &[String]) -> Result<Mapping, EstimateFailure> {
    let mut mapping = Mapping::default();
    for text in texts {
        let parts = text
            .split_once(':')
            .filter(|(context, place)| !context.is_empty() && !place.is_empty());
        let (context, place) = parts.ok_or_else(|| EstimateFailure::Mapping(text.clone()))?;
        mapping.targets.insert(context.to_owned(), EngineId::parse(place));
    }
    Ok(mapping)
}

/// All machines of `--on`, for a model that has no mapping.
pub(crate) fn machines(on: &[String]) -> Result<Vec<Machine>, EstimateFailure> {
    let mut found = Vec::new();
    for text in on {
        for machine in resolve(text, PresetSet::All)? {
            known_memory(&machine)?;
            found.push(machine);
        }
    }
    if found.is_empty() {
        return Err(EstimateFailure::NoTarget);
    }
    Ok(found)
}

/// Times depend on the bandwidth.
fn known_memory(machine: &Machine) -> Result<(), EstimateFailure> {
    if machine.memory.gbps.is_none() {
        return Err(EstimateFailure::NoBandwidth(machine.name.clone()));
    }
    Ok(())
}

impl Known<'_> {
    fn described(&self, name: &str) -> Option<&Machine> {
        self.read.iter().chain(self.described).find(|machine| machine.is_named(name))
    }

    fn find(&self, name: &str) -> Result<Machine, EstimateFailure> {
        if let Some(own) = self.described(name) {
            return Ok(own.clone());
        }
        let found = resolve_one(name, self.set)?;
        known_memory(&found)?;
        Ok(found)
    }

    /// A target with the machines that its mapping names.
    fn target(&self, name: String, mut mapping: Mapping) -> Result<Target, EstimateFailure> {
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
