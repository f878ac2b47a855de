//! Nothing vanishes in silence: every record of a file is shown, or is one of a class whose bound is known, or a loss
//! is told. Every block type of every fixture is removed, cut, thinned, doubled and moved.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_chip::{Chip, Engine, Family};
use bigtpu_format::{BlockKind, blocks, bytes_before_zero_record};
use bigtpu_synth::{Options as Synth, Style, generate};
use bigtpu_timeline::{BuildOptions, Counts, Dump, EngineEvents, Line, Profile, Severity};

type Files = BTreeMap<String, Vec<u8>>;

/// Records of one end that may be left out although commands would be expected for them; they count as lost.
const MOST_LEFT_OUT: u64 = 16;

fn write(files: &Files) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(dir.path().join(name), bytes).unwrap());
    dir
}

fn read(dir: &Path) -> Files {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.filter(|p| p.is_file()).map(|p| (name(&p), fs::read(&p).unwrap())).collect()
}

/// The engine of a monitor block, and the bytes of its records.
fn monitor(chip: &Chip, kind: BlockKind) -> Option<(Engine, usize)> {
    Some(match kind {
        BlockKind::MonitorTiu => (Engine::Tiu, chip.record_bytes.0),
        BlockKind::MonitorGdma => (Engine::Gdma, chip.record_bytes.1),
        BlockKind::MonitorSdma => (Engine::Sdma, chip.record_bytes.1),
        BlockKind::MonitorCdma => (Engine::Cdma, 128),
        _ => return None,
    })
}

/// Whether a record's own words say that its command was work, by docs/format.md, section 6.
fn is_work(chip: &Chip, engine: Engine, record: &[u8]) -> bool {
    let word = |at: usize| u32::from_le_bytes(record[4 * at..4 * at + 4].try_into().unwrap());
    match (engine, chip.family) {
        (Engine::Tiu, Family::Aks) => word(3) != 2,
        (Engine::Cdma, _) => word(4) != 0,
        (Engine::Gdma | Engine::Sdma, Family::Aks | Family::Cv84x6 | Family::Cv184x) => {
            word(12) != 0 || word(13) != 0
        }
        _ => true,
    }
}

fn says_what_it_is(chip: &Chip, engine: Engine) -> bool {
    match engine {
        Engine::Tiu => chip.family == Family::Aks,
        Engine::Cdma => true,
        Engine::Gdma | Engine::Sdma => chip.record_bytes.1 == 64,
    }
}

/// The records of the first monitor of each engine in a file of a core; of a port, those of all its monitors.
fn raw_records<'d>(
    chip: &Chip,
    track: &EngineEvents<'_>,
    file: &'d [u8],
    read: u64,
) -> (Vec<&'d [u8]>, usize) {
    let engine = track.engine_id.engine;
    let mut found = Vec::new();
    let mut further = 0;
    for (nth, block) in blocks(file)
        .blocks
        .iter()
        .filter_map(|b| monitor(chip, b.kind).filter(|m| m.0 == engine).map(|m| (m.1, b)))
        .enumerate()
    {
        let (size, block) = block;
        if nth > 0 && engine != Engine::Cdma {
            further += 1;
            continue;
        }
        let valid = bytes_before_zero_record(block.content, size);
        let before = block.content[..valid].chunks_exact(size);
        // Zeroed records within the others are a gap.
        let all = block.content.chunks_exact(size).filter(|r| r.iter().any(|&b| b != 0));
        match all.clone().count() as u64 == read {
            true => found.extend(all),
            false => found.extend(before),
        }
    }
    (found, further)
}

fn line(profile: &Profile<'_>, track: &EngineEvents<'_>) -> Counts {
    let own = |l: &&Line| l.engine_id == track.engine_id;
    profile.ledger.lines.iter().find(own).map(|l| l.counts).unwrap_or_default()
}

