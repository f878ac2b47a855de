//! Remedies of the real dumps, judged by the cost rules: the commands are changed in a copy of the stream, the dependences of the rest are
//! numbered anew, and both streams are simulated. Which commands these are is found here, not by the rules of the advice: round trips byte by
//! byte, small loads that follow one another, dense halves of separable convolutions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bigtpu_chip::{Command, Engine, Memory, OpCode, Precision, Slot};
use bigtpu_command_cost::{Filter, Model};
use bigtpu_measure::{CommandTable, LocalMemory, Side, TrackCommand, TrackCommands};
use bigtpu_simulate::{Program, program_of_dump, simulate};
use bigtpu_timeline::{Dump, Options, Profile};

use super::experts::gain;
use super::{analyze, report, with};
use crate::support::case::real_dump;

/// Core, index of the engine's queue, and index in its track.
type Place = (usize, usize, usize);

/// What is changed in a stream.
#[derive(Default)]
struct Changes {
    removed: BTreeSet<Place>,
    /// Loads that move so many elements in one stretch.
    merged: BTreeMap<Place, u64>,
    /// By removed load the one that it is a part of.
    part_of: BTreeMap<Place, Place>,
    /// Convolutions that become the command of this operation, whose bits are a command of the stream.
    depthwise: BTreeMap<Place, (OpCode, Vec<u8>)>,
}

/// A transfer between local memory and a memory outside.
struct Transfer {
    place: Place,
    start: i64,
    /// Bytes outside that it reads, and that it writes.
    reads: Vec<u64>,
    writes: Vec<u64>,
    /// Writes to local memory.
    is_load: bool,
    is_fill: bool,
    /// By byte outside the lane that has it at home; empty where this is not known.
    lanes: Vec<u32>,
}

/// The lane of a constant: any has it.
const ANY: u32 = u32::MAX;

/// Engines by queue.
const QUEUES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// Addresses of all bytes of a side, and the channel of each, where it is a tensor.
fn bytes_of(
    command: &TrackCommand<'_, '_>,
    sides: [&Side; 2],
    address: u64,
) -> (Vec<u64>, Option<Vec<u64>>) {
    let sizes = sides.map(|side| side.sizes.map(|size| size.unwrap_or(0)));
    let sizes = if sizes[0] == [0; 4] { sizes[1] } else { sizes[0] };
    let is_tensor = (command.kind.task, command.kind.function) == (0, 0) && sizes != [0; 4];
    let format = command.kind.transfer.and_then(|transfer| transfer.data_format);
    let ([Some(n), Some(c), Some(h), Some(w)], true) = (sides[0].strides, is_tensor) else {
        return ((address..address + command.kind.moved_bytes(command.bytes())).collect(), None);
    };
    let element = u64::from(Precision(format.unwrap()).whole_bytes());
    let (mut all, mut channels) = (Vec::new(), Vec::new());
    let [of_n, of_c, of_h, of_w] = sizes.map(|size| size.max(1));
    for (at_n, at_c) in (0..of_n).flat_map(|n| (0..of_c).map(move |c| (n, c))) {
        for (at_h, at_w) in (0..of_h).flat_map(|h| (0..of_w).map(move |w| (h, w))) {
            let at = address + (at_n * n + at_c * c + at_h * h + at_w * w) * element;
            all.extend(at..at + element);
            channels.extend((0..element).map(|_| at_c));
        }
    }
    (all, Some(channels))
}

fn transfers(profile: &Profile<'_>, table: &CommandTable) -> Vec<Transfer> {
    let memory = LocalMemory::for_chip(profile.chip).unwrap();
    let mut all = Vec::new();
    for commands in table.all_commands(profile) {
        let id = commands.track.engine_id;
        let Some(queue) = QUEUES.iter().position(|engine| *engine == id.engine) else { continue };
        for command in commands.iter().filter(|command| command.kind.activity.is_work()) {
            let (Some(way), Some(bits)) = (command.kind.direction(), command.bits()) else {
                continue;
            };
            let is_outside = |memory| matches!(memory, Memory::Ddr | Memory::L2m | Memory::L2);
            let is_fill = bits.register.has(Slot::SrcW) && bits.get(Slot::SrcW) == 0;
            let (sides, [source, destination]) = (command.sides(), command.known_addresses());
            let area = |sides: [&Side; 2], address: Option<u64>, is: bool| match address {
                Some(address) if is => bytes_of(&command, sides, address),
                _ => (Vec::new(), None),
            };
            let (from, to) = (&sides.source, &sides.destination);
            let (reads, of_read) = area([from, to], source, is_outside(way.from) && !is_fill);
            let (writes, of_written) = area([to, from], destination, is_outside(way.to));
            let local = memory.accesses(&command).first().map(|access| access.lane);
            let channels = of_read.or(of_written).filter(|_| reads.is_empty() || writes.is_empty());
            let lanes = channels.zip(local).map(|(channels, first)| {
                channels.iter().map(|c| (first + *c as u32) % memory.lanes).collect()
            });
            all.push(Transfer {
                place: (id.index as usize, queue, command.index),
                start: command.start(),
                lanes: if is_fill { vec![ANY; writes.len()] } else { lanes.unwrap_or_default() },
                reads,
                writes,
                is_load: !is_outside(way.to),
                is_fill,
            });
        }
    }
    all.sort_by_key(|transfer| transfer.start);
    all
}

