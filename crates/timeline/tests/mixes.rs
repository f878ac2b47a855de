//! Files that don't belong together are told: docs/reliability.md, "Files of other captures".
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bigtpu_chip::{Engine, Slot};
use bigtpu_format::{BlockKind, blocks};
use bigtpu_messages::Language;
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Dump, Profile, Severity};

/// Files of a dump by name.
type Files = BTreeMap<String, Vec<u8>>;

fn dump_of(options: &Synth) -> Files {
    generate(options).unwrap().into_iter().collect()
}

fn core(number: u32) -> String {
    format!("cdmlib0_{number}.profile")
}

fn port(number: u32) -> String {
    format!("cdma0_{number}.profile")
}

fn write(dir: &Path, files: &Files) {
    for (name, bytes) in files {
        fs::write(dir.join(name), bytes).unwrap();
    }
}

fn is_told(files: &Files) -> bool {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let dump = Dump::open(dir.path()).unwrap();
    Profile::build(&dump, &BuildOptions::default()).ledger.has_loss()
}

/// Mixes of a dump with itself and with others of the same program, and whether each is told.
fn mixes(chip: &str, style: Style, mode: u8, (cores, ports): (u32, u8)) -> Vec<(String, bool)> {
    let options = |launches: u64, seed: u64| {
        let mut options = Synth::of_chip(chip).unwrap();
        (options.style, options.mode, options.launches) = (style, mode, launches);
        (options.cores, options.ports, options.seed) = (cores, ports, seed);
        dump_of(&options)
    };
    let own = options(12, 9);
    assert!(!is_told(&own), "{chip} {style:?} {mode}: a whole dump has a loss");
    let mut found = Vec::new();
    let mut with = |what: String, name: &str, bytes: &[u8]| {
        let mut mixed = own.clone();
        mixed.insert(name.to_owned(), bytes.to_vec());
        found.push((format!("{chip} {style:?} {mode}: {what}"), is_told(&mixed)));
    };
    for copy in 1..cores.min(4) {
        with(format!("core 0 over {copy}"), &core(copy), &own[&core(0)]);
    }
    for copy in 1..u32::from(ports) {
        with(format!("port 0 over {copy}"), &port(copy), &own[&port(0)]);
    }
    for (launches, seed) in [(12, 10), (12, 11), (9, 12), (15, 13)] {
        let other = options(launches, seed);
        for number in [0, cores - 1] {
            let what = format!("core {number} of {launches} launches, seed {seed}");
            with(what, &core(number), &other[&core(number)]);
        }
    }
    found
}

#[test]
fn files_of_other_captures_are_told() {
    let runs = [
        ("AKS", Style::Op, 2, (2, 0)),
        ("AKS", Style::Op, 1, (4, 0)),
        ("AKS", Style::Op, 0, (2, 0)),
        ("AKS", Style::Graph, 2, (2, 0)),
        ("AKS", Style::Bmodel, 0, (2, 0)),
        ("AKS", Style::Op, 2, (8, 3)),
        ("AKSV", Style::Rvt, 2, (4, 0)),
        ("AKSV", Style::Bmodel, 0, (4, 0)),
        ("BM1688", Style::Op, 1, (2, 0)),
        ("BM1688", Style::Bmodel, 0, (2, 0)),
        ("CV84X6", Style::Op, 2, (2, 0)),
        ("CV84X6", Style::Bmodel, 0, (2, 0)),
    ];
    let all = runs.iter().flat_map(|(chip, style, mode, of)| {
        // Messages are known where commands have their full bits.
        let has_messages = *style == Style::Bmodel || *mode == 2 && *style != Style::Rvt;
        mixes(chip, *style, *mode, *of).into_iter().map(move |mix| (has_messages, mix))
    });
    let all: Vec<(bool, (String, bool))> = all.collect();
    let silent = all.iter().filter(|(_, (_, is_told))| !is_told);
    let of_known: Vec<&String> =
        silent.clone().filter(|(known, _)| *known).map(|(_, (what, _))| what).collect();
    assert!(of_known.is_empty(), "not told: {of_known:#?}");
    // Launches alone tell those that are at other times for longer than a launch takes.
    let (silent, all) = (silent.count(), all.len());
    assert!(silent * 10 <= all, "{silent} of {all} mixes are not told");
}

