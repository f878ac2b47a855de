//! Remedies of the real dumps, judged by the cost rules: the commands are changed in a copy of the stream, the dependences of the rest are
//! numbered anew, and both streams are simulated. Which commands these are is found here, not by the rules of the advice: round trips byte by
//! byte, small loads that follow one another, dense halves of separable convolutions, short pieces, loads that wait for a buffer, and the
//! work of one core that several could do.

mod buffers;
mod bus;
mod cores;
mod loads;
mod round_trips;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bigtpu_chip::{Command, Engine, OpCode, Slot};
use bigtpu_command_cost::CostModel;
use bigtpu_measure::CommandTable;
use bigtpu_simulate::{Program, Queued, program_of_dump, simulate};
use bigtpu_timeline::{BuildOptions, Dump, EngineEvents, Profile};

use super::experts::gain;
use super::{analyze, report, with};
use crate::support::case::real_dump;

/// Core, index of the engine's queue, and index in its track.
type Place = (usize, usize, usize);

/// What is changed in a stream.
#[derive(Default)]
struct Changes {
    removed: BTreeSet<Place>,
    /// Transfers that move so many elements in one stretch.
    merged: BTreeMap<Place, u64>,
    /// Fields with other values.
    fields: BTreeMap<Place, Vec<(Slot, u64)>>,
    /// Transfers that come before another one.
    before: BTreeMap<Place, Place>,
    /// Transfers that wait for another command of the TIU: its number before the change, or 0 for none.
    awaits: BTreeMap<Place, u32>,
    /// How many cores execute the commands of the first one; 0: each has its own.
    cores: usize,
    /// The load that each removed load is a part of.
    part_of: BTreeMap<Place, Place>,
    /// Convolutions that become the command of this operation, whose bits are a command of the stream.
    depthwise: BTreeMap<Place, (OpCode, Vec<u8>)>,
}

/// Engines by queue.
const QUEUES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// Elements in one stretch, in rows that their field can count.
fn put_stretch(command: &Command<'_>, bits: &mut [u8], elements: u64) {
    let rows = elements.div_ceil(1 << 15);
    for [n, c, h, w] in [
        [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW],
        [Slot::DstN, Slot::DstC, Slot::DstH, Slot::DstW],
    ] {
        for (slot, value) in [(n, 1), (c, 1), (h, rows), (w, elements.div_ceil(rows))] {
            command.register.put(slot, bits, value);
        }
    }
    for slot in [Slot::SrcHStride, Slot::DstHStride] {
        command.register.put(slot, bits, elements.div_ceil(rows));
    }
}

const SHAPE: [Slot; 8] = [
    Slot::Res0N,
    Slot::Res0C,
    Slot::Res0H,
    Slot::Res0W,
    Slot::Opd0N,
    Slot::Opd0C,
    Slot::Opd0H,
    Slot::Opd0W,
];

/// The changed stream. `files`: the bytes of each core, which are rewritten.
fn changed<'d>(
    program: &Program<'_>,
    profile: &Profile<'_>,
    changes: &Changes,
    files: &'d mut Vec<Vec<u8>>,
) -> Program<'d> {
    *files = program.cores.iter().map(|core| core.file.to_vec()).collect();
    let cores = if changes.cores > 0 { changes.cores } else { program.cores.len() };
    let mut changed = Program::of_model(program.chip, profile.clocks, cores);
    let mut queues = Vec::new();
    for (core, (of, file)) in program.cores.iter().zip(files.iter_mut()).enumerate() {
        // By queue and group the numbers that stay, and the new numbers of all.
        let mut kept: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        let mut new_numbers: BTreeMap<(usize, u32, u32), u32> = BTreeMap::new();
        let mut of_places: BTreeMap<Place, (usize, u32, u32)> = BTreeMap::new();
        let mut of_core: [Vec<(Place, Queued)>; 3] = Default::default();
        for (queue, commands) in of.queues.iter().enumerate() {
            let track = &profile.cores[core].tracks[queue];
            for (place, mut queued) in in_order(core, queue, track, commands, changes) {
                let old = (queue, queued.group, queued.number);
                let count = kept.entry((queue, queued.group)).or_default();
                *count += u32::from(!changes.removed.contains(&place));
                new_numbers.insert(old, *count);
                of_places.insert(place, old);
                if changes.removed.contains(&place) {
                    continue;
                }
                queued.number = *count;
                if let Some(command) = program.command(of, QUEUES[queue], &queued) {
                    change_bits(program, &command, (place, &mut queued), changes, file);
                }
                of_core[queue].push((place, queued));
            }
        }
        for (part, whole) in changes.part_of.iter().filter(|(part, _)| part.0 == core) {
            let number = new_numbers[&of_places[whole]];
            new_numbers.insert(of_places[part], number);
        }
        for (queue, engine) in [(0, Engine::Tiu), (1, Engine::Gdma)] {
            for (place, queued) in &of_core[queue] {
                let bits = file[queued.offset as usize..].to_vec();
                let Some(code) = queued.code else { continue };
                let Some(command) = program.chip.ops(engine).command(code, &bits) else { continue };
                let Some(awaited) = awaited(program, &command) else { continue };
                let instead = changes.awaits.get(place).copied().unwrap_or(awaited);
                let number = new_numbers.get(&(1 - queue, queued.group, instead)).copied();
                let field = command.get(Slot::IdDep) - u64::from(awaited);
                let field = number.filter(|n| *n > 0).map_or(0, |number| field + u64::from(number));
                let bits = &mut file[queued.offset as usize..];
                command.register.put(Slot::IdDep, bits, field);
            }
        }
        queues.push(of_core.map(|queue| queue.into_iter().map(|(_, queued)| queued).collect()));
    }
    for (number, core) in changed.cores.iter_mut().enumerate() {
        let from = if changes.cores > 0 { 0 } else { number };
        let own = |queued: &Queued| Queued { tag: core.tags.start, ..*queued };
        core.queues = queues[from].each_ref().map(|queue: &Vec<_>| queue.iter().map(own).collect());
        core.file = &files[from];
    }
    changed
}

