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

/// A load from DDR.
#[derive(Debug, Clone, Copy)]
struct Load {
    address: u64,
    bytes: u64,
    /// ns that it took.
    ns: i64,
    /// Number of its track.
    track: u32,
    /// Where the bits of its command are in the core's file.
    command: u64,
}

impl Reuse {
    /// Of all loads of a profile, tracks in parallel.
    #[must_use]
    pub fn of(profile: &Profile<'_>, table: &CommandTable) -> Self {
        let tracks: Vec<TrackCommands<'_, '_>> = table.all_commands(profile).collect();
        let are_loads: Vec<bool> = table.kinds.iter().map(reads_ddr).collect();
        let of_track = |(number, track)| loads(number as u32, track, &are_loads);
        let of_tracks: Vec<Vec<Load>> = tracks.into_par_iter().enumerate().map(of_track).collect();
        Self::of_loads(of_tracks.concat())
    }

    /// Of loads in the order of tracks, and of the commands of a track.
    fn of_loads(mut loads: Vec<Load>) -> Self {
        // It takes time linear in the loads, and keeps the order of those with one address.
        radsort::sort_by_key(&mut loads, |load| load.address);
        let mut reuse = Self::default();
        for of_address in loads.chunk_by_mut(|a, b| a.address == b.address) {
            // As a rule all loads of an address are as long.
            if of_address.iter().any(|load| load.bytes != of_address[0].bytes) {
                of_address.sort_by_key(|load| load.bytes);
            }
            for of_place in of_address.chunk_by(|a, b| a.bytes == b.bytes) {
                reuse.add(of_place);
            }
        }
        reuse
    }

    /// Adds the loads of a place.
    fn add(&mut self, loads: &[Load]) {
        let Some(&Load { bytes, .. }) = loads.first() else { return };
        let of_tracks = loads.chunk_by(|a, b| a.track == b.track);
        // Cached streams and static models load the place anew in each run: as often as the command ran that loaded it first.
        let runs = of_tracks.filter_map(|loads| {
            let first = loads.first()?;
            Some(loads.iter().filter(|load| load.command == first.command).count() as u64)
        });
        // The first load of a further engine reads again as well; its time is not kept apart.
        let runs = runs.max().unwrap_or(0);
        let times = loads.len() as u64;
        let again = times.saturating_sub(runs);
        self.loads += times;
        self.bytes += bytes * times;
        if again > 0 {
            self.places += 1;
            self.distinct_bytes += bytes;
            self.again_bytes += bytes * again;
            let ns: i64 = loads.iter().map(|load| load.ns).sum();
            self.again_ns += (i128::from(ns) * i128::from(again) / i128::from(times)) as i64;
        }
    }
}

/// The loads of a track, in the order of its commands. `are_loads`: by kind, whether its commands read DDR.
fn loads(track: u32, commands: TrackCommands<'_, '_>, are_loads: &[bool]) -> Vec<Load> {
    let kinds = commands.columns.columns.kind.iter().enumerate();
    let is_load = |kind: &u32| are_loads.get(*kind as usize).is_some_and(|is_load| *is_load);
    let of_command = |index: usize| {
        let command = commands.get(index)?;
        let (address, bytes) = load_from_ddr(&command)?;
        let ns = command.end() - command.start();
        let command = commands.track.events.bits(index)?;
        Some(Load { address, bytes, ns, track, command })
    };
    kinds.filter(|(_, kind)| is_load(kind)).filter_map(|(index, _)| of_command(index)).collect()
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

    /// Loads of a place by the command at `command`, one for each time that it took.
    fn loads(track: u32, (address, bytes): (u64, u64), command: u64, times: &[i64]) -> Vec<Load> {
        times.iter().map(|&ns| Load { address, bytes, ns, track, command }).collect()
    }

    #[test]
    fn only_what_is_read_again_counts() {
        // The third place is loaded by a stream that ran three times.
        let again: Vec<Load> =
            (0..4).flat_map(|command| loads(0, (2, 10), 64 * command, &[20])).collect();
        let all = [loads(0, (1, 100), 0, &[50]), again, loads(0, (3, 50), 0, &[30; 3])];
        let expected = Reuse {
            loads: 8,
            bytes: 290,
            places: 1,
            distinct_bytes: 10,
            again_bytes: 30,
            again_ns: 60,
        };
        assert_eq!(Reuse::of_loads(all.concat()), expected);
    }

    /// Loads of one address that differ in their bytes are different places.
    #[test]
    fn a_place_has_an_address_and_a_length() {
        let all = [
            loads(0, (1, 100), 0, &[5]),
            loads(0, (1, 10), 64, &[5]),
            loads(0, (1, 100), 128, &[7]),
        ];
        let reuse = Reuse::of_loads(all.concat());
        assert_eq!((reuse.places, reuse.again_bytes, reuse.again_ns), (1, 100, 6));
    }

    /// A core loads a place in each of two runs of a stream, another core too: in each run one of them reads again.
    #[test]
    fn another_core_reads_again_in_each_run() {
        let all = [loads(0, (1, 10), 64, &[20; 2]), loads(1, (1, 10), 64, &[20; 2])];
        let reuse = Reuse::of_loads(all.concat());
        assert_eq!((reuse.loads, reuse.again_bytes, reuse.again_ns), (4, 20, 40));
    }
}