/// Transfers that are not needed if results stay in local memory: loads of bytes that the same core stored, from the lanes that load
/// them, perhaps by way of copies; and the stores and copies that only such loads read.
fn round_trips(all: &[Transfer]) -> BTreeSet<Place> {
    // By byte outside who wrote it, and which lane had it; none where it is not of a lane of this core.
    let mut written: HashMap<u64, (usize, Option<u32>)> = HashMap::new();
    let mut readers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); all.len()];
    let mut read: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); all.len()];
    let mut comes_back = vec![false; all.len()];
    for (at, transfer) in all.iter().enumerate() {
        let mut lanes: Vec<Option<u32>> = Vec::new();
        for byte in &transfer.reads {
            let (writer, lane) = written.get(byte).copied().unzip();
            if let Some(writer) = writer {
                readers[writer].insert(at);
                read[writer].insert(*byte);
            }
            let is_own = writer.is_some_and(|by| all[by].place.0 == transfer.place.0);
            lanes.push(lane.flatten().filter(|_| is_own));
        }
        let stays = |(had, loads): (&Option<u32>, &u32)| *had == Some(ANY) || *had == Some(*loads);
        comes_back[at] = transfer.is_load
            && !lanes.is_empty()
            && lanes.len() == transfer.lanes.len()
            && lanes.iter().any(|lane| *lane != Some(ANY))
            && lanes.iter().zip(&transfer.lanes).all(stays);
        let is_copy = !transfer.reads.is_empty();
        for (i, byte) in transfer.writes.iter().enumerate() {
            let from = if is_copy { lanes.get(i).copied().flatten() } else { None };
            let lane = from.or(transfer.lanes.get(i).copied().filter(|_| !is_copy));
            written.insert(*byte, (at, lane));
        }
    }
    let mut removed = vec![false; all.len()];
    for (at, transfer) in all.iter().enumerate().rev() {
        let is_read = read[at].len() == transfer.writes.iter().collect::<BTreeSet<_>>().len();
        let is_only_for_them = is_read && readers[at].iter().all(|reader| removed[*reader]);
        removed[at] = match transfer.is_load {
            true => comes_back[at],
            false => is_only_for_them && !transfer.is_fill && !transfer.writes.is_empty(),
        };
    }
    all.iter().zip(removed).filter(|(_, is)| *is).map(|(transfer, _)| transfer.place).collect()
}

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
    let mut changed = Program::of_model(program.chip, profile.clocks, program.cores.len());
    let mut queues = Vec::new();
    for (core, (of, file)) in program.cores.iter().zip(files.iter_mut()).enumerate() {
        // By queue and group the numbers that stay, and the new numbers of all.
        let mut kept: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        let mut new_numbers: BTreeMap<(usize, u32, u32), u32> = BTreeMap::new();
        let mut of_places: BTreeMap<Place, (usize, u32, u32)> = BTreeMap::new();
        let mut of_core: [Vec<_>; 3] = Default::default();
        for (queue, commands) in of.queues.iter().enumerate() {
            let track = &profile.cores[core].tracks[queue];
            let places: HashMap<u64, usize> =
                (0..track.events.len()).filter_map(|i| Some((track.events.bits(i)?, i))).collect();
            for queued in commands {
                let place = places.get(&queued.offset).map(|event| (core, queue, *event));
                let place = place.unwrap_or((core, queue, usize::MAX));
                let old = (queue, queued.group, queued.number);
                let count = kept.entry((queue, queued.group)).or_default();
                *count += u32::from(!changes.removed.contains(&place));
                new_numbers.insert(old, *count);
                of_places.insert(place, old);
                if changes.removed.contains(&place) {
                    continue;
                }
                let mut queued = *queued;
                queued.number = *count;
                let command = program.command(of, QUEUES[queue], &queued);
                if let (Some(elements), Some(command)) = (changes.merged.get(&place), &command) {
                    put_stretch(command, &mut file[queued.offset as usize..], *elements);
                }
                if let (Some((code, bits)), Some(command)) =
                    (changes.depthwise.get(&place), &command)
                {
                    let register =
                        program.chip.ops(Engine::Tiu).command(*code, bits).unwrap().register;
                    let mut bits = bits.clone();
                    let fields = SHAPE.into_iter().chain([Slot::IdDep]);
                    fields.for_each(|slot| register.put(slot, &mut bits, command.get(slot)));
                    (queued.offset, queued.code) = (file.len() as u64, Some(*code));
                    file.extend(bits);
                }
                of_core[queue].push(queued);
            }
        }
        for (part, whole) in changes.part_of.iter().filter(|(part, _)| part.0 == core) {
            let number = new_numbers[&of_places[whole]];
            new_numbers.insert(of_places[part], number);
        }
        for (queue, engine) in [(0, Engine::Tiu), (1, Engine::Gdma)] {
            for queued in &of_core[queue] {
                let bits = file[queued.offset as usize..].to_vec();
                let Some(code) = queued.code else { continue };
                let Some(command) = program.chip.ops(engine).command(code, &bits) else { continue };
                let Some(awaited) = awaited(program, &command) else { continue };
                let number = new_numbers[&(1 - queue, queued.group, awaited)];
                let field = command.get(Slot::IdDep) - u64::from(awaited);
                let field = if number == 0 { 0 } else { field + u64::from(number) };
                let bits = &mut file[queued.offset as usize..];
                command.register.put(Slot::IdDep, bits, field);
            }
        }
        queues.push(of_core);
    }
    for ((core, file), queues) in changed.cores.iter_mut().zip(files.iter()).zip(queues) {
        (core.file, core.queues) = (file, queues);
    }
    changed
}

