//! Runs of kernels: launches on each lane, and which event belongs to which.

use std::collections::HashMap;

use bigtpu_measure::{KernelSlice, Launches};
use bigtpu_timeline::{EngineEvents, Profile};

use crate::costs::level::{Lane, Level, NONE, Run};
use bigtpu_model::costs::PartKind;

/// All launches of kernels with a name.
pub(crate) fn kernel_level(
    profile: &Profile<'_>,
    launches: &Launches,
    lanes: &[Lane<'_, '_>],
) -> Level {
    let mut level = Level::new(PartKind::Kernel, profile);
    level.names.clone_from(&profile.kernels);
    level.memory = vec![None; level.names.len()];
    let of_lanes = launches.cores.iter().chain(&launches.ports);
    for (number, (lane, launches)) in lanes.iter().zip(of_lanes).enumerate() {
        let first = level.runs.len() as u32;
        level.runs.extend(launches.iter().map(|launch| Run {
            name: launch.kernel,
            lane: number as u32,
            start: launch.start,
            end: launch.end,
        }));
        let known = Known::new(launches);
        for (at, track) in &lane.tracks {
            let Some(column) = level.of_event.get_mut(*at) else { continue };
            for (i, slot) in column.iter_mut().enumerate() {
                *slot = known.launch(profile, track, i).map_or(NONE, |launch| first + launch);
            }
        }
    }
    level
}

/// A lane's launches, by what events describe them.
struct Known<'a> {
    launches: &'a [KernelSlice],
    by_scope: HashMap<u32, u32>,
    /// Launches whose scope the runtime did not say, by start.
    without_scope: Vec<u32>,
}

impl<'a> Known<'a> {
    fn new(launches: &'a [KernelSlice]) -> Self {
        let mut by_scope = HashMap::new();
        let mut without_scope = Vec::new();
        for (number, launch) in launches.iter().enumerate() {
            match launch.scope {
                Some(scope) => _ = by_scope.insert(scope, number as u32),
                None => without_scope.push(number as u32),
            }
        }
        Self { launches, by_scope, without_scope }
    }

    /// The launch of an event; `None` where it belongs to no kernel with a name.
    fn launch(&self, profile: &Profile<'_>, track: &EngineEvents<'_>, i: usize) -> Option<u32> {
        let tag = profile.tag(track, i);
        if let Some(scope) = tag.scope {
            return self.by_scope.get(&scope).copied();
        }
        let kernel = tag.kernel?;
        let start = *track.events.start.get(i)?;
        let begins = |n: &u32| self.launches.get(*n as usize).is_some_and(|l| l.start <= start);
        let after = self.without_scope.partition_point(begins);
        let number = *self.without_scope.get(after.checked_sub(1)?)?;
        self.launches.get(number as usize).filter(|l| l.kernel == kernel).map(|_| number)
    }
}
