//! What a port's records say of its data commands: direction, bytes, when data moved, what the link sent again.
//!
//! The PMU of a port keeps the first and last moment of each of its buses. Whether a chip fills them, and which bus a
//! link's data cross, is not known in advance: a pair of moments counts for a *class* of commands (those of one
//! direction and opcode on a port) only if at least 99 % of them have it between their start and their end.
//!
//! ```text
//!  start          first data                 last data          end
//!    |-- waiting ----|--------- transfer --------|-- completion --|
//! ```

use std::collections::BTreeMap;

use bigtpu_format::{CdmaRecord, PortThread, U32};
use bigtpu_timeline::{EngineEvents, Profile};
use serde::{Deserialize, Serialize};

use crate::port_bits::PortBits;
use crate::port_roles::{Known, NO_TASK, PortRole, data_commands};

/// A command of a port that moves data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortCommand {
    /// Index of its event in the port's track.
    pub event: usize,
    /// What it does.
    pub role: PortRole,
    /// The port's thread that executed it.
    pub thread: PortThread,
    /// Bytes; 0 where the record has none.
    pub bytes: u64,
    /// ns; first and last moment in which data moved. `None`: only start and end are known.
    pub data: Option<(i64, i64)>,
    /// Packets that the link sent again.
    pub replays: u32,
    /// What the command's full bits say, where they are known.
    pub said: PortBits,
}

/// The parts of a command's time, in ns; they add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortTimes {
    /// From the start to the first data: a send waits for the credit of its receiver, a receive for its sender.
    pub waiting_ns: i64,
    /// From the first data to the last.
    pub transfer_ns: i64,
    /// From the last data to the end.
    pub completion_ns: i64,
}

impl PortTimes {
    /// Their sum.
    #[must_use]
    pub fn total_ns(&self) -> i64 {
        self.waiting_ns + self.transfer_ns + self.completion_ns
    }
}

impl PortCommand {
    /// What a command's time from `start` to `end` is made of; `None`: only its ends are known.
    #[must_use]
    pub fn times(&self, start: i64, end: i64) -> Option<PortTimes> {
        let (first, last) = self.data?;
        let end = end.max(start);
        let first = first.clamp(start, end);
        let last = last.clamp(first, end);
        Some(PortTimes {
            waiting_ns: first - start,
            transfer_ns: last - first,
            completion_ns: end - last,
        })
    }
}

/// A port's data commands, in the order of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PortCommands {
    /// The commands.
    pub commands: Vec<PortCommand>,
}

impl PortCommands {
    /// The data commands of a port of the profile.
    #[must_use]
    pub(crate) fn collect(profile: &Profile<'_>, track: &EngineEvents<'_>) -> Self {
        let mut commands = Vec::new();
        let mut classes: BTreeMap<Class, Votes> = BTreeMap::new();
        for Known { event: i, record, role, task } in data_commands(profile, track) {
            // Of another command than its own nothing is said.
            let is_bound = task != NO_TASK;
            let said = || profile.command(track, i).or_else(|| profile.port_command(track, i));
            let said = is_bound.then(said).flatten();
            let command = PortCommand {
                event: i,
                role,
                thread: record.thread(),
                bytes: bytes_of(record),
                data: None,
                replays: record.replay_number.get(),
                said: said.map_or_else(PortBits::default, |c| PortBits::read(profile.chip, &c)),
            };
            let votes = classes.entry((role, task)).or_insert_with(|| Votes::new(role));
            votes.add(record, command.bytes > 0);
            commands.push((command, record, task));
        }
        let mhz = profile.clocks.dma_mhz;
        let commands = commands.into_iter().map(|(command, record, task)| {
            let data = classes.get(&(command.role, task)).and_then(|votes| {
                let start = *track.events.start.get(command.event)?;
                votes.moments(record, start, mhz)
            });
            PortCommand { data, ..command }
        });
        Self { commands: commands.collect() }
    }

    /// What is said of an event; `None` where it is no data command.
    #[must_use]
    pub fn of_event(&self, event: usize) -> Option<&PortCommand> {
        let at = self.commands.binary_search_by_key(&event, |command| command.event).ok()?;
        self.commands.get(at)
    }

    /// Whether moments of data are known for all commands of a role; `false` where there is none.
    #[must_use]
    pub fn has_moments(&self, role: PortRole) -> bool {
        let mut all = self.commands.iter().filter(|c| c.role == role).peekable();
        all.peek().is_some() && all.all(|c| c.data.is_some())
    }
}

type Class = (PortRole, u8);

fn bytes_of(record: &CdmaRecord) -> u64 {
    let (wr, ar) = (record.m0_data_wr.get(), record.m0_data_ar.get());
    match record.m0_data_aw.get() {
        0 => wr.max(ar).into(),
        bytes => bytes.into(),
    }
}

/// Moments of a bus: first and last.
type Moments = fn(&CdmaRecord) -> [U32; 2];

