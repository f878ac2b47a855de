//! Data that was loaded from DDR more than once.

use crate::{Addresses, CommandTable, Kind, TrackCommand, TrackCommands};
use bigtpu_chip::{Memory, Slot};
use bigtpu_timeline::Profile;
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
    /// How often the command ran that loaded it first: cached streams and static models load the place anew in each run.
    runs: u64,
}

impl Load {
    /// Loads by one more engine: it reads again what the other one has read.
    fn and(self, other: Self) -> Self {
        let (times, ns) = (self.times + other.times, self.ns + other.ns);
        Self { times, ns, runs: self.runs.max(other.runs) }
    }
}

/// Address and bytes of a load.
type Place = (u64, u64);

impl Reuse {
    /// Of all loads of a profile, tracks in parallel.
    #[must_use]
    pub fn of(profile: &Profile<'_>, table: &CommandTable) -> Self {
        let tracks: Vec<TrackCommands<'_, '_>> = table.all_commands(profile).collect();
        let are_loads: Vec<bool> = table.kinds.iter().map(reads_ddr).collect();
        let of_track = |track: TrackCommands<'_, '_>| loads(track, &are_loads);
        let mut all: Vec<(Place, Load)> = tracks.into_par_iter().flat_map_iter(of_track).collect();
        all.sort_unstable_by_key(|(place, _)| *place);
        Self::of_loads(&all)
    }

    /// Of loads sorted by place, a row for each track.
    fn of_loads(loads: &[(Place, Load)]) -> Self {
        let mut reuse = Self::default();
        for rows in loads.chunk_by(|(a, _), (b, _)| a == b) {
            let Some(((_, bytes), _)) = rows.first() else { continue };
            // The first load of a further engine reads again as well; its time is not kept apart.
            let load = rows.iter().fold(Load::default(), |sum, (_, load)| sum.and(*load));
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
        }
        reuse
    }
}

/// The loads of a track by place, ascending. `are_loads`: by kind, whether its commands read DDR.
fn loads(commands: TrackCommands<'_, '_>, are_loads: &[bool]) -> Vec<(Place, Load)> {
    let kinds = commands.columns.columns.kind.iter().enumerate();
    let is_load = |kind: &u32| are_loads.get(*kind as usize).is_some_and(|is_load| *is_load);
    let mut places: Vec<(Place, usize)> = kinds
        .filter(|(_, kind)| is_load(kind))
        .filter_map(|(index, _)| Some((load_from_ddr(&commands.get(index)?)?, index)))
        .collect();
    places.sort_unstable();
    let of_place = |rows: &[(Place, usize)]| {
        let &(place, first) = rows.first()?;
        let bits = |index: usize| commands.track.events.bits(index);
        let first = bits(first);
        let mut load = Load { times: rows.len() as u64, ..Load::default() };
        for command in rows.iter().filter_map(|(_, index)| commands.get(*index)) {
            load.runs += u64::from(bits(command.index) == first);
            load.ns += command.end() - command.start();
        }
        Some((place, load))
    };
    places.chunk_by(|(a, _), (b, _)| a == b).filter_map(of_place).collect()
}

/// Whether commands of a kind copy from DDR into another memory.
fn reads_ddr(kind: &Kind) -> bool {
    let direction = kind.direction();
    direction.is_some_and(|d| d.from == Memory::Ddr && d.to != Memory::Ddr)
}

/// The address that a command with full bits loads from and the bytes, if that is DDR and it moved anything.
pub(crate) fn load_from_ddr(command: &TrackCommand<'_, '_>) -> Option<(u64, u64)> {
    let bytes = command.bytes();
    if !reads_ddr(command.kind) || bytes == 0 {
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
        let load = |times, ns, runs| Load { times, ns, runs };
        // The third place is loaded by a stream that ran three times.
        let loads =
            [((1, 100), load(1, 50, 1)), ((2, 10), load(4, 80, 1)), ((3, 50), load(3, 90, 3))];
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
        let load = Load { times: 2, ns: 40, runs: 2 };
        let reuse = Reuse::of_loads(&[((1, 10), load), ((1, 10), load)]);
        assert_eq!((reuse.loads, reuse.again_bytes, reuse.again_ns), (4, 20, 40));
    }
}
