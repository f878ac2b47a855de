//! Data that was loaded from DDR more than once.

use std::collections::HashMap;

use crate::{Addresses, CommandTable, TrackCommand, TrackCommands};
use bigtpu_chip::{Engine, Memory, Slot};
use bigtpu_timeline::Profile;
use foldhash::fast::RandomState;
use rayon::prelude::*;

/// Loads from DDR that read again what was read before (commands with full bits only). What a cached stream or a static model
/// loads again when it runs again is not counted: what the memories of the chip hold between runs is not known.
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

/// The loads of a place.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    /// How often it was done.
    times: u64,
    /// How long that took, in ns.
    ns: i64,
    /// Where the bits of the command are that loaded the place first.
    first: Option<u64>,
    /// How often that command ran: cached streams and static models load the place anew in each run.
    runs: u64,
}

impl Load {
    /// Loads by one more engine: it reads again what the other one has read.
    fn and(self, other: Self) -> Self {
        let (times, ns) = (self.times + other.times, self.ns + other.ns);
        Self { times, ns, first: self.first, runs: self.runs.max(other.runs) }
    }
}

/// By address and bytes of a load.
type Loads = HashMap<(u64, u64), Load, RandomState>;

impl Reuse {
    /// Of all loads of a profile, tracks in parallel.
    #[must_use]
    pub fn of(profile: &Profile<'_>, table: &CommandTable) -> Self {
        let tracks: Vec<TrackCommands<'_, '_>> = table.all_commands(profile).collect();
        let of_tracks: Vec<Loads> = tracks.into_par_iter().map(loads).collect();
        let mut all = Loads::default();
        for (place, load) in of_tracks.into_iter().flatten() {
            let sum = all.entry(place).or_default();
            // The first load of a further engine reads again as well; its time is not kept apart.
            *sum = sum.and(load);
        }
        Self::of_loads(&all)
    }

    fn of_loads(loads: &Loads) -> Self {
        loads.iter().fold(Self::default(), |mut reuse, (&(_, bytes), load)| {
            let times = load.times;
            let again = times.saturating_sub(load.runs);
            reuse.loads += times;
            reuse.bytes += bytes * times;
            if again > 0 {
                reuse.places += 1;
                reuse.distinct_bytes += bytes;
                reuse.again_bytes += bytes * again;
                let again = i128::from(load.ns) * i128::from(again) / i128::from(times);
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
            let bits = commands.track.events.bits(command.index);
            load.first = load.first.or(bits);
            load.runs += u64::from(load.first == bits);
            load.times += 1;
            load.ns += command.end() - command.start();
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
        let load = |times, ns, runs| Load { times, ns, first: None, runs };
        // The third place is loaded by a stream that ran three times.
        let loads = Loads::from_iter([
            ((1, 100), load(1, 50, 1)),
            ((2, 10), load(4, 80, 1)),
            ((3, 50), load(3, 90, 3)),
        ]);
        let expected = Reuse {
            loads: 8,
            bytes: 290,
            places: 1,
            distinct_bytes: 10,
            again_bytes: 30,
            again_ns: 60,
        };
        assert_eq!(Reuse::of_loads(&loads), expected);
    }

    /// A core loads a place in each of two runs of a stream, another core too: in each run one of them reads again.
    #[test]
    fn another_core_reads_again_in_each_run() {
        let load = Load { times: 2, ns: 40, first: Some(64), runs: 2 };
        let both = Loads::from_iter([((1, 10), load.and(load))]);
        let reuse = Reuse::of_loads(&both);
        assert_eq!((reuse.loads, reuse.again_bytes, reuse.again_ns), (4, 20, 40));
    }
}
