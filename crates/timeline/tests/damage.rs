//! Damage costs what it damages: of docs/reliability.md, "Damage inside a stream", the bounds of each kind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bigtpu_chip::{Direction, Engine, Slot};
use bigtpu_format::{BlockKind, Node, Words, blocks};
use bigtpu_messages::Language;
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{Dump, Note, Options, Profile, Quality, Severity};

/// Start within its engine and cycles of an event, by what it is.
type Seen = BTreeMap<(u32, usize, i64, i64), (String, bool)>;

/// Every event of core 0: at which time it is which command. Times count from the engine's last record that damage did
/// not touch, which is the last of all.
fn seen(dir: &Path) -> (Seen, i64, bool) {
    let dump = Dump::open(dir).unwrap();
    let profile = Profile::build(&dump, &Options::default());
    let mut seen = Seen::new();
    let (mut first, mut last) = (i64::MAX, i64::MIN);
    for track in profile.tracks() {
        let events = &track.events;
        let end = events.end.last().copied().unwrap_or(0);
        for i in 0..events.len() {
            (first, last) = (first.min(events.start[i]), last.max(events.end[i]));
            let tag = profile.tag(track, i);
            let what = format!(
                "{:?} {:?} {:?} {:?}",
                events.binding[i],
                profile.command(track, i).map(|command| command.bits.to_vec()),
                events.word(i),
                (profile.kernel(tag), tag.mode),
            );
            let key = (
                track.engine_id.index,
                track.engine_id.engine as usize,
                events.start[i] - end,
                events.cycles(i).unwrap(),
            );
            let is_sure = events.quality(i) == Some(Quality::Sure);
            seen.insert(key, (what, is_sure));
        }
    }
    (seen, last - first, profile.ledger.has_loss())
}

/// What is done to the records of a monitor; `at`: the record, `size`: its bytes.
fn harm(kind: &str, content: &mut Vec<u8>, at: usize, size: usize) {
    let place = at * size;
    let flip = |content: &mut Vec<u8>, word: usize, bit: usize| {
        content[place + 4 * word + bit / 8] ^= 1 << (bit % 8);
    };
    match kind {
        "lost" => drop(content.drain(place..place + size)),
        "ten lost" => drop(content.drain(place..place + 10 * size)),
        "doubled" => {
            let record = content[place..place + size].to_vec();
            content.splice(place..place, record);
        }
        "exchanged" => content[place..place + 2 * size].rotate_left(size),
        "zeroed" => content[place..place + size].fill(0),
        "torn" => drop(content.drain(place + size / 4..place + size)),
        "id" => flip(content, 2, at % 16),
        "start" => flip(content, 0, 12 + at % 20),
        "end" => flip(content, 1, 12 + at % 20),
        _ => panic!("{kind}"),
    }
}

/// The bytes of a file with the content of its first block of a kind changed.
fn with_block(file: &[u8], kind: BlockKind, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut change = Some(change);
    let mut out = Vec::new();
    for block in blocks(file).blocks {
        let start = block.offset as usize;
        let mut content = block.content.to_vec();
        if block.kind == kind
            && let Some(change) = change.take()
        {
            change(&mut content);
        }
        out.extend(&file[start - 8..start - 4]);
        out.extend((content.len() as u32).to_le_bytes());
        out.extend(content);
    }
    out
}

/// A damaged record costs at most `most` other events their command or their time, and is told.
fn check(chip: &str, mode: u8, style: Style) {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 8);
    (options.cores, options.seed) = (2, 9);
    let chip = options.chip;
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, wall, had_loss) = seen(dir.path());
    assert!(!had_loss);
    let sizes = [
        (BlockKind::MonitorTiu, chip.record_bytes.0),
        (BlockKind::MonitorGdma, chip.record_bytes.1),
    ];
    for (block, size) in sizes {
        let found = blocks(&whole);
        let records = found.blocks.iter().find(|b| b.kind == block).unwrap().content.len() / size;
        let kinds = [
            ("lost", 1, 2),
            ("ten lost", 10, 20),
            ("doubled", 0, 2),
            ("exchanged", 0, 2),
            ("zeroed", 1, 20),
            ("torn", 1, 20),
            ("id", 1, 2),
            ("start", 1, 2),
            ("end", 1, 2),
        ];
        for (kind, own, most) in kinds {
            for at in (6..records - 14).step_by(23) {
                let damaged = with_block(&whole, block, |content| harm(kind, content, at, size));
                fs::write(&path, damaged).unwrap();
                let (after, damaged_wall, is_told) = seen(dir.path());
                let what = format!("{} {kind} {block:?} {at} of {records}", chip.name);
                let others = before
                    .iter()
                    .filter(|(key, (name, _))| after.get(key).is_none_or(|(now, _)| now != name))
                    .count();
                assert!(others <= own + most, "{what}: {others} events changed");
                let is_wrong = others > 0 || (damaged_wall - wall).abs() * 100 > wall;
                assert!(is_told || !is_wrong, "{what}: wrong and not told");
            }
        }
    }
}

