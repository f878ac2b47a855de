//! Data that was loaded from DDR more than once.

use std::ops::{Add, Range};

use crate::addresses::SourceField;
use crate::{Addresses, CommandKind, CommandTable, TrackCommand, TrackCommands};
use bigtpu_chip::{Memory, Slot};
use bigtpu_timeline::Profile;
use foldhash::HashMap;
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

/// Events whose loads a thread finds at a time.
const PART: usize = 1 << 14;
/// Lists that loads are put into by their addresses: the places of a list are few enough to stay in a processor's cache.
const LISTS: usize = 16;

/// The loads of a part of a track, in order, by list.
type Lists = [Vec<Load>; LISTS];

impl Reuse {
    /// Finds what all loads of a profile read again: parts of tracks in parallel, then the lists.
    #[must_use]
    pub fn compute(profile: &Profile<'_>, table: &CommandTable) -> Self {
        let tracks: Vec<TrackCommands<'_, '_>> = table.all_commands(profile).collect();
        let kinds: Vec<Option<LoadKind>> =
            table.kinds.iter().map(|kind| LoadKind::find(profile, kind)).collect();
        let parts: Vec<(usize, Range<usize>)> = (0..)
            .zip(&tracks)
            .flat_map(|(number, track)| {
                let all = track.len();
                let part = move |first| (number, first..all.min(first + PART));
                (0..all).step_by(PART).map(part)
            })
            .collect();
        let of_part = |(number, range): (usize, Range<usize>)| {
            tracks.get(number).map(|track| loads(number as u32, *track, range, &kinds))
        };
        let parts: Vec<Lists> = parts.into_par_iter().filter_map(of_part).collect();
        let of_list =
            |list| Self::of_loads(parts.iter().filter_map(|part| part.get(list)).flatten());
        (0..LISTS).into_par_iter().map(of_list).reduce(Self::default, Add::add)
    }

    /// Finds what loads read again. `loads`: in the order of the tracks, and of the commands of a track.
    fn of_loads<'l>(loads: impl Iterator<Item = &'l Load>) -> Self {
        let mut places: HashMap<(u64, u64), Place> = HashMap::default();
        for load in loads {
            places.entry((load.address, load.bytes)).or_default().add(load);
        }
        places
            .into_iter()
            .map(|((_, bytes), place)| place.reuse(bytes))
            .fold(Self::default(), Add::add)
    }
}

impl Add for Reuse {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            loads: self.loads + other.loads,
            bytes: self.bytes + other.bytes,
            places: self.places + other.places,
            distinct_bytes: self.distinct_bytes + other.distinct_bytes,
            again_bytes: self.again_bytes + other.again_bytes,
            again_ns: self.again_ns + other.again_ns,
        }
    }
}

/// The loads of a place.
#[derive(Debug, Default)]
struct Place {
    times: u64,
    /// ns of all of them.
    ns: i64,
    /// Track of the last load.
    track: u32,
    /// The command that loaded the place first on that track, and how often it ran so far.
    first: (u64, u64),
    /// How often the command that loaded the place first on a track ran there; the most of all tracks.
    most_runs: u64,
}

impl Place {
    #[inline]
    fn add(&mut self, load: &Load) {
        if self.times == 0 || self.track != load.track {
            (self.track, self.first) = (load.track, (load.command, 0));
        }
        self.times += 1;
        self.ns += load.ns;
        // Cached streams and static models load the place anew in each run: as often as the command ran that loaded it first.
        if self.first.0 == load.command {
            self.first.1 += 1;
            self.most_runs = self.most_runs.max(self.first.1);
        }
    }

    /// What it adds. The first load of a further engine reads again as well; its time is not kept apart.
    fn reuse(&self, bytes: u64) -> Reuse {
        let again = self.times.saturating_sub(self.most_runs);
        let read = Reuse { loads: self.times, bytes: bytes * self.times, ..Reuse::default() };
        if again == 0 {
            return read;
        }
        let again_ns = (i128::from(self.ns) * i128::from(again) / i128::from(self.times)) as i64;
        Reuse { places: 1, distinct_bytes: bytes, again_bytes: bytes * again, again_ns, ..read }
    }
}

/// A kind whose commands load from DDR.
struct LoadKind {
    /// Where they say from where; `None` where this is not read in the short way.
    source: Option<SourceField>,
}

