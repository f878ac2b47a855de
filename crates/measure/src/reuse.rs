//! Data that was loaded from DDR more than once.

use std::collections::HashMap;

use crate::{Addresses, CommandTable, TrackCommand, TrackCommands};
use bigtpu_chip::{Engine, Memory, Slot};
use bigtpu_timeline::Profile;
use foldhash::fast::RandomState;
use rayon::prelude::*;

/// Loads from DDR that read again what was read before (commands with full bits only).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reuse {
    /// Loads from DDR.
    pub loads: u64,
    /// Bytes that they read.
    pub bytes: u64,
    /// Places that were read more than once: the same address and number of bytes.
    pub places: u64,
    /// Bytes of those places, each counted once.
    pub distinct_bytes: u64,
    /// Bytes that were read again: what a copy on the chip would have saved.
    pub again_bytes: u64,
    /// ns that the loads took that read again.
    pub again_ns: i64,
}

/// Address and bytes of a load; how often it was done, and how long that took.
type Loads = HashMap<(u64, u64), (u64, i64), RandomState>;

impl Reuse {
    /// Of all loads of a profile, tracks in parallel.
    #[must_use]
    pub fn of(profile: &Profile<'_>, table: &CommandTable) -> Self {
        let tracks: Vec<TrackCommands<'_, '_>> = table.all_commands(profile).collect();
        let of_tracks: Vec<Loads> = tracks.into_par_iter().map(loads).collect();
        let mut all = Loads::default();
        for (place, (times, ns)) in of_tracks.into_iter().flatten() {
            let sum = all.entry(place).or_default();
            // The first load of a further engine reads again as well; its time is not kept apart.
            *sum = (sum.0 + times, sum.1 + ns);
        }
        Self::of_loads(&all)
    }

    fn of_loads(loads: &Loads) -> Self {
        loads.iter().fold(Self::default(), |mut reuse, (&(_, bytes), &(times, ns))| {
            reuse.loads += times;
            reuse.bytes += bytes * times;
            if times > 1 {
                reuse.places += 1;
                reuse.distinct_bytes += bytes;
                reuse.again_bytes += bytes * (times - 1);
                let again = i128::from(ns) * i128::from(times - 1) / i128::from(times);
                reuse.again_ns += again as i64;
            }
            reuse
        })
    }
}

/// The loads of a track.
fn loads(commands: TrackCommands<'_, '_>) -> Loads {
    let mut loads = Loads::default();
    if commands.track.engine_id.engine == Engine::Tiu {
        return loads;
    }
    for command in commands.iter() {
        if let Some(place) = load_from_ddr(&command) {
            let load = loads.entry(place).or_default();
            *load = (load.0 + 1, load.1 + command.end() - command.start());
        }
    }
    loads
}

/// The address that a command with full bits loads from and the bytes, if that is DDR and it moved anything.
pub(crate) fn load_from_ddr(command: &TrackCommand<'_, '_>) -> Option<(u64, u64)> {
    let direction = command.kind.direction()?;
    let bytes = command.bytes();
    let from_ddr = direction.from == Memory::Ddr && direction.to != Memory::Ddr;
    if !from_ddr || bytes == 0 {
        return None;
    }
    let bits = command.bits().filter(|bits| bits.register.has(Slot::SrcL32))?;
    Some((Addresses::source(command.all.profile.chip.family, &bits), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_read_again_counts() {
        let loads = Loads::from_iter([((1, 100), (1, 50)), ((2, 10), (4, 80))]);
        let expected = Reuse {
            loads: 5,
            bytes: 140,
            places: 1,
            distinct_bytes: 10,
            again_bytes: 30,
            again_ns: 60,
        };
        assert_eq!(Reuse::of_loads(&loads), expected);
    }
}