/// The bounds of the words of a block's items: of DYN_DATA a kernel's name and both words of a stream are one item.
fn items(kind: BlockKind, content: &[u8]) -> Vec<usize> {
    match kind {
        BlockKind::DynData => Words::new(content).map(|(at, _)| at).collect(),
        _ => (0..content.len()).step_by(4).collect(),
    }
}

/// What is done to the items from `at` on.
fn harm_items(kind: &str, content: &mut Vec<u8>, bounds: &[usize], at: usize) {
    let [own, next] = [bounds[at], bounds[at + 1]];
    match kind {
        "lost" => drop(content.drain(own..next)),
        "ten lost" => drop(content.drain(own..bounds[at + 10])),
        "doubled" => {
            let item = content[own..next].to_vec();
            content.splice(own..own, item);
        }
        "exchanged" => content[own..bounds[at + 2]].rotate_left(next - own),
        "torn" => drop(content.drain(own + 1..next)),
        "a bit" => content[own + at % (next - own)] ^= 1 << (at / 3 % 8),
        _ => panic!("{kind}"),
    }
}

/// A damaged word costs the events of a launch at most, and is told if it costs any.
fn check_words(chip: &str, mode: u8, style: Style, blocks_of: &[BlockKind]) {
    const MOST: usize = 40;
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 12);
    (options.cores, options.seed) = (2, 9);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, ..) = seen(dir.path());
    for &block in blocks_of {
        let found = blocks(&whole);
        let content = found.blocks.iter().find(|b| b.kind == block).unwrap().content;
        let bounds = items(block, content);
        let kinds = [
            ("lost", 1),
            ("ten lost", 10),
            ("doubled", 1),
            ("exchanged", 2),
            ("torn", 1),
            ("a bit", 1),
        ];
        // Of a descriptor's bits many are no part of what is shown: see below.
        let kinds =
            kinds.iter().filter(|(kind, _)| *kind != "a bit" || block == BlockKind::DynData);
        for &(kind, own) in kinds {
            for at in (5..bounds.len() - 12).step_by(bounds.len() / 16) {
                let damaged =
                    with_block(&whole, block, |content| harm_items(kind, content, &bounds, at));
                fs::write(&path, damaged).unwrap();
                let (after, _, is_told) = seen(dir.path());
                let what = format!("{chip} {mode} {style:?} {kind} {block:?} {at}");
                let others = before
                    .iter()
                    .filter(|(key, (name, _))| after.get(key).is_none_or(|(now, _)| now != name))
                    .count();
                assert!(others <= own + MOST, "{what}: {others} events changed");
                assert!(is_told || others <= own, "{what}: {others} events changed, not told");
            }
        }
    }
}