/// The commands of an engine in the order of the changed stream, each with its place.
fn in_order(
    core: usize,
    queue: usize,
    track: &EngineEvents<'_>,
    commands: &[Queued],
    changes: &Changes,
) -> Vec<(Place, Queued)> {
    let events: HashMap<u64, usize> =
        (0..track.events.len()).filter_map(|i| Some((track.events.bits(i)?, i))).collect();
    let place = |queued: &Queued| {
        // What has no record is no place of a change, but has one of its own.
        let unseen = usize::MAX - queued.offset as usize;
        (core, queue, events.get(&queued.offset).copied().unwrap_or(unseen))
    };
    let mut all: Vec<(Place, Queued)> =
        commands.iter().map(|queued| (place(queued), *queued)).collect();
    for (moved, next) in &changes.before {
        let at = |wanted: &Place| all.iter().position(|(place, _)| place == wanted);
        if let (Some(from), Some(to)) = (at(moved), at(next)) {
            let own = all.remove(from);
            all.insert(to, own);
        }
    }
    all
}

/// Changes the fields of a command, or makes another one of it.
fn change_bits(
    program: &Program<'_>,
    command: &Command<'_>,
    (place, queued): (Place, &mut Queued),
    changes: &Changes,
    file: &mut Vec<u8>,
) {
    let bits = &mut file[queued.offset as usize..];
    if let Some(elements) = changes.merged.get(&place) {
        put_stretch(command, bits, *elements);
    }
    for (slot, value) in changes.fields.get(&place).into_iter().flatten() {
        command.register.put(*slot, bits, *value);
    }
    if let Some((code, bits)) = changes.depthwise.get(&place) {
        let register = program.chip.ops(Engine::Tiu).command(*code, bits).unwrap().register;
        let mut bits = bits.clone();
        let fields = SHAPE.into_iter().chain([Slot::IdDep]);
        fields.for_each(|slot| register.put(slot, &mut bits, command.get(slot)));
        (queued.offset, queued.code) = (file.len() as u64, Some(*code));
        file.extend(bits);
    }
}

fn awaited(program: &Program<'_>, command: &Command<'_>) -> Option<u32> {
    let has = command.register.has(Slot::IdDep);
    let field = u32::try_from(command.get(Slot::IdDep)).ok().filter(|_| has)?;
    program.chip.awaited_command(field)
}

/// us that a changed stream takes by the cost rules.
fn simulated(dump: &Dump, profile: &Profile<'_>, changes: &Changes) -> f64 {
    let program = program_of_dump(dump, profile).unwrap();
    let mut files = Vec::new();
    let changed = changed(&program, profile, changes, &mut files);
    simulate(changed, &CostModel::compiled_in(dump.chip)).unwrap().total() as f64 / 1e6
}

/// A stream without a change, and the changed one.
type Pair = (Changes, Changes);

/// Opens a dump, looks at its commands, and says how many us the change of some of them saves.
fn saved_by_pairs(
    name: &str,
    change: impl FnOnce(&Profile<'_>, &CommandTable) -> Vec<Pair>,
) -> f64 {
    let dump = Dump::open(&real_dump(name)).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let table = CommandTable::decode(&profile);
    let pairs = change(&profile, &table);
    let us = |changes: &Changes| simulated(&dump, &profile, changes);
    pairs.iter().map(|(now, then)| us(now) - us(then)).sum()
}

/// Opens a dump, looks at its commands, and says how many us a change of the whole stream saves.
fn saved_by(name: &str, change: impl FnOnce(&Profile<'_>, &CommandTable) -> Changes) -> f64 {
    saved_by_pairs(name, |profile, table| vec![(Changes::default(), change(profile, table))])
}

/// us that a rule says of a real dump, and its sentence.
fn said(name: &str, rule: &str) -> (f64, String) {
    let report = report(&analyze(&real_dump(name)));
    let text = with(&report["advice"], "id", rule)["text"].as_str().unwrap().to_owned();
    (gain(&report, rule).0 as f64 / 1e3, text)
}

/// Dump, rule, us that are saved, and the change of the commands.
type Case = (&'static str, &'static str, f64, fn(&Profile<'_>, &CommandTable) -> Changes);

/// The simulation saves what a case says; returns what the rule says over this.
#[track_caller]
fn check((name, rule, us, change): Case) -> f64 {
    let saved = saved_by(name, change);
    assert!((saved / us - 1.0).abs() < 0.005, "{name}: {rule}: {saved} us, not {us}");
    said(name, rule).0 / us
}