fn awaited(program: &Program<'_>, command: &Command<'_>) -> Option<u32> {
    let has = command.register.has(Slot::IdDep);
    let field = u32::try_from(command.get(Slot::IdDep)).ok().filter(|_| has)?;
    program.chip.awaited_command(field)
}

/// us that the changes save by the cost rules.
fn saved(dump: &Dump, profile: &Profile<'_>, changes: &Changes) -> f64 {
    let program = program_of_dump(dump, profile).unwrap();
    let mut files = Vec::new();
    let then = changed(&program, profile, changes, &mut files);
    let model = Model::of(dump.chip);
    let total = |program| simulate(program, &model).unwrap().total() as f64 / 1e6;
    let then = total(then);
    total(program) - then
}

/// Opens a dump, looks at its commands, and says what the change of some of them saves.
fn saved_by(name: &str, change: impl FnOnce(&Profile<'_>, &CommandTable) -> Changes) -> f64 {
    let dump = Dump::open(&real_dump(name)).unwrap();
    let profile = Profile::build(&dump, &Options::default());
    let table = CommandTable::decode(&profile);
    let changes = change(&profile, &table);
    saved(&dump, &profile, &changes)
}

/// us that a rule says of a real dump, and its sentence.
fn said(name: &str, rule: &str) -> (f64, String) {
    let report = report(&analyze(&real_dump(name)));
    let text = with(&report["advice"], "id", rule)["text"].as_str().unwrap().to_owned();
    (gain(&report, rule).0 as f64 / 1e3, text)
}

#[test]
fn round_trips_gain_what_the_simulation_without_them_gives() {
    for (name, count, us) in [
        ("cdm_profile_data_dev0_bm1690", 51, 31.2),
        ("bmprofile_data-1_bm1684x", 51, 75.4),
        ("bmprofile_data-1_bm1688", 49, 133.3),
        ("bmprofile_data_bm1688_2core", 18, 101.2),
        ("bmprofile_data-1_cv184x", 74, 427.2),
    ] {
        let saved = saved_by(name, |profile, table| {
            let removed = round_trips(&transfers(profile, table));
            assert_eq!(removed.len(), count, "{name}");
            Changes { removed, ..Changes::default() }
        });
        assert!((saved / us - 1.0).abs() < 0.002, "{name}: {saved} us");
        let (said, text) = said(name, "round-trips");
        assert!((said / us - 1.0).abs() < 0.02, "{name}: {said} of {us} us");
        assert!(text.contains(&format!(": {count} transfers of ")), "{name}: {text}");
    }
}

/// Loads of less than 8 KiB among loads that follow one another and wait for the same command: they become a part of the largest of these, which has the bytes of all.
fn merged_loads(profile: &Profile<'_>, table: &CommandTable) -> Changes {
    let mut changes = Changes::default();
    let mut add = |run: &mut Vec<(Place, u64, u64)>| {
        let largest = run.iter().max_by_key(|(_, bytes, _)| *bytes).copied();
        for (place, bytes, elements) in run.drain(..) {
            let (whole, _, own) = largest.unwrap();
            if place != whole && bytes < 8192 {
                changes.removed.insert(place);
                changes.part_of.insert(place, whole);
                *changes.merged.entry(whole).or_insert(own) += elements;
            }
        }
    };
    let gdma = |track: &TrackCommands<'_, '_>| track.track.engine_id.engine == Engine::Gdma;
    for commands in table.all_commands(profile).filter(gdma) {
        let core = commands.track.engine_id.index as usize;
        let mut run: Vec<(Place, u64, u64)> = Vec::new();
        let mut last = None;
        for command in commands.iter() {
            let way = command.kind.direction();
            let is_load = way.is_some_and(|way| way.from == Memory::Ddr && way.to == Memory::Lmem);
            // Copies of the runtime are not in the stream.
            if !is_load || command.bits().is_none() {
                add(&mut run);
                continue;
            }
            let bytes = command.kind.moved_bytes(command.bytes());
            let format = command.kind.transfer.and_then(|transfer| transfer.data_format);
            let element = u64::from(Precision(format.unwrap()).whole_bytes());
            let waits_for = command.dependence();
            if std::mem::replace(&mut last, waits_for) != waits_for {
                add(&mut run);
            }
            run.push(((core, 1, command.index), bytes, bytes / element));
        }
        add(&mut run);
    }
    changes
}

/// Convolutions of as many channels as their result has, before one of 1x1: as the depthwise command of the stream.
fn depthwise_halves(profile: &Profile<'_>, table: &CommandTable) -> Changes {
    let mut changes = Changes::default();
    for commands in table.all_commands(profile) {
        let id = commands.track.engine_id;
        let filter = |command: &TrackCommand<'_, '_>| command.kind.expected.as_ref()?.filter;
        let mut templates: BTreeMap<[u32; 2], (OpCode, Vec<u8>)> = BTreeMap::new();
        for command in commands.iter() {
            if let (Some(Filter::Depthwise(size)), Some(bits)) = (filter(&command), command.bits())
            {
                let code = commands.track.events.code[command.index];
                templates.insert(size, (code, bits.bits[..bits.register.bytes()].to_vec()));
            }
        }
        let mut before: Option<(usize, [u32; 3])> = None;
        for command in commands.iter() {
            let Some(Filter::Dense(size)) = filter(&command) else { continue };
            if let Some((index, [channels, height, width])) = before.take()
                && size == [channels, 1, 1]
                && let Some(template) = templates.get(&[height, width])
            {
                changes.depthwise.insert((id.index as usize, 0, index), template.clone());
            }
            let channels = command.bits().map(|bits| bits.get(Slot::Res0C));
            before = (channels == Some(u64::from(size[0]))).then_some((command.index, size));
        }
    }
    changes
}

/// Dump, rule, us that are saved, and the change of the commands.
type Case = (&'static str, &'static str, f64, fn(&Profile<'_>, &CommandTable) -> Changes);

#[test]
fn small_loads_and_dense_halves_gain_what_the_simulation_of_the_changed_commands_gives() {
    let cases: [Case; 4] = [
        ("cdm_profile_data_dev0_bm1690", "dense-depthwise", 17.8, depthwise_halves),
        ("bmprofile_data-1_bm1684x", "dense-depthwise", 16.3, depthwise_halves),
        ("cdm_profile_data_dev0_bm1690", "small-transfers", 14.0, merged_loads),
        ("bmprofile_data-1_bm1684x", "small-transfers", 19.5, merged_loads),
    ];
    for (name, rule, us, change) in cases {
        let saved = saved_by(name, change);
        assert!((saved / us - 1.0).abs() < 0.005, "{name}: {saved} us");
        // On AKS the rule also counts neighbours that wait for different commands: 1.3 us.
        let (said, _) = said(name, rule);
        assert!((said / us - 1.0).abs() < 0.1, "{name}: {said} of {us} us");
    }
}