/// A bit makes the key of another stream with as many commands of a stream's key: another core says which it was; of a core alone it is
/// told, and the launches that it may be of are doubtful.
#[test]
fn a_wrong_key_of_a_stream_is_put_right_or_told() {
    for cores in [1, 2] {
        let mut options = Synth::of_chip("BM1688").unwrap();
        (options.style, options.mode, options.launches) = (Style::Graph, 2, 12);
        (options.cores, options.seed) = (cores, 9);
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in generate(&options).unwrap() {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        let path = dir.path().join("cdmlib0_0.profile");
        let whole = fs::read(&path).unwrap();
        let (before, _, had_loss) = seen(dir.path());
        assert!(!had_loss);
        let found = blocks(&whole);
        let content = found.blocks.iter().find(|b| b.kind == BlockKind::DynData).unwrap().content;
        let dispatched: Vec<(usize, u32, u32)> = Words::new(content)
            .filter_map(|(at, node)| match node {
                Node::Des { key, count, .. } => Some((at, key, count)),
                _ => None,
            })
            .collect();
        let mut checked = 0;
        for &(at, key, count) in &dispatched {
            let is_other = |other: u32| dispatched.iter().any(|d| (d.1, d.2) == (other, count));
            for bit in (0..25).filter(|bit| is_other(key ^ 1 << bit)) {
                let place = 7 + bit;
                let flip = |content: &mut Vec<u8>| content[at + place / 8] ^= 1 << (place % 8);
                fs::write(&path, with_block(&whole, BlockKind::DynData, flip)).unwrap();
                let (after, _, is_told) = seen(dir.path());
                let what = format!("{cores} cores, key {key}, bit {bit}");
                assert!(is_told, "{what}: not told");
                let changed = before.iter().filter(|(key, (name, _))| after[key].0 != *name);
                let silent = changed.clone().filter(|(key, _)| after[key].1).count();
                assert_eq!(silent, 0, "{what}: other commands are sure");
                assert!(cores == 1 || changed.count() == 0, "{what}: not put right");
                checked += 1;
            }
        }
        assert!(checked > 0);
    }
}

#[test]
fn a_damaged_word_costs_a_launch_at_most() {
    check_words("AKS", 2, Style::Op, &[BlockKind::DynData]);
    check_words("AKS", 1, Style::Op, &[BlockKind::DynData]);
    check_words("AKSV", 2, Style::Graph, &[BlockKind::DynData]);
    check_words("CV84X6", 2, Style::Rvt, &[BlockKind::DynData]);
}

#[test]
fn a_damaged_descriptor_costs_a_launch_at_most() {
    let static_blocks = [BlockKind::DesTiu, BlockKind::DesGdma];
    check_words("AKS", 0, Style::Bmodel, &static_blocks);
    check_words("AKSV", 0, Style::Bmodel, &static_blocks);
    check_words("CV84X6", 0, Style::Bmodel, &static_blocks);
    check_words("AKS", 2, Style::Graph, &[BlockKind::DesKv]);
    check_words("BM1688", 2, Style::Graph, &[BlockKind::DesKv]);
}

/// The dump of the real BM1690: a static model on one core.
fn copy_of_real() -> tempfile::TempDir {
    let real = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/real/cdm_profile_data_dev0_bm1690");
    let dir = tempfile::tempdir().unwrap();
    for file in fs::read_dir(real).unwrap() {
        let path = file.unwrap().path();
        fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    dir
}

/// Wherever a record is damaged, at the first and the last commands of a model as well, beside which the runtime's own records stand.
#[test]
fn a_damaged_record_of_a_model_costs_itself() {
    let dir = copy_of_real();
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, ..) = seen(dir.path());
    let check = |damaged: Vec<u8>, most: usize, what: &str| {
        fs::write(&path, damaged).unwrap();
        let (after, _, is_told) = seen(dir.path());
        let is_changed = |(key, (name, _)): &(_, &(String, bool))| {
            after.get(*key).is_none_or(|(now, _)| now != name)
        };
        let changed = before.iter().filter(is_changed).count();
        assert!(changed <= most, "{what}: {changed} events changed");
        assert!(is_told || changed == 0, "{what} is not told");
    };
    for (block, size, records) in
        [(BlockKind::MonitorTiu, 16, 87), (BlockKind::MonitorGdma, 64, 170)]
    {
        // Two records of the runtime's own, of which nothing is shown, are before the first of these and behind the last.
        for at in 2..records - 2 {
            for bit in [0, 1, 3, 5, 8, 15] {
                let damaged = with_block(&whole, block, |content| {
                    content[at * size + 8 + bit / 8] ^= 1 << (bit % 8);
                });
                check(damaged, 2, &format!("bit {bit} of the id of {block:?} {at}"));
            }
        }
        // Times count from the last event, which stays.
        for at in 2..records - 5 {
            for kind in ["lost", "doubled", "exchanged", "zeroed", "torn"] {
                let damaged = with_block(&whole, block, |content| harm(kind, content, at, size));
                check(damaged, 3, &format!("{kind} {block:?} {at}"));
            }
        }
        // The first of the model, at which its ids begin, and another one.
        for (first, at) in (3..6).flat_map(|first| (8..records - 5).map(move |at| (first, at))) {
            let damaged = with_block(&whole, block, |content| {
                harm("lost", content, at, size);
                harm("lost", content, first, size);
            });
            check(damaged, 4, &format!("{block:?} {first} and {at} lost"));
        }
    }
}

/// On a core alone nothing says what the damaged commands were, but where the next ones begin and how many records there are.
#[test]
fn bytes_lost_across_two_descriptors_cost_both_and_no_other() {
    let dir = copy_of_real();
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, _) = shown(dir.path());
    for at in (100..14_000).step_by(4 * 61) {
        let damaged = with_block(&whole, BlockKind::DesGdma, |content| {
            content.drain(at..at + 40);
        });
        fs::write(&path, damaged).unwrap();
        let (after, is_told) = shown(dir.path());
        let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
        assert_eq!(before.len(), after.len(), "{at}");
        assert!(changed <= 2, "{at}: {changed} commands changed");
        assert!(is_told, "{at}: not told");
    }
}