impl LoadKind {
    /// `None` of other kinds.
    fn find(profile: &Profile<'_>, kind: &CommandKind) -> Option<Self> {
        let register =
            profile.chip.ops(kind.engine).register(kind.code.filter(|_| reads_ddr(kind))?)?;
        let has_source = register.has(Slot::SrcL32);
        has_source.then(|| Self { source: SourceField::find(profile.chip.family, register) })
    }
}

/// The loads of a part of a track, in the order of its commands. `kinds`: those that load, by number.
fn loads(
    track: u32,
    commands: TrackCommands<'_, '_>,
    range: Range<usize>,
    kinds: &[Option<LoadKind>],
) -> Lists {
    let mut lists = Lists::default();
    let file = commands.profile.command_file(commands.track);
    let of_part = commands.columns.columns.kind.get(range.clone()).unwrap_or_default();
    for (index, number) in range.zip(of_part) {
        let Some(Some(kind)) = kinds.get(*number as usize) else { continue };
        let bytes = commands.columns.bytes(index);
        let Some(at) = commands.track.events.bits(index).filter(|_| bytes > 0) else { continue };
        let bits = file.and_then(|file| file.get(usize::try_from(at).ok()?..));
        let address =
            match kind.source.as_ref().zip(bits).and_then(|(source, bits)| source.get(bits)) {
                Some(address) => Some(address),
                None => {
                    commands.get(index).and_then(|c| load_from_ddr(&c)).map(|(address, _)| address)
                }
            };
        let times = &commands.track.events;
        let (Some(address), Some(start), Some(end)) =
            (address, times.start.get(index), times.end.get(index))
        else {
            continue;
        };
        let load = Load { address, bytes, ns: end - start, track, command: at };
        // The highest bits of a product depend on all of its factors' bits.
        let list =
            address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LISTS.trailing_zeros());
        lists.get_mut(list as usize).into_iter().for_each(|list| list.push(load));
    }
    lists
}

/// Whether commands of a kind copy from DDR into another memory.
fn reads_ddr(kind: &CommandKind) -> bool {
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
    use bigtpu_synth::Options;
    use bigtpu_timeline::{BuildOptions, Dump};

    use super::*;

    /// What is read in the short way, part by part, is what one command after the other says.
    #[test]
    fn loads_are_those_of_commands() {
        let dir = tempfile::tempdir().unwrap();
        for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
            let root = dir.path().join(chip);
            bigtpu_synth::write(&Options::of_chip(chip).unwrap(), &root).unwrap();
            let dump = Dump::open(&root).unwrap();
            let profile = Profile::build(&dump, &BuildOptions::default());
            let table = CommandTable::decode(&profile);
            let mut plain = Vec::new();
            for (track, commands) in (0..).zip(table.all_commands(&profile)) {
                for command in commands.iter() {
                    let Some((address, bytes)) = load_from_ddr(&command) else { continue };
                    let ns = command.end() - command.start();
                    let command = commands.track.events.bits(command.index).unwrap();
                    plain.push(Load { address, bytes, ns, track, command });
                }
            }
            assert!(!plain.is_empty(), "{chip}");
            assert_eq!(Reuse::compute(&profile, &table), Reuse::of_loads(plain.iter()), "{chip}");
        }
    }

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
        assert_eq!(Reuse::of_loads(all.concat().iter()), expected);
    }

    /// Loads of one address that differ in their bytes are different places.
    #[test]
    fn a_place_has_an_address_and_a_length() {
        let all = [
            loads(0, (1, 100), 0, &[5]),
            loads(0, (1, 10), 64, &[5]),
            loads(0, (1, 100), 128, &[7]),
        ];
        let reuse = Reuse::of_loads(all.concat().iter());
        assert_eq!((reuse.places, reuse.again_bytes, reuse.again_ns), (1, 100, 6));
    }

    /// A core loads a place in each of two runs of a stream, another core too: in each run one of them reads again.
    #[test]
    fn another_core_reads_again_in_each_run() {
        let all = [loads(0, (1, 10), 64, &[20; 2]), loads(1, (1, 10), 64, &[20; 2])];
        let reuse = Reuse::of_loads(all.concat().iter());
        assert_eq!((reuse.loads, reuse.again_bytes, reuse.again_ns), (4, 20, 40));
    }
}