/// Looks at every record of a dump. `None` where it can't be opened.
fn check(what: &str, dir: &Path) -> Option<Profile<'static>> {
    let dump: &'static Dump = Box::leak(Box::new(Dump::open(dir).ok()?));
    let profile = Profile::build(dump, &BuildOptions::default());
    let has_loss = profile.ledger.has_loss();
    for l in &profile.ledger.lines {
        let c = l.counts;
        assert_eq!(c.unaccounted(), 0, "{what}: {} {c:?}", l.engine_id);
        assert!(c.lost == 0 || has_loss, "{what}: {} {c:?}", l.engine_id);
        let unexplained = c.unmatched - c.labelled;
        let is_told = profile.ledger.notes.iter().any(|n| n.severity > Severity::Note);
        assert!(c.commands == 0 || unexplained == 0 || is_told, "{what}: {} {c:?}", l.engine_id);
        let bound = 2 * MOST_LEFT_OUT + 2 * dump.chip.edge_trim as u64;
        let ports = u64::from(dump.chip.cdma_ports);
        assert!(c.preamble <= dump.chip.preamble as u64 + ports, "{what}: {} {c:?}", l.engine_id);
        assert!(c.lost >= c.trimmed || c.trimmed <= bound || c.matched == c.shown, "{what} {c:?}");
    }
    if dump.iteration.is_some() {
        return Some(profile);
    }
    for track in profile.tracks() {
        let place = track.engine_id;
        let files = if place.engine == Engine::Cdma { &dump.ports } else { &dump.cores };
        let Some(file) = files.iter().find(|f| f.index == place.index) else { continue };
        let counts = line(&profile, track);
        let (raw, further) = raw_records(dump.chip, track, file.bytes(), counts.read);
        assert_eq!(counts.read, raw.len() as u64, "{what}: {place}");
        assert!(further == 0 || has_loss, "{what}: {place}");
        let shown: BTreeSet<u32> =
            (0..track.events.len()).map(|i| track.events.record.value_at(i)).collect();
        assert_eq!(shown.len(), track.events.len(), "{what}: {place} shows a record twice");
        let runtime = profile.runtime.iter().filter(|r| r.engine_id == place).map(|r| r.record);
        let shown: BTreeSet<u32> = shown.into_iter().chain(runtime).collect();
        // A copy of a record that is shown is a duplicate.
        let contents: BTreeSet<&[u8]> =
            shown.iter().filter_map(|record| raw.get(*record as usize).copied()).collect();
        let is_copy = |record: &u32| contents.contains(raw[*record as usize]);
        let gone =
            (0..raw.len() as u32).filter(|record| !shown.contains(record) && !is_copy(record));
        let work = gone.filter(|r| is_work(dump.chip, place.engine, raw[*r as usize])).count();
        let strays = if place.engine == Engine::Tiu { 2 * dump.chip.edge_trim } else { 0 };
        // Records that do not say whether they are a system command's: a pair at each end may be one.
        let unclear = if says_what_it_is(dump.chip, place.engine) { 0 } else { 4 };
        let silent = counts.preamble + (strays + unclear) as u64;
        let most = if counts.lost > 0 { silent + 2 * MOST_LEFT_OUT } else { silent };
        assert!(work as u64 <= most, "{what}: {place}: {work} records are gone, {counts:?}");
    }
    Some(profile)
}

/// A block of a file: its header and content.
fn split(file: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for block in blocks(file).blocks {
        let from = block.offset as usize;
        found.push(file[from - 8..from + block.content.len()].to_vec());
    }
    found
}

fn resized(block: &[u8], content: &[u8]) -> Vec<u8> {
    let mut new = block[..4].to_vec();
    new.extend((content.len() as u32).to_le_bytes());
    new.extend(content);
    new
}

/// The ways in which a block is changed, each with its name.
fn mutants(chip: &Chip, file: &[u8], nth: usize) -> Vec<(String, Vec<u8>)> {
    let all = split(file);
    let (block, content) = (&all[nth], &all[nth][8..]);
    let kind = blocks(file).blocks[nth].kind;
    let with = |new: Vec<Vec<u8>>| {
        let mut blocks = all.clone();
        blocks.splice(nth..=nth, new);
        blocks.concat()
    };
    let cut = |to: usize| with(vec![resized(block, &content[..to.min(content.len())])]);
    let words = content.len() / 4;
    let mut found = vec![
        ("removed".to_owned(), with(vec![])),
        ("doubled".to_owned(), with(vec![block.clone(), block.clone()])),
        ("cut to 30 %".to_owned(), cut(4 * (words * 3 / 10))),
        ("cut to 90 %".to_owned(), cut(4 * (words * 9 / 10))),
        ("cut by a word".to_owned(), cut(4 * words.saturating_sub(1))),
    ];
    let mut moved = all.clone();
    let own = moved.remove(nth);
    moved.push(own.clone());
    found.push(("moved to the end".to_owned(), moved.concat()));
    moved.pop();
    moved.insert(0, own);
    found.push(("moved to the start".to_owned(), moved.concat()));
    if let Some((_, size)) = monitor(chip, kind) {
        let records = || content.chunks(size);
        let n = records().len();
        let kept = |keep: &dyn Fn(usize) -> bool| {
            let kept: Vec<&[u8]> =
                records().enumerate().filter(|(i, _)| keep(*i)).map(|(_, r)| r).collect();
            with(vec![resized(block, &kept.concat())])
        };
        found.push(("every second record".to_owned(), kept(&|i| i % 2 == 0)));
        found.push(("without its first record".to_owned(), kept(&|i| i > 0)));
        found.push(("without its last half".to_owned(), kept(&|i| i < n / 2)));
        found.push(("without its first half".to_owned(), kept(&|i| i >= n / 2)));
        let mut turned: Vec<&[u8]> = records().collect();
        turned.rotate_left(n / 3);
        found.push(("rotated".to_owned(), with(vec![resized(block, &turned.concat())])));
        turned.reverse();
        found.push(("backwards".to_owned(), with(vec![resized(block, &turned.concat())])));
        let twice: Vec<&[u8]> = records().flat_map(|record| [record, record]).collect();
        found.push(("each record twice".to_owned(), with(vec![resized(block, &twice.concat())])));
    }
    found
}