/// What views show of the commands of core 0, in the order of their records, and whether a loss is told.
fn shown(dir: &Path) -> (Vec<String>, bool) {
    let dump = Dump::open(dir).unwrap();
    let profile = Profile::build(&dump, &Options::default());
    let chip = profile.chip;
    let mut shown = Vec::new();
    for track in profile.tracks().filter(|track| track.engine_id.index == 0) {
        for i in 0..track.events.len() {
            let Some(command) = profile.command(track, i) else {
                shown.push(format!("{:?}", track.events.binding[i]));
                continue;
            };
            let slots = [Slot::Res0N, Slot::Res0C, Slot::Res0H, Slot::Res0W, Slot::Opd1C];
            let dma = [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW, Slot::DataFormat];
            let (slots, direction) = match track.engine_id.engine {
                Engine::Tiu => (slots, None),
                _ => (dma, Some(Direction::of_command(chip, &command))),
            };
            let values = slots.map(|slot| command.get(slot));
            let name = (command.op.name, command.variant_name());
            shown.push(format!("{name:?} {values:?} {direction:?}"));
        }
    }
    (shown, profile.ledger.has_loss())
}

/// Any bit of a command's full bits that changes what is shown of it is told, where another core did the same commands.
fn check_bits(chip: &str, mode: u8, style: Style, blocks_of: &[BlockKind]) {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 6);
    (options.cores, options.seed) = (2, 9);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (before, had_loss) = shown(dir.path());
    assert!(!had_loss);
    let mut changed = 0;
    for &block in blocks_of {
        let found = blocks(&whole);
        let bytes = found.blocks.iter().find(|b| b.kind == block).unwrap().content.len();
        for at in (12..bytes).step_by(bytes / 60) {
            let bit = at / 7 % 8;
            let damaged = with_block(&whole, block, |content| content[at] ^= 1 << bit);
            fs::write(&path, damaged).unwrap();
            let (after, is_told) = shown(dir.path());
            let is_wrong = after != before;
            changed += usize::from(is_wrong);
            let what = format!("{chip} {mode} {style:?} {block:?}: bit {bit} of byte {at}");
            let pairs = before.iter().zip(&after).filter(|(a, b)| a != b);
            assert!(
                !is_wrong || is_told,
                "{what} is not told: {:?}",
                pairs.take(3).collect::<Vec<_>>()
            );
        }
    }
    assert!(changed > 2, "{chip} {mode} {style:?}: {changed} bits change what is shown");
}

#[test]
fn a_bit_of_a_command_that_another_core_contradicts_is_told() {
    let of_model = [BlockKind::DesTiu, BlockKind::DesGdma];
    check_bits("AKS", 0, Style::Bmodel, &of_model);
    check_bits("BM1688", 0, Style::Bmodel, &of_model);
    check_bits("CV84X6", 0, Style::Bmodel, &of_model);
    check_bits("AKSV", 2, Style::Graph, &[BlockKind::DesKv]);
    check_bits("BM1688", 2, Style::Graph, &[BlockKind::DesKv]);
    check_bits("AKS", 2, Style::Op, &[BlockKind::DynExtra]);
}

/// In capture mode 0 a record's mark as that of a system command is all that is known of it: a wrong one costs itself, and is told.
#[test]
fn a_wrong_mark_of_a_system_command_costs_itself() {
    let mut options = Synth::of_chip("AKS").unwrap();
    (options.style, options.mode, options.launches) = (Style::Op, 0, 12);
    (options.cores, options.seed) = (2, 9);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let found = blocks(&whole);
    let monitor = found.blocks.iter().find(|b| b.kind == BlockKind::MonitorTiu).unwrap();
    let flags = |at: usize| monitor.content[16 * at + 12];
    let (before, ..) = seen(dir.path());
    for at in (5..monitor.content.len() / 16 - 5).filter(|at| flags(*at) == 2 || at % 29 == 0) {
        for bit in [1, 3, 20] {
            let damaged = with_block(&whole, BlockKind::MonitorTiu, |content| {
                content[16 * at + 12 + bit / 8] ^= 1 << (bit % 8);
            });
            fs::write(&path, damaged).unwrap();
            let (after, _, is_told) = seen(dir.path());
            let others = before
                .iter()
                .filter(|(key, (name, _))| after.get(key).is_none_or(|(now, _)| now != name))
                .count();
            assert!(others <= 1, "bit {bit} of record {at}: {others} events changed");
            assert!(is_told || others == 0, "bit {bit} of record {at} is not told");
        }
    }
}

