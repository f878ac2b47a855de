//! Cores that were sent the same commands but for one.
//!
//! A changed bit of a command's full bits is another valid command in most places, and nothing in the core's own file says what was
//! there. Where another core did the same commands, in their operations, shapes, data types and directions (addresses are each
//! core's own), and only one of them is another one, it is damaged in one of the two. Work that is split unevenly differs in more than one
//! command: what is loaded, computed and stored has the other shape.

use std::cmp::Ordering;

use bigtpu_chip::{Chip, Direction, Engine, OpCode, Slot};
use bigtpu_messages::{Arg, Message, message};
use foldhash::HashSet;

use crate::binding::Binding;
use crate::core_engines::CORE_ENGINES;
use crate::join::Cores;
use crate::join::JoinedCore;
use crate::quality::{Quality, mark};
use crate::shown_bits::{SHOWN_DMA, SHOWN_TIU, ShownBits};
use crate::source_file::SourceFile;
use crate::wide_events::WideEvents;

/// Cores that have fewer commands in common say nothing about each other.
const FEWEST_EQUAL: usize = 24;

/// Shown bits of TIU, GDMA and SDMA.
type ShownOfCore = [ShownBits; 3];

/// A core's commands, and the bytes that they are in.
#[derive(Clone, Copy)]
struct Commands<'a, 'd> {
    core: &'a JoinedCore<'d>,
    file: &'a [u8],
}

/// A command of one core that is another one than the other core's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Difference {
    engine: usize,
    /// The number of its first record among those with full bits.
    nth: usize,
    /// Where its bits are in the file of either core.
    places: [u64; 2],
}

/// The records of an engine whose commands have full bits.
fn with_bits(events: &WideEvents) -> impl Iterator<Item = (u64, OpCode)> + '_ {
    let columns = events.binding.iter().zip(&events.bits).zip(&events.code);
    columns.filter(|((binding, _), _)| binding.has_bits()).map(|((_, bits), code)| (*bits, *code))
}

impl Commands<'_, '_> {
    /// The only command that is another one; `None` where none or several are, or too few are the same.
    fn difference(self, other: Self, chip: &Chip, shown: &ShownOfCore) -> Option<Difference> {
        let mut found: Option<Difference> = None;
        let mut equal = 0;
        for (engine, of_core) in CORE_ENGINES.into_iter().enumerate() {
            let events = [self, other].map(|commands| &commands.core.monitors[engine].events);
            let [own, others] = events.map(|events| with_bits(events).count());
            if own != others {
                return None;
            }
            let pairs = with_bits(events[0]).zip(with_bits(events[1]));
            for (nth, (a, b)) in pairs.enumerate() {
                let places = [a.0, b.0];
                if is_same((chip, &shown[engine]), of_core, (self.file, a), (other.file, b)) {
                    equal += 1;
                    continue;
                }
                match found {
                    None => found = Some(Difference { engine, nth, places }),
                    // Launched several times.
                    Some(first) if first.engine == engine && first.places == places => {}
                    Some(_) => return None,
                }
            }
        }
        found.filter(|_| equal >= FEWEST_EQUAL)
    }

    /// Whether the command with a number is the same as another core's.
    fn has_same(self, other: Self, chip: &Chip, at: Difference, shown: &ShownOfCore) -> bool {
        let find =
            |commands: Self| with_bits(&commands.core.monitors[at.engine].events).nth(at.nth);
        let pair = find(self).zip(find(other));
        pair.is_some_and(|(a, b)| {
            let shown = &shown[at.engine];
            is_same((chip, shown), CORE_ENGINES[at.engine], (self.file, a), (other.file, b))
        })
    }
}