/// Ports hand over to the SDMA of their cores: that of another capture does not, and two exchanged ones do so only for each other.
#[test]
fn ports_of_other_captures_and_exchanged_ones_are_told() {
    for (chip, style, mode, cores) in [
        ("AKS", Style::Op, 2, 8),
        ("AKS", Style::Graph, 1, 8),
        ("AKSV", Style::Op, 2, 4),
        ("AKSV", Style::Graph, 1, 4),
    ] {
        for seed in [9, 14, 21] {
            let what = format!("{chip} {style:?} {mode}, seed {seed}");
            let options = |seed: u64| {
                let mut options = Synth::of_chip(chip).unwrap();
                (options.style, options.mode, options.launches) = (style, mode, 12);
                (options.cores, options.ports, options.seed) = (cores, 3, seed);
                options
            };
            let own = dump_of(&options(seed));
            assert!(!is_told(&own), "{what}: a whole dump has a loss");
            let other = dump_of(&options(seed + 1));
            let mut mixed = own.clone();
            mixed.insert(port(1), other[&port(1)].clone());
            assert!(is_told(&mixed), "{what}: a port of another capture is not told");
            let mut mixed = own.clone();
            mixed.insert(port(0), own[&port(2)].clone());
            mixed.insert(port(2), own[&port(0)].clone());
            assert!(is_told(&mixed), "{what}: exchanged ports are not told");
            let mut two = options(seed);
            two.ports = 2;
            let two = dump_of(&two);
            let mut mixed = two.clone();
            mixed.insert(port(0), two[&port(1)].clone());
            mixed.insert(port(1), two[&port(0)].clone());
            assert!(is_told(&mixed), "{what}: the only two ports, exchanged, are not told");
        }
    }
}

/// Makes the sends of a port half as long: in the commands of its cores and in what its records count.
fn halve_sends(files: &mut Files, port_index: u32) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let track = profile.ports.iter().find(|track| track.engine_id.index == port_index).unwrap();
    let mut places = Vec::new();
    for at in 0..track.events.len() {
        let Some(command) = profile.port_command(track, at) else { continue };
        let (Some(width), Some(owner)) =
            (command.register.field(Slot::SrcW.name()), track.owner[at])
        else {
            continue;
        };
        let whole = profile.cores[owner.core as usize].file;
        let place = command.bits.as_ptr().addr() - whole.as_ptr().addr();
        places.push((core(owner.core), 8 * place + usize::from(width.bit), width.width));
    }
    assert!(!places.is_empty());
    for (name, bit, width) in places {
        let file = files.get_mut(&name).unwrap();
        // Each bit of the field becomes the next higher one.
        let end = bit + usize::from(width);
        for bit in bit..end {
            let next = bit + 1;
            let is_set = next < end && file[next / 8] >> (next % 8) & 1 == 1;
            file[bit / 8] = file[bit / 8] & !(1 << (bit % 8)) | u8::from(is_set) << (bit % 8);
        }
    }
    let file = files.get_mut(&port(port_index)).unwrap();
    let found = blocks(file);
    let block = found.blocks.iter().find(|block| block.kind == BlockKind::MonitorCdma).unwrap();
    let (start, bytes) = (block.offset as usize, block.content.len());
    for at in (start + 16..start + bytes).step_by(128) {
        let counted = u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        file[at..at + 4].copy_from_slice(&(counted / 2).to_le_bytes());
    }
}