fn fixtures() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(dir) = open.pop() {
        let name = dir.strip_prefix(&root).unwrap().display().to_string();
        if dir.join("global.profile").is_file() {
            found.push((name, dir));
            continue;
        }
        let inside = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
        open.extend(inside.filter(|path| path.is_dir()));
    }
    found.sort();
    found
}

/// One block of each type of each file name stem, of every fixture.
#[test]
fn nothing_vanishes_in_silence() {
    let mut count = 0;
    let mut kinds = BTreeSet::new();
    for (name, dir) in fixtures() {
        let files = read(&dir);
        let Ok(dump) = Dump::open(&dir) else { continue };
        let copy = write(&files);
        check(&name, copy.path());
        let mut seen = BTreeSet::new();
        for (file, bytes) in files.iter().filter(|(name, _)| name.ends_with(".profile")) {
            if file == "global.profile" {
                continue;
            }
            for (nth, block) in blocks(bytes).blocks.iter().enumerate() {
                if !seen.insert((file.starts_with("cdma"), block.kind.number())) {
                    continue;
                }
                kinds.insert(block.kind.number());
                for (how, mutant) in mutants(dump.chip, bytes, nth) {
                    fs::write(copy.path().join(file), mutant).unwrap();
                    let what = format!("{name}: {file}, {} {how}", block.kind.name());
                    check(&what, copy.path());
                    count += 1;
                }
                fs::write(copy.path().join(file), bytes).unwrap();
            }
        }
    }
    assert!(count > 3000, "{count} mutants");
    for kind in [3, 4, 5, 6, 11, 12, 13, 14, 15, 17] {
        assert!(kinds.contains(&kind), "no fixture has a block of type {kind}");
    }
}

/// A full buffer of the firmware: DYN_DATA ends at a word, and the records go on.
#[test]
fn records_whose_commands_are_missing_are_shown() {
    for (chip, style) in [
        ("aks", Style::Graph),
        ("aks", Style::Op),
        ("aksv", Style::Op),
        ("aksv", Style::Rvt),
        ("bm1688", Style::Op),
        ("cv84x6", Style::Op),
    ] {
        for percent in [10, 30, 90] {
            let mut options = Synth::of_chip(chip).unwrap();
            (options.style, options.mode, options.launches) = (style, 2, 44);
            options.cores = 2;
            let files = generate(&options).unwrap();
            let whole = check(chip, write(&files).path()).unwrap();
            assert!(!whole.ledger.has_loss());
            let mut cut = files.clone();
            for (_, file) in cut.iter_mut().filter(|(name, _)| name.starts_with("cdmlib")) {
                let found = blocks(file).blocks;
                let nth = found.iter().position(|b| b.kind == BlockKind::DynData).unwrap();
                let mut all = split(file);
                let words = (all[nth].len() - 8) / 4;
                all[nth] = resized(&all[nth], &all[nth][8..8 + 4 * (words * percent / 100)]);
                *file = all.concat();
            }
            let what = format!("{chip} {style:?} cut to {percent} %");
            let dir = write(&cut);
            let profile = check(&what, dir.path()).unwrap();
            assert!(profile.ledger.has_loss(), "{what}");
            for (track, before) in profile.tracks().zip(whole.tracks()) {
                let (now, before) = (track.events.len(), before.events.len());
                assert!(now + 32 >= before, "{what}: {} shows {now} of {before}", track.engine_id);
                if percent < 90 {
                    assert!(now >= before, "{what}: {} shows {now} of {before}", track.engine_id);
                }
            }
        }
    }
}

/// The PMU lost every second record: the others are shown.
#[test]
fn records_beside_lost_ones_are_shown() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        let mut options = Synth::of_chip(chip).unwrap();
        (options.mode, options.launches, options.cores) = (1, 44, 2);
        let mut files = generate(&options).unwrap();
        for (_, file) in files.iter_mut().filter(|(name, _)| name.starts_with("cdmlib")) {
            let kinds: Vec<BlockKind> = blocks(file).blocks.iter().map(|b| b.kind).collect();
            let mut all = split(file);
            for (block, kind) in all.iter_mut().zip(kinds) {
                let Some((_, size)) = monitor(options.chip, kind) else { continue };
                let records = block[8..].chunks(size).step_by(2);
                let kept: Vec<u8> = records.flatten().copied().collect();
                *block = resized(block, &kept);
            }
            *file = all.concat();
        }
        let dir = write(&files);
        let profile = check(chip, dir.path()).unwrap();
        assert!(profile.ledger.has_loss(), "{chip}");
        for line in &profile.ledger.lines {
            let c = line.counts;
            assert!(c.shown + c.preamble + 2 * MOST_LEFT_OUT >= c.read, "{chip}: {c:?}");
            assert!(c.read < 100 || c.shown * 10 >= c.read * 9, "{chip}: {c:?}");
        }
    }
}