/// Whether views show the same of two commands.
fn is_same(
    (chip, shown): (&Chip, &ShownBits),
    engine: Engine,
    (own_file, (own_at, own_code)): (&[u8], (u64, OpCode)),
    (other_file, (other_at, other_code)): (&[u8], (u64, OpCode)),
) -> bool {
    if own_code != other_code {
        return false;
    }
    let bits = |file, at: u64| <[u8]>::get(file, usize::try_from(at).ok()?..);
    let Some((own, other)) = bits(own_file, own_at).zip(bits(other_file, other_at)) else {
        return true;
    };
    // Of most commands, and this is known sooner.
    if shown.are_same(own_code, own, other) {
        return true;
    }
    let table = chip.ops(engine);
    let own = table.command(own_code, own);
    let Some((own, other)) = own.zip(table.command(other_code, other)) else {
        return true;
    };
    let is_equal = |slot: &Slot| own.get(*slot) == other.get(*slot);
    match engine {
        Engine::Tiu => SHOWN_TIU.iter().all(is_equal),
        _ => {
            SHOWN_DMA.iter().all(is_equal)
                && Direction::of_command(chip, &own) == Direction::of_command(chip, &other)
        }
    }
}

/// Compares each core's commands with those of the next one. What differs is told and doubtful: on the core that others contradict, or
/// on both where it is not known which of the two it is.
pub(crate) fn compare_descriptors(
    chip: &'static Chip,
    files: &[SourceFile],
    cores: &mut Cores<'_>,
) {
    let pairs = match cores.len() {
        0 | 1 => return,
        2 => 1,
        n => n,
    };
    let shown = CORE_ENGINES.map(|engine| ShownBits::of_engine(chip, engine));
    let mut found = Vec::new();
    for at in 0..pairs {
        let pair = (at, (at + 1) % cores.len());
        found.extend(contradictions((chip, &shown), files, cores, pair));
    }
    let mut told: HashSet<(usize, u64)> = HashSet::default();
    for Contradiction { at, engine, place, message } in found {
        let Some((_, core)) = cores.get_mut(at) else { continue };
        let events = &mut core.monitors[engine].events;
        let columns = events.binding.iter().zip(&events.bits).zip(&events.record);
        let is_of_place = |binding: &Binding, bits: &u64| binding.has_bits() && *bits == place;
        let damaged = columns.filter(|((binding, bits), _)| is_of_place(binding, bits));
        let records: Vec<u32> = damaged.map(|(_, record)| *record).collect();
        for record in records {
            mark(&mut events.marks, record, Quality::Doubtful);
        }
        if let Some(message) = message
            && told.insert((at, place))
        {
            core.notes.loss_anywhere(Some(place), message);
        }
    }
}

/// A command that another core contradicts.
struct Contradiction {
    /// The core, as a place in the list.
    at: usize,
    engine: usize,
    /// Where its bits are in the core's file.
    place: u64,
    /// What is told of it; `None` where it is told of the other core's.
    message: Option<Message>,
}

/// What two cores contradict each other in.
fn contradictions(
    (chip, shown): (&Chip, &ShownOfCore),
    files: &[SourceFile],
    cores: &Cores<'_>,
    (at, next): (usize, usize),
) -> Vec<Contradiction> {
    let commands = |at: usize| {
        let (_, core) = cores.get(at)?;
        Some(Commands { core, file: files.get(at)?.command_bytes() })
    };
    let Some((own, other)) = commands(at).zip(commands(next)) else { return Vec::new() };
    let Some(found) = own.difference(other, chip, shown) else { return Vec::new() };
    let Difference { engine, places: [own_place, other_place], .. } = found;
    let votes = |side: Commands<'_, '_>| {
        let third = (0..cores.len()).filter(|i| *i != at && *i != next).filter_map(commands);
        third.filter(|third| side.has_same(*third, chip, found, shown)).count()
    };
    let name = CORE_ENGINES[engine].name();
    let alone = || Some(message!("note-command-of-no-other", engine = name));
    let own_is = |message| Contradiction { at, engine, place: own_place, message };
    let other_is = |message| Contradiction { at: next, engine, place: other_place, message };
    match votes(own).cmp(&votes(other)) {
        Ordering::Less => vec![own_is(alone())],
        Ordering::Greater => vec![other_is(alone())],
        Ordering::Equal => {
            let core = Arg::Number(files.get(next).map_or(0, |file| file.index).into());
            let message = message!("note-command-differs", engine = name, core = core);
            vec![own_is(Some(message)), other_is(None)]
        }
    }
}