/// Ports that send tensors of other sizes count other bytes: exchanged, each counts what the other was told to send.
#[test]
fn exchanged_ports_are_told_by_their_bytes() {
    let mut options = Synth::of_chip("AKS").unwrap();
    (options.style, options.mode, options.launches) = (Style::Op, 2, 6);
    (options.cores, options.ports, options.seed) = (8, 2, 9);
    let mut own = dump_of(&options);
    halve_sends(&mut own, 1);
    assert!(!is_told(&own), "a whole dump has a loss");
    let mut mixed = own.clone();
    mixed.insert(port(0), own[&port(1)].clone());
    mixed.insert(port(1), own[&port(0)].clone());
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &mixed);
    let dump = Dump::open(dir.path()).unwrap();
    let notes = Profile::build(&dump, &BuildOptions::default()).ledger.notes;
    let by_bytes = notes.iter().filter(|note| {
        note.severity == Severity::Loss
            && note.message.text(Language::English).starts_with("its records count the bytes")
    });
    assert_eq!(by_bytes.count(), 2, "{notes:?}");
}

/// If a core is of another capture, its waits end at other times than those of the others, although it runs the same
/// launches at nearly the same times.
#[test]
fn a_core_of_another_capture_is_told_by_its_waits() {
    let mut silent = Vec::new();
    for (chip, cores) in [("AKS", 8), ("AKSV", 4), ("CV84X6", 4)] {
        for (mode, seed) in [(0, 3), (0, 5), (0, 8), (1, 3), (1, 5), (1, 8)] {
            let dump = |seed: u64| {
                let mut options = Synth::of_chip(chip).unwrap();
                (options.style, options.mode, options.launches) = (Style::Op, mode, 12);
                (options.cores, options.seed) = (cores, seed);
                dump_of(&options)
            };
            let own = dump(seed);
            assert!(!is_told(&own), "{chip} {mode}: a whole dump has a loss");
            let mut mixed = own.clone();
            mixed.insert(core(2), dump(seed + 100)[&core(2)].clone());
            if !is_told(&mixed) {
                silent.push(format!("{chip} {mode} {seed}"));
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

/// Without commands a launch is known by its engines' ids alone. Where one engine works at another time of each launch than on another
/// core, the launches are at the same times all the same.
#[test]
fn an_engine_that_works_late_in_its_launches_is_of_the_same_capture() {
    let mut options = Synth::of_chip("AKS").unwrap();
    (options.style, options.mode, options.launches) = (Style::Op, 0, 12);
    (options.cores, options.seed, options.machine.launch_gap_us) = (2, 9, 400.0);
    let chip = options.chip;
    let mut files = dump_of(&options);
    let (tiu_bytes, dma_bytes) = chip.record_bytes;
    let file = files[&core(1)].clone();
    let monitor = |kind: BlockKind| {
        blocks(&file).blocks.into_iter().find(|block| block.kind == kind).unwrap()
    };
    let (tiu, gdma) = (monitor(BlockKind::MonitorTiu), monitor(BlockKind::MonitorGdma));
    let busier = if tiu.content.len() / tiu_bytes > gdma.content.len() / dma_bytes {
        (tiu, tiu_bytes)
    } else {
        (gdma, dma_bytes)
    };
    let (block, size) = busier;
    let start = block.offset as usize;
    let file = files.get_mut(&core(1)).unwrap();
    // Behind the firmware's barrier, on which the cores' clocks meet.
    for at in (start + 2 * size..start + block.content.len()).step_by(size) {
        for time in [at, at + 4] {
            let cycles = u32::from_le_bytes(file[time..time + 4].try_into().unwrap());
            file[time..time + 4].copy_from_slice(&(cycles + 200_000).to_le_bytes());
        }
    }
    assert!(!is_told(&files));
}

/// What each core, or each port, did: its engines' records in order, with their commands, kernels and times.
fn by_number(files: &Files, is_port: bool) -> (BTreeMap<u32, Vec<String>>, bool) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for track in profile.tracks().filter(|t| (t.engine_id.engine == Engine::Cdma) == is_port) {
        let events = &track.events;
        let seen = found.entry(track.engine_id.index).or_default();
        for i in 0..events.len() {
            let tag = profile.tag(track, i);
            let time = (events.start[i], events.end[i]);
            seen.push(format!(
                "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                track.engine_id.engine,
                time,
                events.binding[i],
                events.word(i),
                profile.command(track, i).map(|command| command.bits.to_vec()),
                (profile.kernel(tag), tag.batch, tag.mode),
                events.quality(i),
            ));
        }
    }
    (found, profile.ledger.has_loss())
}

/// No file says of which core it is. If two files are exchanged, the addresses of their transfers tell it, where the full bits of commands
/// are known; else nothing but the number is wrong.
#[test]
fn exchanged_cores_are_told_or_only_their_numbers_change() {
    for (chip, style, mode, cores) in [
        ("AKS", Style::Op, 2, 8),
        ("AKS", Style::Op, 2, 2),
        ("AKS", Style::Graph, 2, 2),
        ("AKS", Style::Graph, 1, 8),
        ("AKS", Style::Op, 1, 2),
        ("AKS", Style::Op, 0, 2),
        ("AKS", Style::Bmodel, 0, 8),
        ("AKSV", Style::Rvt, 2, 2),
        ("AKSV", Style::Bmodel, 0, 2),
        ("BM1688", Style::Op, 2, 2),
        ("BM1688", Style::Op, 1, 2),
        ("BM1688", Style::Bmodel, 0, 2),
        ("CV84X6", Style::Graph, 2, 4),
        ("CV84X6", Style::Op, 1, 2),
    ] {
        let what = format!("{chip} {style:?} {mode}, {cores} cores");
        let mut options = Synth::of_chip(chip).unwrap();
        (options.style, options.mode, options.launches) = (style, mode, 12);
        (options.cores, options.seed) = (cores, 9);
        let own = dump_of(&options);
        let (before, had_loss) = by_number(&own, false);
        assert!(!had_loss, "{what}: a whole dump has a loss");
        let pairs = [(0, cores - 1), (cores / 2 - 1, cores / 2)];
        for (a, b) in pairs.into_iter().take(cores as usize / 2) {
            let mut mixed = own.clone();
            mixed.insert(core(a), own[&core(b)].clone());
            mixed.insert(core(b), own[&core(a)].clone());
            let (after, is_told) = by_number(&mixed, false);
            // Streams have full bits in any mode, words with their items in mode 2.
            let has_bits = match style {
                Style::Op => mode == 2,
                Style::Rvt => false,
                Style::Graph | Style::Bmodel => true,
            };
            assert_eq!(is_told, has_bits, "{what}: {a} and {b} exchanged");
            for number in (0..cores).filter(|_| !is_told) {
                let file = match number {
                    _ if number == a => b,
                    _ if number == b => a,
                    _ => number,
                };
                let what = format!("{what}: core {number}");
                assert!(after[&number] == before[&file], "{what} shows more than another number");
            }
        }
    }
}

/// A port of another capture may begin its work when the cores of this one have long ended theirs.
#[test]
fn a_port_that_works_outside_of_the_run_is_told() {
    const BYTES: usize = 128;
    for mode in [0, 2] {
        let mut options = Synth::of_chip("AKS").unwrap();
        (options.style, options.mode, options.launches) = (Style::Op, mode, 6);
        (options.cores, options.ports, options.seed) = (8, 2, 9);
        let own = dump_of(&options);
        assert!(!is_told(&own), "mode {mode}: a whole dump has a loss");
        let mut mixed = own.clone();
        let file = mixed.get_mut(&port(1)).unwrap();
        let found = blocks(file);
        let block = found.blocks.iter().find(|block| block.kind == BlockKind::MonitorCdma);
        let block = block.map(|block| (block.offset as usize, block.content.len())).unwrap();
        // Behind the pair of records that the clocks meet at.
        for at in (block.0 + 2 * BYTES..block.0 + block.1).step_by(BYTES) {
            for time in [at, at + 4] {
                let cycles = u32::from_le_bytes(file[time..time + 4].try_into().unwrap());
                file[time..time + 4].copy_from_slice(&(cycles + 100_000_000).to_le_bytes());
            }
        }
        assert!(is_told(&mixed), "mode {mode}: not told");
    }
}
