//! The scene of a profile.

use bigtpu_answers::{Analysis, DrawnUnits};
use bigtpu_chip::{Engine, PortDirection};
use bigtpu_measure::layers::{LayerRuns, Layers};
use bigtpu_measure::{CommandTable, KernelSlice};
use bigtpu_timeline::{Core, EngineEvents, Profile};
use rayon::prelude::*;

use crate::gaps::GapTracks;
use crate::host_idle::idle_group;
use crate::model::{Commands, Content, Detail, Group, Owner, Role, Scene, Slice, Slices, Track};
use crate::path::path_group;
use crate::port_phases::phase_tracks;
use crate::units::{block_track, step_group};

/// The scene of a profile, and of the layers of its static model where they are known. Times are those of the profile.
#[must_use]
pub fn measured(profile: &Profile<'_>, analysis: &Analysis, layers: Option<&Layers>) -> Scene {
    let units = analysis.units(profile);
    let launches = &analysis.launches;
    let gaps = GapTracks::collect(profile, analysis, layers);
    let ports: Vec<(&EngineEvents<'_>, &[KernelSlice])> = profile
        .ports
        .iter()
        .zip(launches.port_slices())
        .filter(|(port, _)| !port.events.is_empty())
        .collect();
    let cores = profile.cores.par_iter().zip(launches.core_slices()).enumerate();
    let (mut groups, ports): (Vec<Group>, Vec<Group>) = rayon::join(
        || {
            cores
                .filter(|(number, _)| profile.shows(*number as u32))
                .map(|(number, (core, launches))| {
                    core_group(kernels(profile, launches), (units, layers), &gaps, number, core)
                })
                .collect()
        },
        || {
            ports
                .par_iter()
                .map(|(port, launches)| {
                    port_group(kernels(profile, launches), &analysis.table, &gaps, port)
                })
                .collect()
        },
    );
    groups.extend(ports);
    groups.extend(analysis.critical_path(profile).iter().map(|_| path_group()));
    groups.extend(step_group(units));
    groups.extend(units.host.and_then(idle_group));
    Scene { groups, flows: Vec::new() }
}

/// Kernels, blocks, layers, and each engine with its counter.
fn core_group(
    kernels: Track,
    (units, layers): (DrawnUnits<'_>, Option<&Layers>),
    gaps: &GapTracks<'_>,
    number: usize,
    core: &Core<'_>,
) -> Group {
    let [tiu, gdma, sdma] = &core.tracks;
    let mut tracks = vec![kernels];
    if let Some(layers) = layers {
        let runs = LayerRuns::find(layers, core);
        tracks.extend(block_track(units, &runs));
        tracks.push(layer_track(layers, &runs));
    }
    for (engine, track) in [(Engine::Tiu, tiu), (Engine::Gdma, gdma)] {
        tracks.push(commands(track));
        tracks.push(Track { role: Role::Rate(engine), content: Content::Rate });
        tracks.extend(gaps.track(track.engine_id));
    }
    if !sdma.events.is_empty() {
        tracks.push(commands(sdma));
        tracks.extend(gaps.track(sdma.engine_id));
    }
    if !gdma.events.is_empty() || !sdma.events.is_empty() {
        tracks.push(Track { role: Role::Bandwidth, content: Content::Bandwidth });
    }
    Group { owner: Owner::Core(number as u32), tracks }
}

/// A port sends and receives at the same time: its commands are on one track, and once more by their direction.
fn port_group(
    kernels: Track,
    table: &CommandTable,
    gaps: &GapTracks<'_>,
    port: &EngineEvents<'_>,
) -> Group {
    let mut tracks = vec![kernels, commands(port)];
    tracks.extend(gaps.track(port.engine_id));
    let directions = [PortDirection::Transmit, PortDirection::Receive, PortDirection::Neither];
    let mut rows: [Vec<u32>; 3] = Default::default();
    let kinds = table.track(port).into_iter().flat_map(|track| track.event_kinds());
    for (i, kind) in kinds.enumerate() {
        let side = PortDirection::shown_side(kind.task, kind.function);
        for (direction, rows) in directions.iter().zip(&mut rows) {
            if *direction == side {
                rows.push(i as u32);
            }
        }
    }
    let events = &port.events;
    let side = |(direction, rows)| Track {
        role: Role::Side(direction),
        content: Content::Commands(Commands::some(rows, &events.start, &events.end)),
    };
    tracks.extend(directions.into_iter().zip(rows).map(side));
    tracks.extend(phase_tracks(port, table));
    tracks.push(Track { role: Role::Bandwidth, content: Content::Bandwidth });
    Group { owner: Owner::Port(port.engine_id.index), tracks }
}

fn commands(track: &EngineEvents<'_>) -> Track {
    let commands = Commands::all(&track.events.start, &track.events.end);
    Track { role: Role::Engine(track.engine_id.engine), content: Content::Commands(commands) }
}

fn kernels(profile: &Profile<'_>, launches: &[KernelSlice]) -> Track {
    let slices = launches.iter().map(|slice| Slice {
        start: slice.start,
        end: slice.end,
        name: profile.kernels.get(slice.kernel as usize).cloned().unwrap_or_default(),
        detail: Detail::Kernel {
            scope: slice.scope,
            batches: slice.batches.clone(),
            modes: slice.modes.iter().map(|mode| mode.name()).collect::<Vec<_>>().join("/"),
            events: slice.events,
        },
    });
    Track { role: Role::Kernels, content: Content::Slices(Slices::new(slices.collect())) }
}

fn layer_track(layers: &Layers, runs: &LayerRuns) -> Track {
    let slices = runs.slices.iter().map(|slice| Slice {
        start: slice.start,
        end: slice.end,
        name: layers.layers.get(slice.layer).map_or_else(String::new, |layer| layer.name.clone()),
        detail: Detail::Layer(slice.layer),
    });
    Track { role: Role::Layers, content: Content::Slices(Slices::new(slices.collect())) }
}