/// Buses whose moments may be those of a send's or a receive's data, the best first.
const OF_SENDS: [(Moments, bool); 3] =
    [(|r| r.m0_wr, true), (|r| r.ati_data, true), (|r| r.m0_rd, false)];
const OF_RECEIVES: [(Moments, bool); 2] = [(|r| r.ari_data, true), (|r| r.m0_wr, true)];

fn buses(receives: bool) -> &'static [(Moments, bool)] {
    if receives { &OF_RECEIVES } else { &OF_SENDS }
}

/// How many commands of a class have sound moments of each bus.
#[derive(Debug, Clone, Default)]
struct Votes {
    receives: bool,
    /// Commands with bytes, and all commands: the first decide where there are any.
    commands: [u64; 2],
    sound: [[u64; 3]; 2],
}

impl Votes {
    fn new(role: PortRole) -> Self {
        Self { receives: role == PortRole::Receive, ..Self::default() }
    }

    fn add(&mut self, record: &CdmaRecord, has_bytes: bool) {
        let sides = if has_bytes { &[0, 1][..] } else { &[1][..] };
        for &side in sides {
            if let Some(commands) = self.commands.get_mut(side) {
                *commands += 1;
            }
            let Some(sound) = self.sound.get_mut(side) else { continue };
            for (count, (bus, _)) in sound.iter_mut().zip(buses(self.receives)) {
                *count += u64::from(in_order(record, bus(record)).is_some());
            }
        }
    }

    /// ns; when the command's data moved, if its class has such moments and so does the command itself.
    fn moments(&self, record: &CdmaRecord, start: i64, mhz: f64) -> Option<(i64, i64)> {
        let side = usize::from(self.commands[0] == 0);
        let (commands, sound) = (*self.commands.get(side)?, self.sound.get(side)?);
        let counts = |count: u64| count > 0 && count * 100 >= commands * 99;
        let usable = || {
            let buses = buses(self.receives).iter().zip(sound);
            buses.filter(|(_, count)| counts(**count)).map(|((bus, both), _)| (bus, *both))
        };
        let (bus, _) = usable().next()?;
        let (first, last) = in_order(record, bus(record))?;
        // The last local read is before the last data on the link: only the first moment of that bus is used.
        let last = match usable().find(|(_, both)| *both) {
            Some((bus, _)) => in_order(record, bus(record))?.1,
            None => last,
        };
        let ns = |cycles: u32| start + (f64::from(cycles) / mhz * 1000.0).round() as i64;
        Some((ns(first), ns(last.max(first))))
    }
}

/// Cycles from a command's start to the moments of a bus, if these lie between its start and its end.
fn in_order(record: &CdmaRecord, [first, last]: [U32; 2]) -> Option<(u32, u32)> {
    if first.get() == 0 && last.get() == 0 {
        return None;
    }
    let since = |moment: u32| moment.wrapping_sub(record.start.get());
    let (first, last, end) = (since(first.get()), since(last.get()), since(record.end.get()));
    (first <= last && last <= end).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port_roles::tests::record;

    #[test]
    fn moments_are_those_of_the_first_bus_that_is_filled() {
        let mut votes = Votes::new(PortRole::Send);
        let records: Vec<_> =
            (0..200u32).map(|i| record(i * 100, i * 100 + 7, i * 100 + 60, i * 100 + 80)).collect();
        records.iter().for_each(|r| votes.add(r, true));
        assert_eq!(votes.moments(&records[3], 5000, 1000.0), Some((5007, 5060)));
    }

    #[test]
    fn a_class_without_sound_moments_has_ends_only() {
        let mut votes = Votes::new(PortRole::Send);
        let good = record(0, 7, 60, 80);
        (0..90).for_each(|_| votes.add(&good, true));
        (0..10).for_each(|_| votes.add(&record(100, 90, 160, 180), true));
        assert_eq!(votes.moments(&good, 0, 1000.0), None);
        assert!(in_order(&record(u32::MAX - 5, 10, 20, 30), [10.into(), 20.into()]).is_some());
    }

    #[test]
    fn parts_of_a_time_add_up_and_stay_inside_it() {
        let command = PortCommand {
            event: 3,
            role: PortRole::Send,
            thread: PortThread::Transmit,
            bytes: 4096,
            data: Some((107, 160)),
            replays: 2,
            said: PortBits::default(),
        };
        let times = PortTimes { waiting_ns: 7, transfer_ns: 53, completion_ns: 20 };
        assert_eq!((command.times(100, 180), times.total_ns()), (Some(times), 80));
        assert_eq!(command.times(100, 150).unwrap().total_ns(), 50);
        assert_eq!(PortCommand { data: None, ..command }.times(100, 180), None);
        let all = PortCommands { commands: vec![command] };
        assert_eq!((all.of_event(3), all.of_event(2)), (Some(&command), None));
    }
}
