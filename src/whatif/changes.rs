//! The changes that the arguments ask for.

use std::path::Path;

use anyhow::{Result, anyhow};
use bigtpu_chip::Engine;
use bigtpu_hardware::{DataType, Hardware, Machine, Overrides, PresetSet, nearest_preset, preset};
use bigtpu_replay::{Change, Resource};
use bigtpu_timeline::Profile;

use crate::args::whatif::Args;

/// All changes: those of `--scale`, a TIU clock, other hardware.
pub(super) fn of(args: &Args, profile: &Profile<'_>) -> Result<Vec<Change>> {
    let mut changes = args.scale.clone();
    if let Some(mhz) = args.tiu_freq {
        let factor = mhz as f64 / profile.clocks.mhz(Engine::Tiu);
        changes.push(Change { resource: Resource::TiuClock, factor });
    }
    if let Some(file) = &args.hw {
        let own = Hardware::of_chip(profile.chip, profile.clocks.mhz(Engine::Tiu));
        let other = machine(file, &own)?;
        changes.extend(ratios(&Machine::from(&own), &other, DataType::Fp16));
    }
    Ok(changes)
}

/// The machine of a file or preset. A file with roofs of a core describes this chip with other roofs.
pub(crate) fn machine(file: &Path, own: &Hardware) -> Result<Machine> {
    let name = file.display().to_string();
    if !file.exists() {
        return preset(&name, PresetSet::All).ok_or_else(|| {
            anyhow!(
                "{name}: no such file, and no preset has this name; the nearest is {}",
                nearest_preset(&name, PresetSet::All)
            )
        });
    }
    let text = std::fs::read_to_string(file)
        .map_err(|error| anyhow!("{name}: cannot be read ({error}); give a file to --hw"))?;
    if let Ok(roofs) = Overrides::parse(&text) {
        return Ok(Machine::from(&own.clone().with(&roofs)));
    }
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let machines = Machine::parse(&text, &stem).map_err(|error| anyhow!("{name}: {error}"))?;
    machines.into_iter().next().ok_or_else(|| anyhow!("{name}: describes no machine"))
}

/// How much faster each part of the other machine is, where both descriptions show.
pub(crate) fn ratios(own: &Machine, other: &Machine, data_type: DataType) -> Vec<Change> {
    let ratio = |own: Option<f64>, other: Option<f64>| {
        let (own, other) = (own.filter(|v| *v > 0.0)?, other.filter(|v| *v > 0.0)?);
        Some(other / own)
    };
    let peak = |m: &Machine| Some(m.peak(data_type).0);
    let parts = [
        (Resource::Engine(Engine::Tiu), ratio(peak(own), peak(other))),
        (Resource::Ddr, ratio(own.memory.gbps, other.memory.gbps)),
        (Resource::L2m, ratio(own.l2.gbps, other.l2.gbps)),
        (Resource::Link, ratio(own.chip_to_chip.gbps, other.chip_to_chip.gbps)),
    ];
    let changes = parts.into_iter().filter_map(|(resource, factor)| {
        let factor = factor.filter(|f| *f != 1.0)?;
        Some(Change { resource, factor })
    });
    changes.collect()
}
