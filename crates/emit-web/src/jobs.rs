//! Which tracks the page has.

use bigtpu_measure::{CommandTable, TrackCommands};
use bigtpu_output::lanes::Lanes;
use bigtpu_scene::{Content, Group, Owner, Role, Scene, Slices};
use bigtpu_timeline::{EngineEvents, Profile};

use crate::head::TrackKind;

/// One track that is still to be built.
pub(crate) enum Job<'a, 'd> {
    /// Units of work of a core, of a port (core -1), or of the whole device (neither).
    Units {
        slices: &'a Slices,
        kind: TrackKind,
        core: i64,
        port: Option<u32>,
    },
    Engine(TrackCommands<'a, 'd>, &'a Lanes),
}

/// The tracks of a page, in the order in which they are: of each core kernels, engines, layers and blocks; then the ports, then steps.
pub(crate) fn jobs<'a, 'd>(
    profile: &'a Profile<'d>,
    table: &'a CommandTable,
    scene: &'a Scene,
) -> Vec<Job<'a, 'd>> {
    let mut jobs = Vec::new();
    for group in &scene.groups {
        let (core, port) = match group.owner {
            Owner::Core(core) => (i64::from(core), None),
            Owner::Port(port) => (-1, Some(port)),
            Owner::Named(_) => (-1, None),
        };
        let units = |role: Role, kind: TrackKind| {
            group.tracks.iter().find_map(|track| match &track.content {
                Content::Slices(slices) if track.role == role && !slices.all().is_empty() => {
                    Some(Job::Units { slices, kind, core, port })
                }
                _ => None,
            })
        };
        jobs.extend(units(Role::Kernels, TrackKind::Kernel));
        jobs.extend(engines(profile, table, group));
        jobs.extend(units(Role::Layers, TrackKind::Layer));
        jobs.extend(units(Role::Blocks, TrackKind::Block));
        jobs.extend(units(Role::Steps, TrackKind::Step));
    }
    jobs
}

/// The engines of a core or port that have commands.
fn engines<'a, 'd>(
    profile: &'a Profile<'d>,
    table: &'a CommandTable,
    group: &'a Group,
) -> impl Iterator<Item = Job<'a, 'd>> {
    let tracks: Vec<&EngineEvents<'d>> = match group.owner {
        Owner::Core(core) => {
            profile.cores.get(core as usize).into_iter().flat_map(|core| &core.tracks).collect()
        }
        Owner::Port(port) => {
            profile.ports.iter().filter(|track| track.engine_id.index == port).collect()
        }
        Owner::Named(_) => Vec::new(),
    };
    group.tracks.iter().filter_map(move |track| {
        let (Role::Engine(engine), Content::Commands(commands)) = (&track.role, &track.content)
        else {
            return None;
        };
        let events = tracks.iter().find(|events| events.engine_id.engine == *engine)?;
        let of_track = table.commands(profile, events).filter(|commands| !commands.is_empty())?;
        Some(Job::Engine(of_track, commands.assignment()))
    })
}