#[test]
fn a_damaged_record_costs_itself() {
    check("AKS", 2, Style::Op);
    check("AKSV", 2, Style::Graph);
    check("BM1688", 1, Style::Op);
    check("CV84X6", 2, Style::Op);
}

/// Each bit of a record's start and end changed, in twenty records of each engine: the run takes as long as before, to
/// within 1 %, or the fault is told. The first start and the last end have no neighbour: there only what makes their record
/// 64 times longer than any other is told, or 1024 times where it may be a wait. `DAMAGE=whole` changes all bits, else one of seven.
fn check_time_bits(chip: &str, mode: u8, style: Style) {
    let mut options = Synth::of_chip(chip).unwrap();
    (options.style, options.mode, options.launches) = (style, mode, 8);
    (options.cores, options.seed) = (2, 9);
    let chip = options.chip;
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in generate(&options).unwrap() {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let path = dir.path().join("cdmlib0_0.profile");
    let whole = fs::read(&path).unwrap();
    let (_, wall, had_loss) = seen(dir.path());
    assert!(!had_loss);
    let step = if std::env::var("DAMAGE").is_ok_and(|which| which == "whole") { 1 } else { 7 };
    let sizes = [
        (BlockKind::MonitorTiu, chip.record_bytes.0),
        (BlockKind::MonitorGdma, chip.record_bytes.1),
    ];
    for (block, size) in sizes {
        let found = blocks(&whole);
        let content = found.blocks.iter().find(|b| b.kind == block).unwrap().content;
        let records = content.len() / size;
        let word = |at: usize| u32::from_le_bytes(content[at..at + 4].try_into().unwrap());
        let cycles = (1..records - 1).map(|i| word(i * size + 4).wrapping_sub(word(i * size)));
        // Clocks are not below 750 MHz. What may be a wait lasts longer; of AKS the TIU marks its own.
        let longest = i64::from(cycles.max().unwrap()) * 4 / 3;
        let is_work = |at: usize| {
            chip.name == "AKS" && block == BlockKind::MonitorTiu && word(at * size + 12) != 2
        };
        for nth in 0..20 {
            let at = nth * (records - 1) / 19;
            for bit in (0..64).filter(|bit| (bit + nth) % step == 0) {
                let damaged = with_block(&whole, block, |content| {
                    content[at * size + bit / 8] ^= 1 << (bit % 8);
                });
                fs::write(&path, damaged).unwrap();
                let (_, now, is_told) = seen(dir.path());
                let is_right = (now - wall).abs() * 100 <= wall;
                let what = format!("{} {block:?}: bit {bit} of record {at}", chip.name);
                let is_edge = (nth == 0 && bit < 32) || (nth == 19 && bit >= 32);
                let untold = longest * if is_work(at) { 64 } else { 1024 };
                let is_right = is_right || is_edge && (now - wall).abs() <= untold;
                assert!(is_right || is_told, "{what}: {wall} ns became {now} ns");
            }
        }
    }
}

#[test]
fn a_wrong_bit_of_a_time_is_told_or_changes_nothing() {
    check_time_bits("AKS", 2, Style::Op);
    check_time_bits("AKS", 0, Style::Bmodel);
    check_time_bits("AKSV", 2, Style::Graph);
    check_time_bits("BM1688", 1, Style::Op);
    check_time_bits("BM1688", 0, Style::Bmodel);
    check_time_bits("CV84X6", 2, Style::Rvt);
}

/// Long waits and large transfers, at the ends of an engine's records and between them, are no damage.
#[test]
fn sound_dumps_of_all_chips_and_styles_have_no_loss() {
    let kinds: &[(&str, Style, u8, u8)] = &[
        ("AKS", Style::Op, 2, 2),
        ("AKS", Style::Op, 1, 0),
        ("AKS", Style::Op, 0, 0),
        ("AKSV", Style::Op, 2, 2),
        ("AKSV", Style::Rvt, 2, 0),
        ("AKSV", Style::Graph, 2, 0),
        ("BM1688", Style::Op, 2, 0),
        ("BM1688", Style::Graph, 2, 0),
        ("CV84X6", Style::Op, 2, 0),
        ("CV84X6", Style::Rvt, 2, 0),
    ];
    for &(chip, style, mode, ports) in kinds {
        for seed in [1, 9, 23] {
            let mut options = Synth::of_chip(chip).unwrap();
            (options.style, options.mode, options.ports) = (style, mode, ports);
            (options.launches, options.seed) = (6, seed);
            // Ports are those of all cores of the chip.
            options.cores = match (ports, chip) {
                (0, _) => 2,
                (_, "AKS") => 8,
                _ => 4,
            };
            let dir = tempfile::tempdir().unwrap();
            for (name, bytes) in generate(&options).unwrap() {
                fs::write(dir.path().join(name), bytes).unwrap();
            }
            let dump = Dump::open(dir.path()).unwrap();
            let notes = Profile::build(&dump, &Options::default()).ledger.notes;
            let is_loss = |note: &&Note| note.severity == Severity::Loss;
            let losses: Vec<&Note> = notes.iter().filter(is_loss).collect();
            assert!(losses.is_empty(), "{chip} {style:?} {mode} {seed}: {losses:?}");
        }
    }
}

/// Where a record is lost is told with its file and byte, also where no command says what it was, and its number is exact.
#[test]
fn a_lost_record_is_told_with_its_place() {
    let kinds: &[(&str, Style, u8, u8)] = &[
        ("AKS", Style::Op, 0, 0),
        ("AKS", Style::Op, 1, 0),
        ("AKS", Style::Op, 2, 2),
        ("AKSV", Style::Bmodel, 0, 0),
        ("AKSV", Style::Graph, 2, 0),
    ];
    for &(chip, style, mode, ports) in kinds {
        let mut options = Synth::of_chip(chip).unwrap();
        (options.style, options.mode, options.ports) = (style, mode, ports);
        (options.launches, options.seed) = (6, 9);
        options.cores = if ports > 0 { 8 } else { 2 };
        let chip = options.chip;
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in generate(&options).unwrap() {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        let (tiu, dma) = chip.record_bytes;
        let mut monitors = vec![
            ("cdmlib0_0.profile", BlockKind::MonitorTiu, tiu, "TIU"),
            ("cdmlib0_0.profile", BlockKind::MonitorGdma, dma, "GDMA"),
        ];
        if ports > 0 {
            monitors.push(("cdma0_0.profile", BlockKind::MonitorCdma, 128, "CDMA"));
        }
        for (file, block, size, engine) in monitors {
            let path = dir.path().join(file);
            let whole = fs::read(&path).unwrap();
            let found = blocks(&whole);
            let content = found.blocks.iter().find(|b| b.kind == block).unwrap().content;
            let id = |at: usize| {
                let id = &content[at * size + 8..at * size + 12];
                u32::from_le_bytes(id.try_into().unwrap()) & 0xff_ffff
            };
            let is_inside = |at: &usize| id(at - 1) + 1 == id(*at) && id(*at) + 1 == id(at + 1);
            let inside = (6..content.len() / size - 6).filter(is_inside);
            for at in inside.step_by(11) {
                let damaged = with_block(&whole, block, |content| harm("lost", content, at, size));
                fs::write(&path, damaged).unwrap();
                let dump = Dump::open(dir.path()).unwrap();
                let ledger = Profile::build(&dump, &Options::default()).ledger;
                let lost: u64 = ledger.lines.iter().map(|line| line.counts.lost).sum();
                let what = format!("{} {style:?} {mode}: {engine} {at}", chip.name);
                assert_eq!(lost, 1, "{what}");
                let is_place = |note: &&Note| {
                    let text = note.message.text(Language::English);
                    note.severity == Severity::Loss
                        && note.offset.is_some()
                        && note.file.as_ref().is_some_and(|path| path.ends_with(file))
                        && text
                            .starts_with(&format!("{engine}: 1 record is lost before this place"))
                };
                let text = |note: &Note| note.message.text(Language::English);
                let notes: Vec<String> = ledger.notes.iter().map(text).collect();
                assert_eq!(ledger.notes.iter().filter(is_place).count(), 1, "{what}: {notes:?}");
            }
            fs::write(&path, &whole).unwrap();
        }
    }
}
