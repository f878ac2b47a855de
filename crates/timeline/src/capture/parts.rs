//! Cores whose files are exchanged: the parts that they work on are in another order than the cores.
//!
//! No file says of which core it is. But where cores do the same transfers, each on its part of the tensors, the parts follow one another
//! as the cores do: core 1 has higher addresses than core 0. If the files of two cores are exchanged, their parts are in the wrong order.
//!
//! ```text
//!   tensor     | part 0 | part 1 | part 2 | part 3 |
//!   sound        core 0   core 1   core 2   core 3
//!   exchanged    core 2   core 1   core 0   core 3
//! ```

use std::cell::OnceCell;
use std::cmp::Ordering;

use bigtpu_chip::{Chip, Command, Direction, Engine, Memory, Slot};
use bigtpu_messages::{Arg, message};

use super::path_of;
use crate::dump::Dump;
use crate::note::{Note, Severity};
use crate::profile::{EngineEvents, Profile};

/// Fewer transfers at different addresses say nothing.
const FEWEST: usize = 24;
/// So many transfers of an engine are compared.
const MOST: usize = 512;
/// One in so many may be in the other order: buffers that cores share in turn.
const TRANSFERS_PER_ODD: usize = 16;

/// Tells two cores whose parts are in the order of each other's files, where those of all others are in the order of the cores.
pub(super) fn exchanged_cores(dump: &Dump, profile: &Profile<'_>) -> Option<Note> {
    let cores: Vec<u32> = (0..profile.cores.len() as u32)
        .filter(|core| transfers(profile, *core).any(|track| !track.events.is_empty()))
        .collect();
    // Each core is compared with all others: its transfers are decoded once.
    let parts: Vec<OnceCell<Parts<'_>>> = cores.iter().map(|_| OnceCell::new()).collect();
    let of_core = |at: usize, core: u32| {
        parts.get(at).map(|own| own.get_or_init(|| Parts::collect(profile, core)))
    };
    // How many cores have lower parts than each.
    let mut ranks = vec![0; cores.len()];
    for (at, core) in cores.iter().enumerate() {
        for (other_at, other) in cores.iter().enumerate().skip(at + 1) {
            let pair = of_core(at, *core).zip(of_core(other_at, *other));
            let behind = match pair.and_then(|(own, other)| own.order(other))? {
                Ordering::Less => other_at,
                _ => at,
            };
            if let Some(rank) = ranks.get_mut(behind) {
                *rank += 1;
            }
        }
    }
    let moved: Vec<u32> = cores
        .iter()
        .zip(&ranks)
        .enumerate()
        .filter(|(at, (_, rank))| at != *rank)
        .map(|(_, (core, _))| *core)
        .collect();
    let [core, other] = moved.as_slice() else { return None };
    let message = message!("note-cores-exchanged", other = Arg::Number((*core).into()));
    Some(Note::about_file(Severity::Loss, path_of(dump, *other, false)?, message))
}

/// A core's engines that transfer.
fn transfers<'a, 'd>(
    profile: &'a Profile<'d>,
    core: u32,
) -> impl Iterator<Item = &'a EngineEvents<'d>> + 'a {
    let core = profile.cores.get(core as usize);
    let tracks = core.into_iter().flat_map(|core| &core.tracks);
    tracks.filter(|track| matches!(track.engine_id.engine, Engine::Gdma | Engine::Sdma))
}

/// Where the transfers of a core read and write off the chip, by engine: the first ones.
struct Parts<'a>(Vec<(&'a EngineEvents<'a>, Vec<[Option<u64>; 2]>)>);

impl<'a> Parts<'a> {
    fn collect(profile: &'a Profile<'_>, core: u32) -> Self {
        let of_track = |track: &'a EngineEvents<'a>| {
            let commands = (0..track.events.len().min(MOST)).map(|at| profile.command(track, at));
            let none = [None; 2];
            let of = |command: Option<Command<'_>>| {
                command.map_or(none, |command| addresses(profile.chip, &command))
            };
            (track, commands.map(of).collect())
        };
        Self(transfers(profile, core).map(of_track).collect())
    }

    /// How the addresses of a core stand to those of another one in the same transfers; `None` if there are too few that differ, or they do
    /// so both ways.
    fn order(&self, other: &Self) -> Option<Ordering> {
        let (mut less, mut greater) = (0, 0);
        for ((own, own_addresses), (other, addresses)) in self.0.iter().zip(&other.0) {
            for (at, both) in own_addresses.iter().zip(addresses).enumerate() {
                if own.events.binding.get(at) != other.events.binding.get(at)
                    || own.events.code.get(at) != other.events.code.get(at)
                {
                    // From here on they do other work.
                    break;
                }
                for (own, other) in both.0.iter().zip(both.1) {
                    match own.zip(*other).map_or(Ordering::Equal, |(own, other)| own.cmp(&other)) {
                        Ordering::Less => less += 1,
                        Ordering::Greater => greater += 1,
                        Ordering::Equal => {}
                    }
                }
            }
        }
        let (most, fewest) = (less.max(greater), less.min(greater));
        (most >= FEWEST && fewest * TRANSFERS_PER_ODD <= most).then(|| greater.cmp(&less))
    }
}

/// Where a transfer reads and writes off the chip; `None` of a side that is on it.
fn addresses(chip: &Chip, command: &Command<'_>) -> [Option<u64>; 2] {
    let Direction { from, to } = Direction::of_command(chip, command);
    let sides = [
        (from, [Slot::SrcH13, Slot::SrcH8, Slot::SrcL32]),
        (to, [Slot::DstH13, Slot::DstH8, Slot::DstL32]),
    ];
    sides.map(|(memory, [high13, high8, low])| {
        let address = || (command.get(high13) | command.get(high8)) << 32 | command.get(low);
        (memory == Memory::Ddr).then(address)
    })
}
