//! The scene of a profile.

use bigtpu_analysis::{dma, kernel_slices};
use bigtpu_chip::{Engine, PortDirection};
use bigtpu_layers::{Layers, layer_slices};
use bigtpu_timeline::{Core, Profile, Track as EventTrack};
use rayon::prelude::*;

use crate::model::{Commands, Content, Detail, Group, Owner, Role, Scene, Slice, Slices, Track};

/// The scene of a profile, and of the layers of its static model where they are known. Times are those of the profile.
#[must_use]
pub fn measured(profile: &Profile<'_>, layers: Option<&Layers>) -> Scene {
    let ports: Vec<&EventTrack<'_>> =
        profile.ports.iter().filter(|port| !port.events.is_empty()).collect();
    let core = |(number, core): (usize, &Core<'_>)| core_group(profile, layers, number, core);
    let (mut groups, ports): (Vec<Group>, Vec<Group>) = rayon::join(
        || profile.cores.par_iter().enumerate().map(core).collect(),
        || ports.par_iter().map(|port| port_group(profile, port)).collect(),
    );
    groups.extend(ports);
    Scene { groups, flows: Vec::new() }
}

/// Kernels, layers, and each engine with its counter.
fn core_group(
    profile: &Profile<'_>,
    layers: Option<&Layers>,
    number: usize,
    core: &Core<'_>,
) -> Group {
    let [tiu, gdma, sdma] = &core.tracks;
    let mut tracks = vec![kernels(profile, &[tiu, gdma, sdma])];
    tracks.extend(layers.map(|layers| layer_track(layers, core)));
    let derived = |role| Track { role, content: Content::Derived };
    for (engine, track) in [(Engine::Tiu, tiu), (Engine::Gdma, gdma)] {
        tracks.push(commands(track));
        tracks.push(derived(Role::Rate(engine)));
    }
    if !sdma.events.is_empty() {
        tracks.push(commands(sdma));
    }
    if !gdma.events.is_empty() || !sdma.events.is_empty() {
        tracks.push(derived(Role::Bandwidth));
    }
    Group { owner: Owner::Core(number as u32), tracks }
}

/// A port sends and receives at the same time: its commands stand on one track, and once more by their direction.
fn port_group(profile: &Profile<'_>, port: &EventTrack<'_>) -> Group {
    let mut tracks = vec![kernels(profile, &[port]), commands(port)];
    let directions = [PortDirection::Transmit, PortDirection::Receive, PortDirection::Neither];
    let mut rows: [Vec<u32>; 3] = Default::default();
    for i in 0..port.events.len() {
        let view = dma(profile, port, i);
        let side = PortDirection::shown_side(view.task, view.function);
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
    Group { owner: Owner::Port(port.place.index), tracks }
}

fn commands(track: &EventTrack<'_>) -> Track {
    let commands = Commands::all(&track.events.start, &track.events.end);
    Track { role: Role::Engine(track.place.engine), content: Content::Commands(commands) }
}

fn kernels(profile: &Profile<'_>, tracks: &[&EventTrack<'_>]) -> Track {
    let slices = kernel_slices(profile, tracks).into_iter().map(|slice| Slice {
        start: slice.start,
        end: slice.end,
        name: profile.kernels.get(slice.kernel as usize).cloned().unwrap_or_default(),
        detail: Detail::Kernel {
            scope: slice.scope,
            batches: slice.batches,
            modes: slice.modes.iter().map(|mode| mode.name()).collect::<Vec<_>>().join("/"),
            events: slice.events,
        },
    });
    Track { role: Role::Kernels, content: Content::Slices(Slices::new(slices.collect())) }
}

fn layer_track(layers: &Layers, core: &Core<'_>) -> Track {
    let slices = layer_slices(layers, core).into_iter().map(|slice| Slice {
        start: slice.start,
        end: slice.end,
        name: layers.layers.get(slice.layer).map_or_else(String::new, |layer| layer.name.clone()),
        detail: Detail::Layer(slice.layer),
    });
    Track { role: Role::Layers, content: Content::Slices(Slices::new(slices.collect())) }
}
