//! The changes that are asked for.

use bigtpu_answers::Analysis;
use bigtpu_chip::Engine;
use bigtpu_machine::{DataType, Hardware, Machine, resolve_for};
use bigtpu_messages::error_message;
use bigtpu_predict::estimate::SpeedRatios;
use bigtpu_replay::{Resource, ResourceChange};
use bigtpu_timeline::Profile;

use super::WhatifRequest;
use super::error::WhatifError;
use crate::run::Run;

/// All changes: those that are given, a TIU clock, other hardware; the ratios to the other hardware next to them.
pub(super) fn requested_changes(
    request: &WhatifRequest,
    run: &Run<'_>,
) -> Result<(Vec<ResourceChange>, Option<SpeedRatios>), WhatifError> {
    let profile = &run.profile;
    let mut changes = request.changes.clone();
    if let Some(mhz) = request.tiu_mhz {
        let factor = mhz as f64 / profile.clocks.mhz(Engine::Tiu);
        changes.push(ResourceChange { resource: Resource::TiuClock, factor });
    }
    let Some(file) = &request.hardware else { return Ok((changes, None)) };
    let chip = Hardware::of_chip(profile.chip, profile.clocks.mhz(Engine::Tiu));
    let cores = cores_that_ran(profile);
    let own = Machine::of_cores(&chip, cores);
    let other = resolve_for(&file.display().to_string(), &chip, cores)?;
    let fill = fill(profile, &run.analysis);
    let ratios = SpeedRatios::from_machines(&own, &other, DataType::Fp16, fill)
        .map_err(WhatifError::Hardware)?;
    changes.extend(self::changes(&ratios, &own, &other, profile)?);
    Ok((changes, Some(ratios)))
}

/// Cores with commands.
fn cores_that_ran(profile: &Profile<'_>) -> u32 {
    let ran =
        profile.cores.iter().filter(|core| core.tracks.iter().any(|t| !t.events.start.is_empty()));
    u32::try_from(ran.count()).unwrap_or(1).max(1)
}

/// Share of the operations of the TIU that were asked for, of those that it did with padding.
fn fill(profile: &Profile<'_>, analysis: &Analysis) -> Option<f64> {
    let (mut asked, mut done) = (0.0, 0.0);
    for track in profile.tracks().filter(|track| track.engine_id.engine == Engine::Tiu) {
        let Some(commands) = analysis.table.track(track) else { continue };
        for kind in (0..track.events.len()).filter_map(|i| commands.kind(i)) {
            if kind.activity.is_work() {
                asked += kind.work().alg_ops as f64;
                done += kind.work().uarch_ops as f64;
            }
        }
    }
    (asked > 0.0 && done >= asked).then_some(asked / done)
}

/// The bandwidth of links that a run uses is not known.
#[derive(Debug, Clone, thiserror::Error)]
pub enum UnknownLinks {
    /// Where it was measured.
    #[error("{}", error_message!("error-whatif-changes-own", value = .0))]
    Own(String),
    /// Where it is predicted for.
    #[error("{}", error_message!("error-whatif-changes-other", value = .0))]
    Other(String),
}

/// Whether the links of both machines are known, if the run uses them.
///
/// # Errors
/// The run uses links, and the links of one machine are not known.
pub(crate) fn check_links(
    ratios: &SpeedRatios,
    own: &Machine,
    other: &Machine,
    uses_links: bool,
) -> Result<(), UnknownLinks> {
    if ratios.link.is_some() || !uses_links || own.name == other.name {
        return Ok(());
    }
    Err(match own.chip_to_chip.gbps {
        None => UnknownLinks::Own(own.name.clone()),
        Some(_) => UnknownLinks::Other(other.name.clone()),
    })
}

/// The changes that make a run on one machine one on the other.
///
/// # Errors
/// Links between chips that the run uses and one side does not know.
pub(crate) fn changes(
    ratios: &SpeedRatios,
    own: &Machine,
    other: &Machine,
    profile: &Profile<'_>,
) -> Result<Vec<ResourceChange>, UnknownLinks> {
    let uses_links = profile.ports.iter().any(|port| !port.events.start.is_empty());
    check_links(ratios, own, other, uses_links)?;
    let parts = [
        (Resource::Engine(Engine::Tiu), Some(ratios.compute)),
        (Resource::Ddr, Some(ratios.memory)),
        (Resource::L2m, ratios.shared),
        (Resource::Link, ratios.link),
    ];
    let changes = parts.into_iter().filter_map(|(resource, factor)| {
        let factor = factor.filter(|f| *f != 1.0)?;
        Some(ResourceChange { resource, factor })
    });
    Ok(changes.collect())
}
